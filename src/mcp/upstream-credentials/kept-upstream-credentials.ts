import { Injectable } from '@nestjs/common';
import type { Target } from '../../gate/ports/target-directory';
import {
  type UpstreamCredential,
  UpstreamCredentials,
  type UpstreamHeaders,
} from '../../gate/ports/upstream-credentials';
import type { Principal } from '../../kernel/principal';
import { type SignInPlan, type TokenPlan, authPlanOf } from './oauth/auth-of-secret';
import { AccountRevocation } from './sign-in/account-revocation';
import { SignInTokens } from './sign-in/sign-in-tokens';
import { TokenEndpoint } from './token-endpoint';
import { type TokenSource, UpstreamTokens } from './stored/upstream-tokens';

const BEARER = 'Bearer ';

/**
 * Provides the credentials that the gateway gets with the settings in a connection's secret (`MCP_AUTH`).
 * Does not provide the headers that the secret itself contains (`HEADER_*`).
 */
@Injectable()
export class KeptUpstreamCredentials extends UpstreamCredentials {
  constructor(
    private readonly tokens: UpstreamTokens,
    private readonly endpoint: TokenEndpoint,
    private readonly signIns: SignInTokens,
    private readonly revocation: AccountRevocation,
  ) {
    super();
  }

  of(target: Target, principal: Principal): UpstreamCredential {
    const plan = authPlanOf(target.openSecret());
    if (plan === undefined) return NOTHING;
    const source = this.sourceOf(plan, target, principal);
    return {
      headers: async () => ({ authorization: `${BEARER}${await this.tokens.current(source)}` }),
      refused: async ({ authorization }) =>
        authorization?.startsWith(BEARER) === true &&
        this.tokens.replace(source, authorization.slice(BEARER.length)),
    };
  }

  private sourceOf(plan: TokenPlan | SignInPlan, target: Target, principal: Principal): TokenSource {
    const { orgId, id: connectionId } = target;
    if (plan.kind === 'sign-in')
      return {
        ...this.signIns.sourceOf(plan, target, principal),
        discard: (token) => this.revocation.revoke(orgId, plan, token),
      };
    return {
      owner: { orgId, connectionId, subjectId: plan.subject === 'shared' ? null : principal.userId },
      binding: plan.binding,
      obtain: () => this.endpoint.obtain(plan, principal),
    };
  }
}

const NO_HEADERS: UpstreamHeaders = {};
const NOTHING: UpstreamCredential = { headers: () => NO_HEADERS, refused: () => Promise.resolve(false) };
