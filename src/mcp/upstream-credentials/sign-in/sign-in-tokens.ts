import { Injectable, Logger } from '@nestjs/common';
import type { Target } from '../../../gate/ports/target-directory';
import { CredentialFault, SignInNeeded } from '../../../gate/ports/upstream-credentials';
import type { Principal } from '../../../kernel/principal';
import type { SignInPlan } from '../oauth/auth-of-secret';
import type { IssuedToken } from '../oauth/issued-token';
import type { OAuthClient } from '../oauth/oauth-client';
import { describedFault, oauthErrorOf } from '../oauth/oauth-faults';
import type { TokenOwner } from '../stored/token-rows';
import type { TokenSource } from '../stored/upstream-tokens';
import { SignInGrants } from './sign-in-grants';
import { UpstreamClients } from './upstream-clients';

/** Temporary errors of a token endpoint, after which the refresh token may still be valid. */
const PASSING: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);

/** Tokens from users' sign-ins, renewed as long as the authorization server allows it. */
@Injectable()
export class SignInTokens {
  private readonly log = new Logger(SignInTokens.name);

  constructor(
    private readonly grants: SignInGrants,
    private readonly clients: UpstreamClients,
  ) {}

  sourceOf(plan: SignInPlan, target: Target, principal: Principal): TokenSource {
    return {
      owner: tokenOwner(plan, target, principal.userId),
      binding: plan.binding,
      canEnd: true,
      obtain: (kept) => this.renewed(plan, target, kept),
      outdated: (refused) => this.outdated(plan, target, refused),
    };
  }

  /**
   * Returns a fault if the MCP server has moved to another authorization server. The MCP server then refuses
   * all tokens of the former authorization server, even renewed ones.
   */
  private async outdated(
    plan: SignInPlan,
    { name }: Target,
    { refresh }: IssuedToken,
  ): Promise<CredentialFault | undefined> {
    try {
      const { metadata } = await this.grants.serverOf(plan, 'now');
      return refresh === undefined || metadata.issuer === refresh.issuer ? undefined : needed(plan, name);
    } catch (error) {
      this.log.debug({ err: describedFault(error) }, 'An MCP server that refuses a token does not say why');
      return undefined;
    }
  }

  /** Returns the client to which the tokens were issued; undefined if the gateway no longer uses it. */
  async clientOf(
    orgId: string,
    plan: SignInPlan,
    { refresh }: IssuedToken,
  ): Promise<OAuthClient | undefined> {
    if (refresh === undefined) return undefined;
    const known = await this.clients.known(orgId, plan, refresh.issuer);
    return known.find(({ id }) => id === refresh.clientId);
  }

  private async renewed(
    plan: SignInPlan,
    { orgId, name }: Target,
    kept: IssuedToken | undefined,
  ): Promise<IssuedToken> {
    const refreshToken = kept?.refresh?.refreshToken;
    const client = kept === undefined ? undefined : await this.clientOf(orgId, plan, kept);
    if (kept?.refresh === undefined || refreshToken === undefined || client === undefined)
      throw needed(plan, name);
    try {
      return await this.grants.refresh(client, { ...kept.refresh, refreshToken });
    } catch (error) {
      this.log.warn({ err: describedFault(error) }, 'A token for an MCP server could not be renewed');
      const code = oauthErrorOf(error);
      if (code === 'invalid_client') await this.clients.forget(orgId, kept.refresh.issuer, client.id);
      if (code !== undefined && !PASSING.has(code)) throw needed(plan, name);
      throw new CredentialFault(
        'unreachable',
        'The gateway could not renew its token for this MCP server: the authorization server could not be reached, or did not answer as one.',
      );
    }
  }
}

/** Returns the owner of a token: the principal, or all users of the connection. */
export function tokenOwner(
  { subject }: SignInPlan,
  { orgId, id }: Pick<Target, 'orgId' | 'id'>,
  userId: string,
): TokenOwner {
  return { orgId, connectionId: id, subjectId: subject === 'shared' ? null : userId };
}

/** Returns the error for a missing sign-in if the gateway cannot send the client a sign-in address. */
function needed({ subject }: SignInPlan, connection: string): SignInNeeded {
  return new SignInNeeded(
    subject === 'shared'
      ? `Nobody is signed in at the MCP server of ${connection}. An admin has to connect an account for all.`
      : `You have to connect your account at the MCP server of ${connection} first.`,
  );
}
