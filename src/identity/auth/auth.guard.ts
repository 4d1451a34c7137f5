import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ACCESS, type AuthenticatedRequest, type Policy, satisfies } from '../../platform/http/routes/access';
import { AppError } from '../../kernel/app-error';
import { CredentialStrategy } from './credential.strategy';

const needs: Record<Policy, string> = {
  'signed-in': 'this needs a signed-in user',
  operator: 'auditors may read, but change nothing',
  auditor: 'this needs the admin or the auditor group',
  admin: 'this needs the admin group',
};

/** The global guard: identifies the caller, then checks the route's `@Requires` against the caller's role. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: CredentialStrategy,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = this.reflector.get<Policy | 'public' | undefined>(ACCESS, context.getHandler());
    if (policy === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    request.principal = await (request.identity ??
      this.credentials.identify(request, http.getResponse<Response>()));
    // A route without a policy is closed to everybody; a test finds it before a user does.
    if (policy === undefined) throw new AppError('forbidden', 'this route is closed');
    if (!satisfies(request.principal.role, policy)) throw new AppError('forbidden', needs[policy]);
    return true;
  }
}
