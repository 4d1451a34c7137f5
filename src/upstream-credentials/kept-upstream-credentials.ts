import { Injectable } from '@nestjs/common';
import type { Target } from '../gate/ports/target-directory';
import {
  type UpstreamCredential,
  UpstreamCredentials,
  type UpstreamHeaders,
} from '../gate/ports/upstream-credentials';
import type { Principal } from '../kernel/principal';
import { type TokenExchange, authOf } from './auth-of-secret';
import { TokenEndpoint } from './token-endpoint';
import { type TokenSource, UpstreamTokens } from './upstream-tokens';

const BEARER = 'Bearer ';

/** The credentials that the secret of a connection names (`MCP_AUTH`). Headers of the secret itself (`HEADER_*`) are not here. */
@Injectable()
export class KeptUpstreamCredentials extends UpstreamCredentials {
  constructor(
    private readonly tokens: UpstreamTokens,
    private readonly endpoint: TokenEndpoint,
  ) {
    super();
  }

  of(target: Target, principal: Principal): UpstreamCredential {
    const auth = authOf(target.openSecret());
    if (auth.kind === 'headers') return NOTHING;
    const source = this.sourceOf(auth.exchange, target, principal);
    return {
      headers: async () => ({ authorization: `${BEARER}${await this.tokens.current(source)}` }),
      refused: async ({ authorization }) =>
        authorization?.startsWith(BEARER) === true &&
        this.tokens.replace(source, authorization.slice(BEARER.length)),
    };
  }

  private sourceOf(exchange: TokenExchange, target: Target, principal: Principal): TokenSource {
    const { orgId, id: connectionId } = target;
    return {
      owner: { orgId, connectionId, subjectId: exchange.subject === 'shared' ? null : principal.userId },
      binding: exchange.binding,
      obtain: () => this.endpoint.obtain(exchange, principal),
    };
  }
}

const NO_HEADERS: UpstreamHeaders = {};
const NOTHING: UpstreamCredential = { headers: () => NO_HEADERS, refused: () => Promise.resolve(false) };
