import { Injectable, Logger } from '@nestjs/common';
import type { SignInPlan } from '../oauth/auth-of-secret';
import type { IssuedToken } from '../oauth/issued-token';
import { describedFault } from '../oauth/oauth-faults';
import { SignInGrants } from './sign-in-grants';
import { SignInTokens } from './sign-in-tokens';

/** Maximum number of tokens of one connection that are revoked concurrently. */
const AT_ONCE = 4;
/** Time limit for revoking all tokens of a connection. The gateway deletes its copies in any case. */
const ALL_WITHIN_MS = 5 * 60_000;

/** Revokes tokens at their authorization servers. */
@Injectable()
export class AccountRevocation {
  private readonly log = new Logger(AccountRevocation.name);

  constructor(
    private readonly tokens: SignInTokens,
    private readonly grants: SignInGrants,
  ) {}

  /** Never rejects: a failure is only logged, because the gateway has already deleted the token. */
  async revoke(orgId: string, plan: SignInPlan, token: IssuedToken): Promise<void> {
    try {
      const client = await this.tokens.clientOf(orgId, plan, token);
      if (client !== undefined) await this.grants.revoke(client, token);
    } catch (error) {
      this.log.warn({ err: describedFault(error) }, 'A token for an MCP server could not be revoked');
    }
  }

  /**
   * Revokes the tokens of all accounts at a connection. Tokens that are left after `ALL_WITHIN_MS`, or
   * when the gateway stops, are not revoked.
   */
  async revokeAll(orgId: string, plan: SignInPlan, tokens: readonly IssuedToken[]): Promise<void> {
    const waiting = [...tokens];
    const until = performance.now() + ALL_WITHIN_MS;
    const revokeNext = async (): Promise<void> => {
      while (performance.now() <= until) {
        const token = waiting.pop();
        if (token === undefined) return;
        await this.revoke(orgId, plan, token);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, revokeNext));
    if (waiting.length > 0)
      this.log.warn(`${waiting.length} tokens for an MCP server were forgotten without being revoked`);
  }
}
