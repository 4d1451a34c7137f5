import { Injectable, Logger } from '@nestjs/common';
import * as oidc from 'openid-client';
import { Settings } from '../config/settings';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import { IdentityProviderClient, type PendingLogin } from './identity-provider.client';
import { LoginStates } from './login-states';
import { isAllowedRedirect, isCommandLine } from './redirects';
import { UserSignIn } from './user-sign-in';

/** Starts sign-ins, and completes them when the browser comes back. */
@Injectable()
export class LoginService {
  private readonly log = new Logger(LoginService.name);

  constructor(
    private readonly states: LoginStates,
    private readonly provider: IdentityProviderClient,
    private readonly signIns: UserSignIn,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Starts a sign-in. `browser` is the secret that is stored in the caller's cookie. */
  async begin(redirect: string | undefined, browser: string): Promise<string> {
    const { apiUrl, apiPrefix } = this.settings.http;
    const { redirects } = this.settings.signIn;
    const target = redirect ?? `${apiUrl}${apiPrefix}/docs`;
    if (!isAllowedRedirect(target, [new URL(apiUrl).origin, 'http://127.0.0.1:*', ...redirects])) {
      throw new AppError('unprocessable', 'redirect must be on an allowed origin (LOGIN_REDIRECTS)');
    }
    const login: PendingLogin = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const url = await this.provider.loginUrl(login);
    // The parsed URL, so that the browser follows exactly what was checked.
    await this.states.keepLoginState(
      login,
      new URL(target).href,
      isCommandLine(target, apiUrl) ? undefined : browser,
    );
    return url;
  }

  /**
   * Completes a sign-in. Returns the URL to which the browser is sent, with the token in the fragment (which is sent to no server
   * and in no referrer) or with `?error=`.
   * @throws AppError `malformed` when the state is unknown, used, expired, or belongs to another browser.
   */
  async complete(query: string, browser: string | undefined): Promise<string> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const { redirect, ...begun } = await this.states.consume(state, browser);
    try {
      const { claims, accessToken, expiresIn } = await this.provider.exchange(query, { state, ...begun });
      await this.signIns.principal(claims, this.clock.now());
      const fragment = new URLSearchParams({ access_token: accessToken });
      if (expiresIn !== undefined) fragment.set('expires_in', String(expiresIn));
      return `${redirect}#${fragment.toString()}`;
    } catch (error) {
      this.log.warn({ err: error }, 'A sign-in failed');
      const url = new URL(redirect);
      url.searchParams.set('error', errorWord(error));
      return url.href;
    }
  }
}

/** RFC 6749, section 4.1.2.1: the provider's error code, if there is one. */
function errorWord(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError) return error.error;
  if (error instanceof AppError)
    return error.code === 'unauthenticated' ? 'access_denied' : 'temporarily_unavailable';
  return 'server_error';
}
