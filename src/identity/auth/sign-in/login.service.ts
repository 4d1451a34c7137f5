import { Injectable, Logger } from '@nestjs/common';
import * as oidc from 'openid-client';
import { Settings } from '../../../platform/config/settings';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { IdentityProviderClient, type PendingLogin } from '../provider/identity-provider.client';
import { type LoginAim, LoginStates } from './login-states';
import { PortalSessions } from '../portal/portal-sessions';
import { isAllowedRedirect, isCommandLine } from './redirects';
import { UserSignIn } from './user-sign-in';

/**
 * Receives the user who signed in for a purpose, before the browser is sent to `redirect`. The receiver does
 * not get the identity provider's tokens. It may return the value of the page cookie.
 * @throws any error when the sign-in has failed; `?error=` in the redirect reports it
 */
export type SignInReceiver = (person: Principal, redirect: string) => Promise<string | void>;

/** Result of a sign-in: the URL to which the browser is sent, and cookies. */
export interface CompletedLogin {
  readonly location: string;
  /** Value of the page cookie; see `setPageCookie`. */
  readonly pageCookie?: string;
  /** Value of the portal's cookie, for a sign-in at the portal. */
  readonly portalCookie?: string;
}

const TOKEN = 'token';
const PORTAL = 'portal';

/** Starts sign-ins, and completes them when the browser comes back. */
@Injectable()
export class LoginService {
  private readonly log = new Logger(LoginService.name);
  private readonly receivers = new Map<string, SignInReceiver>();

  constructor(
    private readonly states: LoginStates,
    private readonly provider: IdentityProviderClient,
    private readonly signIns: UserSignIn,
    private readonly portal: PortalSessions,
    private readonly settings: Settings,
  ) {}

  /** Starts a sign-in. `browser` is the secret that is stored in the caller's cookie. */
  async begin(redirect: string | undefined, browser: string): Promise<string> {
    const { apiUrl, apiPrefix } = this.settings.http;
    const { redirects } = this.settings.signIn;
    const target = redirect ?? `${apiUrl}${apiPrefix}/docs`;
    if (!isAllowedRedirect(target, [new URL(apiUrl).origin, 'http://127.0.0.1:*', ...redirects])) {
      throw new AppError('unprocessable', 'redirect must be on an allowed origin (LOGIN_REDIRECTS)');
    }
    // Uses the parsed URL, so that the browser follows exactly the URL that was checked.
    const aim = { redirect: new URL(target).href, purpose: TOKEN };
    return this.start(aim, isCommandLine(target, apiUrl) ? undefined : browser);
  }

  /**
   * Starts a sign-in at the portal. `browser` is the secret that is stored in the caller's cookie.
   * @param redirect a page of the portal; default: its start page
   * @throws AppError `unprocessable` when the redirect leaves the portal, or when there is no portal
   */
  async beginAtPortal(redirect: string | undefined, browser: string): Promise<string> {
    if (!this.settings.portal.isOn)
      throw new AppError('unprocessable', 'this gateway has no portal (PORTAL)');
    const { apiUrl } = this.settings.http;
    const target = redirect ?? `${apiUrl}/`;
    if (!isAllowedRedirect(target, [new URL(apiUrl).origin]))
      throw new AppError('unprocessable', 'redirect must be a page of the portal (API_URL)');
    return this.start({ redirect: new URL(target).href, purpose: PORTAL }, browser);
  }

  /** Registers the receiver of people who sign in for a purpose. Called once for each purpose. */
  receive(purpose: string, receiver: SignInReceiver): void {
    this.receivers.set(purpose, receiver);
  }

  /**
   * Starts a sign-in for the module that receives this purpose. Returns the URL of the identity provider.
   * @param redirect URL of the gateway itself; it is not checked
   * @param browser secret that the browser presents at `/callback`; see `setLoginCookie`
   */
  async beginFor(purpose: string, redirect: string, browser: string): Promise<string> {
    if (!this.receivers.has(purpose)) throw new Error(`nobody receives sign-ins for ${purpose}`);
    return this.start({ redirect, purpose }, browser);
  }

  private async start(aim: LoginAim, browser: string | undefined): Promise<string> {
    const login: PendingLogin = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const url = await this.provider.loginUrl(login, { isLasting: aim.purpose === PORTAL });
    await this.states.keepLoginState(login, aim, browser);
    return url;
  }

  /**
   * Completes a sign-in. Returns the URL to which the browser is sent. The access token is in the fragment of
   * the URL, because browsers send the fragment to no server and in no referrer. At the portal, and when
   * another module received the person, the URL has no token. After a failure, it has `?error=`.
   * @throws AppError `malformed` when the state is unknown, used, expired, or belongs to another browser
   */
  async complete(query: string, browser: string | undefined): Promise<CompletedLogin> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const { redirect, purpose, ...begun } = await this.states.consume(state, browser);
    try {
      const { tokens, ...said } = await this.provider.exchange(query, { state, ...begun });
      const person = await this.signIns.principal(said);
      if (purpose === PORTAL) {
        const portalCookie = await this.portal.begin(person, tokens);
        return { location: redirect, portalCookie };
      }
      if (purpose !== TOKEN) {
        const pageCookie = await this.receiver(purpose)(person, redirect);
        return { location: redirect, ...(pageCookie ? { pageCookie } : {}) };
      }
      const { accessToken, expiresIn } = tokens;
      const fragment = new URLSearchParams({ access_token: accessToken });
      if (expiresIn !== undefined) fragment.set('expires_in', String(expiresIn));
      return { location: `${redirect}#${fragment.toString()}` };
    } catch (error) {
      this.log.warn({ err: error }, 'A sign-in failed');
      const url = new URL(redirect);
      url.searchParams.set('error', errorWord(error));
      return { location: url.href };
    }
  }

  /**
   * Returns the receiver for a purpose. Throws when there is none, for example because another version of the
   * gateway began the sign-in.
   */
  private receiver(purpose: string): SignInReceiver {
    const receiver = this.receivers.get(purpose);
    if (receiver === undefined) throw new Error(`nobody receives sign-ins for ${purpose}`);
    return receiver;
  }
}

/** Returns the provider's error code (RFC 6749, section 4.1.2.1), or a code for another error. */
function errorWord(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError) return error.error;
  if (error instanceof AppError)
    return error.code === 'unauthenticated' ? 'access_denied' : 'temporarily_unavailable';
  return 'server_error';
}
