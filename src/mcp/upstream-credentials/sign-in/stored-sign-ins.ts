import { Injectable } from '@nestjs/common';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import type { Target } from '../../../gate/ports/target-directory';
import {
  type NoSignInAddress,
  type SignInAddress,
  UpstreamSignIns,
} from '../../../gate/ports/upstream-sign-ins';
import { coversScope, joinedScope } from '../../../targets/mcp/protocol/bearer-challenge';
import type { Principal } from '../../../kernel/principal';
import { authPlanOf } from '../oauth/auth-of-secret';
import { TokenRows } from '../stored/token-rows';
import { CONNECTED, SignInAddresses } from './sign-in-addresses';
import { tokenOwner } from './sign-in-tokens';
import { mayConnect } from './address-access';

/** Provides sign-in addresses. They are stored in PostgreSQL. */
@Injectable()
export class StoredSignIns extends UpstreamSignIns {
  constructor(
    private readonly addresses: SignInAddresses,
    private readonly rows: TokenRows,
    private readonly feed: ChangeFeed,
  ) {
    super();
  }

  async addressFor(
    target: Target,
    principal: Principal,
    scope?: string,
  ): Promise<SignInAddress | NoSignInAddress | undefined> {
    const plan = authPlanOf(target.openSecret());
    if (plan?.kind !== 'sign-in') return undefined;
    if (!mayConnect(plan, principal)) return { kind: 'words', message: wordsFor(plan.subject, scope) };
    const owner = tokenOwner(plan, target, principal.userId);
    const granted = (await this.rows.find(owner, plan.binding))?.refresh?.scope;
    // The authorization server has granted the scope, but the MCP server still demands it. Another sign-in
    // would change nothing.
    if (scope !== undefined && coversScope(granted, scope))
      return {
        kind: 'words',
        message: `The MCP server demands the scope "${scope}", which its authorization server has granted. An admin has to look at it.`,
      };
    // Requests the granted scopes again, so that the new token can do everything that the old token can.
    const wanted = scope === undefined ? undefined : joinedScope(granted, scope);
    const address = await this.addresses.give(target, principal.userId, wanted);
    if (address === undefined) return undefined;
    return { kind: 'address', id: address.id, url: this.addresses.urlOf(address.id) };
  }

  onConnected(listener: (addressId: string) => void): void {
    this.feed.subscribe({
      changed: (kind, id) => (kind === CONNECTED ? listener(id) : undefined),
      reset: () => undefined,
    });
  }
}

function wordsFor(subject: 'user' | 'shared', scope: string | undefined): string {
  const what =
    scope === undefined
      ? 'Nobody is signed in at this MCP server.'
      : `The MCP server demands the scope "${scope}".`;
  return subject === 'shared'
    ? `${what} An admin has to connect an account for all: POST /connections/{connection}/mcp-connect.`
    : `${what} Each person connects an account in the browser; an API key has none.`;
}
