import { Injectable, Logger } from '@nestjs/common';
import type { SignInPlan } from '../auth-of-secret';
import type { IssuedToken } from '../issued-token';
import { describedFault } from '../oauth-faults';
import { SignInGrants } from './sign-in-grants';
import { SignInTokens } from './sign-in-tokens';

/** Tells authorization servers that tokens are not used any more. */
@Injectable()
export class AccountRevocation {
  private readonly log = new Logger(AccountRevocation.name);

  constructor(
    private readonly tokens: SignInTokens,
    private readonly grants: SignInGrants,
  ) {}

  /** Never rejects: the gateway has forgotten the token, whatever the authorization server says. */
  async revoke(orgId: string, plan: SignInPlan, token: IssuedToken): Promise<void> {
    try {
      const client = await this.tokens.clientOf(orgId, plan, token);
      if (client !== undefined) await this.grants.revoke(client, token);
    } catch (error) {
      this.log.warn({ err: describedFault(error) }, 'A token for an MCP server could not be revoked');
    }
  }
}
