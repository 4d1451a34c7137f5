import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { McpSettings } from '../../../platform/config/groups';
import type { Target } from '../../../gate/ports/target-directory';
import { TargetReachability } from '../../../gate/ports/target-reachability';
import { CredentialFault, UpstreamCredentials } from '../../../gate/ports/upstream-credentials';
import {
  type NoSignInAddress,
  type SignInAddress,
  UpstreamSignIns,
} from '../../../gate/ports/upstream-sign-ins';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { Principal } from '../../../kernel/principal';
import { secretOfServer } from '../../../targets/mcp/secret';
import {
  type McpUpstream,
  type RememberedEra,
  UpstreamFault,
  openUpstream,
} from '../../../targets/mcp/upstream';
import type { ClientFacts } from '../http/modern-request';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

const MEBIBYTE = 1024 * 1024;

/** Opens connections to MCP servers, and remembers the era of each server. */
@Injectable()
export class Upstreams {
  /** Eras of servers, by the client's era, the connection and the URL. */
  private readonly eras = new LRUCache<string, RememberedEra>(entriesAtMost(10_000));

  constructor(
    private readonly settings: McpSettings,
    private readonly reachability: TargetReachability,
    private readonly credentials: UpstreamCredentials,
    private readonly signIns: UpstreamSignIns,
  ) {}

  /** Stores that the server could not be reached. */
  unreachable(target: Target): void {
    void this.reachability.note(target, false);
  }

  /** Returns the address where the principal connects an account at the server; see `UpstreamSignIns`. */
  signIn(
    target: Target,
    principal: Principal,
    scope: string | undefined,
  ): Promise<SignInAddress | NoSignInAddress | undefined> {
    return this.signIns.addressFor(target, principal, scope);
  }

  /** @throws if no key opens the connection's secret */
  open(target: Target, principal: Principal, client: ClientFacts): McpUpstream {
    const { url, transport, headers } = secretOfServer(target.openSecret());
    const credential = this.credentials.of(target, principal);
    const key = `${client.era} ${target.id} ${url.href}`;
    return openUpstream({
      url,
      transport,
      headers: () =>
        thenMaybe(
          asUpstreamFault(() => credential.headers()),
          (own) => ({ ...headers, ...own }),
        ),
      refused: async (sent) => asUpstreamFault(() => credential.refused(sent)),
      allowedHosts: this.settings.allowedHosts,
      client,
      maxMessageBytes: this.settings.messageMb * MEBIBYTE,
      timeoutMs: this.settings.answerSeconds * 1000,
      era: this.eras.get(key),
      remember: (era, revision) => {
        this.eras.set(key, { era, revision, at: new Date() });
        void this.reachability.note(target, true);
      },
    });
  }
}

/**
 * Converts errors in getting the credential to upstream faults. The request to the server is not sent then.
 * Returns a promise only if `work` does.
 */
function asUpstreamFault<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  try {
    const done = work();
    return done instanceof Promise ? done.catch((error: unknown) => rethrown(error)) : done;
  } catch (error) {
    return rethrown(error);
  }
}

function rethrown(error: unknown): never {
  if (!(error instanceof CredentialFault))
    throw new UpstreamFault('internal', 'The gateway could not get its credential for the MCP server.', {
      cause: error,
    });
  // Not `unreachable`: the authorization server failed, and the MCP server may still be reachable.
  const reason = error.reason === 'needs_reauth' ? 'needs_reauth' : 'refused';
  throw new UpstreamFault(reason, error.message, { cause: error });
}
