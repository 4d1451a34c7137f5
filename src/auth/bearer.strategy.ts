import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request, Response } from 'express';
import passport from 'passport';
import { ExtractJwt } from 'passport-jwt';
import { Authenticator } from '../gate/ports/authenticator';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';

const NAME = 'bearer';
/** RFC 6750, section 2.1. The extractor alone accepts any text after the token. */
const BEARER = /^Bearer +[\w\-.~+/]+=* *$/i;
const tokenOf = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Reads the bearer token of a request. The Authenticator, which the other protocols use too, identifies its principal. */
@Injectable()
export class BearerStrategy extends PassportStrategy(passport.Strategy, NAME) {
  /** An own instance: in the package's global one, a second gateway in the process would replace this strategy. */
  private readonly passport: passport.Authenticator;

  constructor(private readonly authenticator: Authenticator) {
    super();
    this.passport = new passport.Passport().use(NAME, this);
  }

  /** The principal of a request. @throws AppError as `Authenticator.identify` does; `unauthenticated` without a bearer token */
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
    if (authorization === undefined)
      throw new AppError('unauthenticated', 'sign in first: the request has no bearer token');
    const bearer = BEARER.test(authorization) ? tokenOf(request) : null;
    if (bearer === null)
      throw new AppError('unauthenticated', 'the Authorization header is not a bearer token');
    return this.authenticator.identify({ bearer, address: request.ip ?? '' });
  }
}

type Middleware = (request: Request, response: Response, next: (error?: unknown) => void) => void;
