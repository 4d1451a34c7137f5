import { Injectable, Logger } from '@nestjs/common';
import * as oidc from 'openid-client';
import { Settings } from '../../../platform/config/settings';
import { AppError, isUnavailable } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import { boundedFetch } from './bounded-fetch';
import { type Claims, joinClaims } from './claims';

/** The scope that requests a refresh token. */
const OFFLINE = 'offline_access';

const PROBED_WITHIN_MS = 2_000;
/**
 * Time for which a failure is cached before another request to the provider, so that many callers cannot
 * flood the provider.
 */
export const PROVIDER_RETRY_MS = 500;

/** Time after a refused introspection during which no other introspection is requested. */
const INTROSPECTION_RETRY_MS = 5_000;
/** Errors of RFC 6749, section 5.2, that concern the client, not the token. */
const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client', 'access_denied'];

const NO_INTROSPECTION =
  'The identity provider does not let this client introspect tokens, so no opaque token is accepted. Allow it there, or change IDP_OPAQUE_TOKENS';

/** Tokens that the provider issued. */
export interface ProviderTokens {
  readonly accessToken: string;
  /** Lifetime in seconds; undefined when the provider states none. */
  readonly expiresIn: number | undefined;
  /** undefined when the provider issues none; the person must then sign in again. */
  readonly refreshToken: string | undefined;
}

/** The provider's answer for an authorization code. */
export interface SignIn {
  readonly tokens: ProviderTokens;
  /** Claims of the validated ID token, joined with the claims from userinfo. */
  readonly claims: Claims;
  /** Whether claims may be missing, because userinfo was needed and did not answer properly. */
  readonly isPartial: boolean;
}

export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/**
 * The client of the identity provider (OpenID Connect Core 1.0, RFC 7636 PKCE). Metadata are discovered at
 * first use and cached, so the provider need not be up when the gateway starts.
 */
@Injectable()
export class IdentityProviderClient {
  private readonly log = new Logger(IdentityProviderClient.name);
  private discovered: Promise<oidc.Configuration> | undefined;
  /** Earliest time of the next introspection after the provider refused one. */
  private mayAskAgainAt = 0;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `unavailable` */
  configuration(): Promise<oidc.Configuration> {
    this.discovered ??= this.discover().catch((error: unknown) => {
      setTimeout(() => (this.discovered = undefined), PROVIDER_RETRY_MS).unref();
      throw unreachable(error);
    });
    return this.discovered;
  }

  /** Resolves if the provider answers. @throws when it does not */
  async probe(): Promise<void> {
    const { issuer } = this.settings.identityProvider;
    const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
    const { ok, status, body } = await boundedFetch(url, { signal: AbortSignal.timeout(PROBED_WITHIN_MS) });
    await body?.cancel();
    if (!ok) throw new Error(`it answers ${status}`);
  }

