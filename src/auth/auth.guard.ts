import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Authenticator } from '../gate/ports/authenticator';
import { ACCESS, type AuthenticatedRequest, type Policy, satisfies } from '../http/access';
import { AppError } from '../kernel/app-error';

/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\w\-.~+/]+=*) *$/i;

const needs: Record<Policy, string> = {
  'signed-in': 'this needs a signed-in user',
  operator: 'auditors may read everything and change nothing',
  auditor: 'this needs the admin or the auditor group',
  admin: 'this needs the admin group',
};

/** The global guard: identifies the caller, then checks the route's `@Requires` against the caller's role. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = this.reflector.get<Policy | 'public' | undefined>(ACCESS, context.getHandler());
    if (policy === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    request.principal = await this.authenticator.identify({
      bearer: bearerOf(request.headers.authorization),
      address: request.ip ?? '',
    });
    // A route without a policy is closed to everybody; a test finds it before a user does.
    if (policy === undefined) throw new AppError('forbidden', 'this route is closed');
    if (!satisfies(request.principal.role, policy)) throw new AppError('forbidden', needs[policy]);
    return true;
  }
}

function bearerOf(header: string | undefined): string {
  if (header === undefined)
    throw new AppError('unauthenticated', 'sign in first: the request has no bearer token');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined)
    throw new AppError('unauthenticated', 'the Authorization header is not a bearer token');
  return token;
}
