import { SetMetadata, applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Principal, Role } from '../../../kernel/principal';
import { ApiErrors } from './api-errors';

/**
 * Roles that may call a route (contract, "Who may do what").
 * - `signed-in`: every active principal
 * - `operator`: may act: regular principals and admins, but not auditors, who change nothing
 * - `auditor`: may read what people did and what is configured: auditors and admins
 * - `admin`: admins
 */
export type Policy = 'signed-in' | 'operator' | 'auditor' | 'admin';

const rolesOf: Record<Policy, readonly Role[]> = {
  'signed-in': ['regular', 'auditor', 'admin'],
  operator: ['regular', 'admin'],
  auditor: ['auditor', 'admin'],
  admin: ['admin'],
};

export function satisfies(role: Role, policy: Policy): boolean {
  return rolesOf[policy].includes(role);
}

/** Metadata key under which a route states its rule: a Policy, or `public`. */
export const ACCESS = 'access';

/** Extension of the API description with the policy. `describeOperations` replaces it by a sentence. */
export const DESCRIBED_ACCESS = 'x-access';

/** States who may call a route. The global guard refuses routes without a policy. */
export function Requires(policy: Policy): MethodDecorator {
  const errors = policy === 'signed-in' ? ApiErrors(401, 429, 500, 503) : ApiErrors(401, 403, 429, 500, 503);
  return applyDecorators(
    SetMetadata(ACCESS, policy),
    ApiExtension(DESCRIBED_ACCESS, policy),
    ApiBearerAuth(),
    errors,
  );
}

/** Marks a route that needs no credential. */
export function Public(): MethodDecorator {
  return SetMetadata(ACCESS, 'public');
}

/** A request that has passed the guard of a `@Requires` route. */
export interface AuthenticatedRequest extends Request {
  principal: Principal;
  /** Result of an identification that ran before the guard, if one did. */
  identity?: Promise<Principal>;
  /**
   * Checks whether the credential is still valid, because it can be ended before it expires. Absent for
   * credentials that end only by expiry.
   * @throws when the check fails
   */
  credentialLasts?: () => Promise<boolean>;
}

/** Parameter decorator for the acting principal, which is the first argument of a controller method. */
export const Actor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().principal,
);
