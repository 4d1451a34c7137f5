import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import * as oidc from 'openid-client';
import { LessThan, Repository } from 'typeorm';
import { Settings } from '../config/settings';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import { IdentityProviderClient, type PendingLogin } from './identity-provider.client';
import { LoginState } from './login-state.entity';
import { OrganizationsService } from './organizations.service';
import { isAllowedRedirect, isCommandLine } from './redirects';
import { TokenAuthenticator } from './token-authenticator';
import { UsersService } from './users.service';

export const LOGIN_LIFETIME_MS = 10 * 60_000;

/** Starts sign-ins, and completes them when the browser comes back. */
@Injectable()
export class LoginService {
  private readonly log = new Logger(LoginService.name);

  constructor(
    @InjectRepository(LoginState) private readonly states: Repository<LoginState>,
    private readonly organizations: OrganizationsService,
    private readonly provider: IdentityProviderClient,
    private readonly authenticator: TokenAuthenticator,
    private readonly users: UsersService,
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
    const { id: orgId } = await this.organizations.defaultOrganization();
    await this.states.delete({ orgId, expiresAt: LessThan(new Date(this.clock.now())) });
    await this.states.insert({
      orgId,
      stateHash: sha256(login.state),
      browserHash: isCommandLine(target, apiUrl) ? null : sha256(browser),
      codeVerifier: login.codeVerifier,
      nonce: login.nonce,
      // The parsed URL, so that the browser follows exactly what was checked.
      redirect: new URL(target).href,
      expiresAt: new Date(this.clock.now() + LOGIN_LIFETIME_MS),
    });
    return url;
  }

  /**
   * Completes a sign-in. Returns the URL to which the browser is sent, with the token in the fragment (which is sent to no server
   * and in no referrer) or with `?error=`.
   * @throws AppError `malformed` when the state is unknown, used, expired, or belongs to another browser.
   */
  async complete(query: string, browser: string | undefined): Promise<string> {
    const parameters = new URLSearchParams(query);
    const state = await this.consume(parameters.get('state') ?? '', browser);
    const login = {
      state: parameters.get('state') ?? '',
      nonce: state.nonce,
      codeVerifier: state.codeVerifier,
    };
    try {
      const signIn = await this.provider.exchange(query, login);
      await this.users.principal(await this.authenticator.signIn(signIn.claims));
      const fragment = new URLSearchParams({ access_token: signIn.accessToken });
      if (signIn.expiresIn !== undefined) fragment.set('expires_in', String(signIn.expiresIn));
      return `${state.redirect}#${fragment.toString()}`;
    } catch (error) {
      this.log.warn({ err: error }, 'A sign-in failed');
      const url = new URL(state.redirect);
      url.searchParams.set('error', errorWord(error));
      return url.href;
    }
  }

  private async consume(state: string, browser: string | undefined): Promise<LoginState> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const deleted = await this.states
      .createQueryBuilder()
      .delete()
      .where({ orgId, stateHash: sha256(state) })
      .returning('*')
      .execute();
    const row = (
      deleted.raw as {
        browser_hash: Buffer | null;
        code_verifier: string;
        nonce: string;
        redirect: string;
        expires_at: Date;
      }[]
    )[0];
    if (row === undefined || row.expires_at.getTime() <= this.clock.now()) {
      throw new AppError('malformed', 'this sign-in is unknown, used or expired; please start again');
    }
    if (row.browser_hash !== null && !timingSafeEqual(row.browser_hash, sha256(browser ?? ''))) {
      throw new AppError('malformed', 'this sign-in was started in another browser; please start again');
    }
    return this.states.create({
      codeVerifier: row.code_verifier,
      nonce: row.nonce,
      redirect: row.redirect,
    });
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** RFC 6749, section 4.1.2.1: the provider's error code, if there is one. */
function errorWord(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError) return error.error;
  if (error instanceof AppError)
    return error.code === 'unauthenticated' ? 'access_denied' : 'temporarily_unavailable';
  return 'server_error';
}
