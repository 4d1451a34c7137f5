import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import { MCP_SCOPE, connectionOfResource } from '../kernel/mcp-resource';
import type { Caller } from './authorization-audit';
import { Authorizations, type IssuedTokens } from './authorizations';
import { OAuthFault } from './oauth-fault';
import type { Parameters } from './parameters';
import { isSameText, sha256 } from '../http/pages/browser-secret';

/** RFC 7636, section 4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** The answer of the token endpoint (RFC 6749, section 5.1). */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Requests for tokens, and to revoke them. Clients are public: a `client_id` is not a proof. */
@Injectable()
export class TokenRequests {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly settings: Settings,
  ) {}

  /** @throws OAuthFault */
  async answer(parameters: Parameters, caller: Caller): Promise<TokenAnswer> {
    const grant = parameters.require('grant_type');
    if (grant === 'authorization_code') return answerOf(await this.redeem(parameters, caller));
    if (grant === 'refresh_token') return answerOf(await this.refresh(parameters, caller));
    throw new OAuthFault('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }

  /** The answer is the same whether the token existed or not (RFC 7009, section 2.2). @throws OAuthFault `invalid_request` */
  async revoke(parameters: Parameters, caller: Caller): Promise<void> {
    await this.authorizations.revoke(parameters.require('token'), parameters.require('client_id'), caller);
  }

  private redeem(parameters: Parameters, caller: Caller): Promise<IssuedTokens> {
    const clientId = parameters.require('client_id');
    const verifier = parameters.require('code_verifier');
    // Optional, because OAuth 2.1 leaves it out: PKCE proves more.
    const redirectUri = parameters.find('redirect_uri');
    const code = parameters.require('code');
    return this.authorizations.exchange(
      'code',
      code,
      this.connection(parameters),
      (authorization, token) => {
        if (authorization.clientId !== clientId) return 'a code was presented by another client';
        if (redirectUri !== undefined && redirectUri !== authorization.redirectUri)
          return 'a code was presented with another redirect URI';
        return isVerified(verifier, token.codeChallenge ?? '')
          ? undefined
          : 'a code was presented without its verifier';
      },
      caller,
    );
  }

  private refresh(parameters: Parameters, caller: Caller): Promise<IssuedTokens> {
    const clientId = parameters.require('client_id');
    const token = parameters.require('refresh_token');
    return this.authorizations.exchange(
      'refresh',
      token,
      this.connection(parameters),
      (authorization) =>
        authorization.clientId === clientId ? undefined : 'a refresh token was presented by another client',
      caller,
    );
  }

  private connection(parameters: Parameters): string | undefined {
    const resource = parameters.find('resource');
    if (resource === undefined) return undefined;
    const { apiUrl, apiPrefix } = this.settings.http;
    const connection = connectionOfResource(apiUrl, apiPrefix, resource);
    if (connection === undefined)
      throw new OAuthFault('invalid_target', 'the resource is none of this gateway');
    return connection;
  }
}

function isVerified(verifier: string, challenge: string): boolean {
  return VERIFIER.test(verifier) && isSameText(sha256(verifier).toString('base64url'), challenge);
}

function answerOf({ accessToken, refreshToken, expiresInSeconds }: IssuedTokens): TokenAnswer {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope: MCP_SCOPE,
  };
}
