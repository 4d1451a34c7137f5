import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request, Response } from 'express';
import passport from 'passport';
import { ExtractJwt } from 'passport-jwt';
import { HttpSettings, PortalSettings } from '../../platform/config/groups';
import { Authenticator } from '../../gate/ports/authenticator';
import { AppError } from '../../kernel/app-error';
import type { AuthenticatedRequest } from '../../platform/http/routes/access';
import { apiResource } from '../../platform/addresses/mcp-resource';
import type { Principal } from '../../kernel/principal';
import {
  changeIdOf,
  isAttended,
  noCredential,
  portalCookieOf,
  requireInTime,
  requireOwnPage,
  requireSamePerson,
} from './portal/portal-cookie';
import { PortalSessions } from './portal/portal-sessions';
import { ResourceTokens, isResourceToken } from './tokens/resource-tokens';

const NAME = 'credential';
/**
 * Bearer credentials (RFC 6750, section 2.1). Without this check, the extractor accepts any text after the
 * token.
 */
const BEARER = /^Bearer +[\w\-.~+/]+=* *$/i;
/** Response header for a change that is refused because its page already sent it. */
const REPEATED_HEADER = 'X-Gateway-Portal-Repeated';
const tokenOf = ExtractJwt.fromAuthHeaderAsBearerToken();

/**
 * Identifies the caller of a request by its bearer token, or by the portal's cookie if there is no token. The
 * Authenticator, which other protocols use too, finds the principal of a token.
 */
@Injectable()
export class CredentialStrategy extends PassportStrategy(passport.Strategy, NAME) {
  /**
   * An own instance of passport. In the package's global instance, a second gateway in the process would
   * replace this strategy.
   */
  private readonly passport: passport.Authenticator;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly portal: PortalSessions,
    private readonly resourceTokens: ResourceTokens,
    private readonly settings: HttpSettings,
    private readonly portalSettings: PortalSettings,
  ) {
    super();
    this.passport = new passport.Passport().use(NAME, this);
  }

  /**
   * Returns the principal of a request.
   * @throws AppError `unauthenticated` without a credential; also the errors of `Authenticator.identify`
   */
  identify(request: Request, response: Response): Promise<Principal> {
    return new Promise((resolve, reject) => {
      const done: passport.AuthenticateCallback = (error: unknown, principal) =>
        principal ? resolve(principal as unknown as Principal) : reject(error);
      const middleware: unknown = this.passport.authenticate(NAME, { session: false }, done);
      (middleware as Middleware)(request, response, reject);
    });
  }

  override authenticate(request: Request): void {
    this.validate(request).then(
      (principal) => this.success(principal),
      (error: unknown) => this.error(error),
    );
  }

  async validate(request: Request): Promise<Principal> {
    const { authorization } = request.headers;
    if (authorization === undefined) return this.atPortal(request);
    const bearer = BEARER.test(authorization) ? tokenOf(request) : null;
    if (bearer === null)
      throw new AppError('unauthenticated', 'the Authorization header is not a bearer token');
    const { apiUrl, apiPrefix } = this.settings;
    const resource = apiResource(apiUrl, apiPrefix);
    const person = await this.authenticator.identify({ bearer, address: request.ip ?? '', resource });
    // The token is checked again while a stream is open, because its authorization may be withdrawn.
    if (isResourceToken(bearer))
      (request as Partial<AuthenticatedRequest>).credentialLasts = () =>
        this.resourceTokens.lasts(bearer, resource);
    return person;
  }

  private async atPortal(request: Request): Promise<Principal> {
    const cookie = this.portalSettings.isOn ? portalCookieOf(request, this.settings) : undefined;
    if (cookie === undefined) throw noCredential(request, this.settings);
    requireOwnPage(request);
    const person = await this.portal.identify(cookie, request.ip ?? '', isAttended(request));
    requireSamePerson(request, person);
    const change = changeIdOf(request);
    if (change !== undefined) await this.takeOnce(cookie, change, request);
    (request as Partial<AuthenticatedRequest>).credentialLasts = () => this.portal.lasts(cookie);
    return person;
  }

  /**
   * Accepts each change of a portal page only once. The refusal of a repeated change has an own header, which
   * warns the page that the first request may have made the change.
   */
  private async takeOnce(cookie: string, change: string, request: Request): Promise<void> {
    try {
      await this.portal.take(cookie, change);
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict')
        request.res?.setHeader(REPEATED_HEADER, '1');
      throw error;
    }
    requireInTime(request);
  }
}

type Middleware = (request: Request, response: Response, next: (error?: unknown) => void) => void;
