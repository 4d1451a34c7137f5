import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../kernel/principal';

/** What an audit line can say that was done. */
export const CHANGE_ACTIONS = ['create', 'update', 'delete', 'execute', 'search'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** What a change is made to. */
export interface ChangedResource {
  /** The path's name for such resources: `guardrails`, `connections`, … */
  readonly type: string;
  readonly id: string;
}

/** What a change did, as the resource's own views: null before it existed, null after it is gone. */
export interface ChangeEffect extends ChangedResource {
  readonly action: ChangeAction;
  readonly before: object | null;
  readonly after: object | null;
  /** With which it will be answered, where that is not what the route answers otherwise. */
  readonly status?: number;
}

/**
 * One write request: who makes it, and its line in the audit log. An explicit first argument of every service
 * method that changes the control plane.
 */
export interface Change {
  readonly actor: Principal;
  /**
   * Writes the audit line inside the transaction that makes the change: they are committed together or not at
   * all. Requests that record nothing themselves (refused ones) get their line when they are answered.
   */
  record(db: EntityManager, effect: ChangeEffect): Promise<void>;
  /**
   * Says what a line that is written when the request is answered is about; for requests that change nothing.
   * @param said What of the request the line tells.
   */
  concerns(resource: ChangedResource, action: ChangeAction, said?: object): void;
}

/** The change of a request. */
export interface RequestedChange extends Change {
  /** Whether `record` was called: something changed, unless its transaction failed. */
  readonly isRecorded: boolean;
}

/** A read that the audit log is to know of. */
export interface AuditedRead {
  /**
   * Writes the line inside the caller's transaction. On a public route the request names nobody: `actor` is in whose
   * name something is read.
   */
  record(db: EntityManager, actor: Principal, effect: ChangeEffect): Promise<void>;
}

/** A request on its way; the audit module attaches the change, or the read. */
export interface ChangingRequest extends Request {
  principal?: Principal;
  change?: RequestedChange;
  auditedRead?: AuditedRead;
}

/** The change that a write route makes, as an explicit first argument of its controller method. */
export const Changing = createParamDecorator((_: unknown, context: ExecutionContext): Change => {
  const { change } = context.switchToHttp().getRequest<ChangingRequest>();
  if (change === undefined) throw new Error('a route that changes something must not be a GET');
  return change;
});

/** The read that a route puts on the audit log, as an explicit argument of its controller method. */
export const Auditing = createParamDecorator((_: unknown, context: ExecutionContext): AuditedRead => {
  const { auditedRead } = context.switchToHttp().getRequest<ChangingRequest>();
  if (auditedRead === undefined) throw new Error('what is no GET is a change');
  return auditedRead;
});