  /**
   * The URL to which the browser is sent: authorization code flow with PKCE, state and nonce.
   * @param isLasting whether a refresh token is wanted (OpenID Connect Core 1.0, section 11)
   */
  async loginUrl(login: PendingLogin, { isLasting }: { readonly isLasting: boolean }): Promise<string> {
    const config = await this.configuration();
    const { scopes } = this.settings.identityProvider;
    const offersOffline = config.serverMetadata().scopes_supported?.includes(OFFLINE) === true;
    const isAsked = scopes.split(' ').includes(OFFLINE);
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: this.callbackUrl(),
      scope: isLasting && offersOffline && !isAsked ? `${scopes} ${OFFLINE}` : scopes,
      state: login.state,
      nonce: login.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(login.codeVerifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /** Exchanges the code of a callback. `query` is the callback's query string. */
  async exchange(query: string, login: PendingLogin): Promise<SignIn> {
    const config = await this.configuration();
    const tokens = await oidc.authorizationCodeGrant(config, new URL(`${this.callbackUrl()}?${query}`), {
      expectedState: login.state,
      expectedNonce: login.nonce,
      pkceCodeVerifier: login.codeVerifier,
      idTokenExpected: true,
    });
    const idToken = tokens.claims() as oidc.IDToken;
    const complete =
      idToken['email'] !== undefined && idToken[this.settings.identityProvider.groupsClaim] !== undefined;
    let isPartial = false;
    const more = complete
      ? {}
      : await this.userinfo(tokens.access_token, idToken.sub).catch((error: unknown) => {
          isPartial = isUnavailable(error);
          return {};
        });
    return { tokens: issued(tokens), claims: joinClaims(idToken, more), isPartial };
  }

  /**
   * Returns new tokens for a refresh token (RFC 6749, section 6).
   * @throws AppError `unauthenticated` when the provider refuses the refresh token, `unavailable` when the
   * provider does not answer properly
   */
  async refresh(refreshToken: string): Promise<ProviderTokens> {
    const config = await this.configuration();
    try {
      const tokens = issued(await oidc.refreshTokenGrant(config, refreshToken));
      return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
    } catch (error) {
      if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
        throw new AppError('unauthenticated', 'the identity provider has ended this sign-in');
      throw unreachable(error);
    }
  }

  /**
   * Claims of the person for whom an access token was issued.
   * @throws AppError `unauthenticated` when the provider refuses the token,
   * `unavailable` when it does not answer.
   */
  async userinfo(accessToken: string, subject?: string): Promise<Claims> {
    const config = await this.configuration();
    try {
      return await oidc.fetchUserInfo(config, accessToken, subject ?? oidc.skipSubjectCheck);
    } catch (error) {
      if (isRefusal(error)) throw new AppError('unauthenticated', 'the access token is not valid');
      throw unreachable(error);
    }
  }

  /**
   * Returns the provider's claims about an access token (RFC 7662, section 2.2). They are not checked here.
   * @throws AppError `unavailable`, also when the provider does not allow this client to introspect
   */
  async introspection(accessToken: string): Promise<Claims> {
    if (this.clock.now() < this.mayAskAgainAt) throw notIntrospected(undefined);
    const config = await this.configuration();
    try {
      return await oidc.tokenIntrospection(config, accessToken, { token_type_hint: 'access_token' });
    } catch (error) {
      if (!isRefusalOfClient(error)) throw unreachable(error);
      // The refusal does not depend on the token, so for a while nothing is requested or logged again.
      this.mayAskAgainAt = this.clock.now() + INTROSPECTION_RETRY_MS;
      this.log.error({ err: error }, NO_INTROSPECTION);
      throw notIntrospected(error);
    }
  }

  private callbackUrl(): string {
    return `${this.settings.http.apiUrl}${this.settings.http.apiPrefix}/callback`;
  }

  private async discover(): Promise<oidc.Configuration> {
    const { clientId, clientSecret, ...provider } = this.settings.identityProvider;
    const issuer = new URL(provider.issuer);
    const config = await oidc.discovery(
      issuer,
      clientId,
      clientSecret,
      clientSecret === undefined ? oidc.None() : oidc.ClientSecretPost(clientSecret),
      {
        timeout: provider.timeoutSeconds,
        [oidc.customFetch]: boundedFetch,
        // Plain http is allowed only for a provider on this machine (development).
        ...(isLoopback(issuer) ? { execute: [oidc.allowInsecureRequests] } : {}),
      },
    );
    config.timeout = provider.timeoutSeconds;
    return config;
  }
}

function issued(tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): ProviderTokens {
  return {
    accessToken: tokens.access_token,
    expiresIn: tokens.expiresIn(),
    refreshToken: tokens.refresh_token,
  };
}

/**
 * Whether the provider refused the token. The status is enough, because not all providers give a reason (RFC
 * 6750, section 3.1).
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return true;
  const { cause } = error as { cause?: unknown };
  return cause instanceof Response && [400, 401, 403].includes(cause.status);
}

/**
 * Whether the provider refused the client, not the token: the client failed to authenticate, or must not
 * introspect.
 */
function isRefusalOfClient(error: unknown): boolean {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return true;
  if (error instanceof oidc.ResponseBodyError)
    return [401, 403].includes(error.status) || CLIENT_ERRORS.includes(error.error);
  const { cause } = error as { cause?: unknown };
  return cause instanceof Response && [401, 403].includes(cause.status);
}

function notIntrospected(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'opaque access tokens cannot be verified now: the identity provider refuses it',
    {
      cause,
      retryAfterSeconds: INTROSPECTION_RETRY_MS / 1000,
    },
  );
}

function isLoopback(url: URL): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}

function unreachable(cause: unknown): AppError {
  return new AppError('unavailable', 'the identity provider cannot be reached, try again shortly', {
    cause,
    retryAfterSeconds: 5,
  });
}
