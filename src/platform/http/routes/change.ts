import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../../kernel/principal';

/** The actions in audit lines. */
export const CHANGE_ACTIONS = ['create', 'update', 'delete', 'execute', 'search'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** The resource that a change is about. */
export interface ChangedResource {
  /** The resource's name in paths: `guardrails`, `connections`, … */
  readonly type: string;
  readonly id: string;
}

/** The resource as views before and after a change: `before` is null on creation, `after` on deletion. */
export interface ChangeEffect extends ChangedResource {
  readonly action: ChangeAction;
  readonly before: object | null;
  readonly after: object | null;
  /** HTTP status of the answer, if it differs from the usual status of the route. */
  readonly status?: number;
}

/**
 * A write request with its actor and its audit line. It is the first argument of every service method that
 * changes the control plane.
 */
export interface Change {
  readonly actor: Principal;
  /**
   * Writes the audit line in the transaction of the change, so that both are committed together or not at
   * all. A request that records nothing (because it was refused) gets its line when it is answered.
   */
  record(db: EntityManager, effect: ChangeEffect): Promise<void>;
  /**
   * Sets the subject of the audit line that is written with the answer; for requests that change nothing.
   * @param said facts of the request, for the line.
   */
  concerns(resource: ChangedResource, action: ChangeAction, said?: object): void;
}

/** The change of the current request. */
export interface RequestedChange extends Change {
  /** Whether `record` was called. Then something changed, unless the transaction failed. */
  readonly isRecorded: boolean;
}

/** A read that is written to the audit log. */
export interface AuditedRead {
  /**
   * Writes the audit line in the caller's transaction. `actor` is the principal on whose behalf the data are
   * read, because a request on a public route has no principal.
   */
  record(db: EntityManager, actor: Principal, effect: ChangeEffect): Promise<void>;
}

/** A request with its change or its audited read, which the audit module attaches. */
export interface ChangingRequest extends Request {
  principal?: Principal;
  change?: RequestedChange;
  auditedRead?: AuditedRead;
}

/** Parameter decorator for the change of a write route, the first argument of its controller method. */
export const Changing = createParamDecorator((_: unknown, context: ExecutionContext): Change => {
  const { change } = context.switchToHttp().getRequest<ChangingRequest>();
  if (change === undefined) throw new Error('a route that changes something must not be a GET');
  return change;
});

/** Parameter decorator for the audited read of a route. */
export const Auditing = createParamDecorator((_: unknown, context: ExecutionContext): AuditedRead => {
  const { auditedRead } = context.switchToHttp().getRequest<ChangingRequest>();
  if (auditedRead === undefined) throw new Error('only GET routes can have an audited read');
  return auditedRead;
});
