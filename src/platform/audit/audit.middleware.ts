import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Response } from 'express';
import type { EntityManager } from 'typeorm';
import { HttpSettings } from '../config/groups';
import type {
  ChangeAction,
  ChangeEffect,
  ChangedResource,
  ChangingRequest,
  AuditedRead,
  RequestedChange,
} from '../http/routes/change';
import type { Principal } from '../../kernel/principal';
import type { NewLine, Outcome } from './audit-log.entity';
import { AuditService } from './audit.service';
import { redactedDiff } from './redacted-diff';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const changeOf: Readonly<Record<string, ChangeAction>> = { PUT: 'update', PATCH: 'update', DELETE: 'delete' };

/**
 * Writes a line to the audit log for every write request, without code in any route. A change writes its line
 * in its own transaction. If a request wrote no line, because it was refused, malformed or failed, the
 * middleware writes one when the request is answered, even if the caller has disconnected. Unauthenticated
 * requests (401) are only in the request log.
 */
@Injectable()
export class AuditMiddleware implements OnApplicationShutdown {
  private readonly log = new Logger(AuditMiddleware.name);
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly audit: AuditService,
    private readonly settings: HttpSettings,
  ) {}

  use(request: ChangingRequest, response: Response, next: NextFunction): void {
    if (READS.has(request.method)) {
      request.auditedRead = new RequestRead(request, response, this.audit);
    } else {
      const change = new RequestChange(request, response, this.audit, this.settings.apiPrefix);
      request.change = change;
      whenAnswered(response, () => this.keepLine(change.recordAnswer()));
    }
    next();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.writing);
  }

  private keepLine(written: Promise<void>): void {
    const kept = written
      .catch((error: unknown) =>
        this.log.error({ err: error }, 'A refused request could not be written to the audit log'),
      )
      .finally(() => this.writing.delete(kept));
    this.writing.add(kept);
  }
}

/**
 * Calls `answered` once, when the route writes its answer, because then the work of the route is done. The
 * events `finish` and `close` cannot be used: if the caller disconnects while the route works, `finish` never
 * comes, and `close` comes too early.
 */
function whenAnswered(response: Response, answered: () => void): void {
  let isAnswered = false;
  const answer = (): void => {
    if (!isAnswered) answered();
    isAnswered = true;
  };
  // A large answer is piped. If the client has disconnected, a pipe never calls `end` on the response.
  response.once('pipe', answer);
  const end = response.end.bind(response);
  response.end = ((...given: Parameters<typeof end>) => {
    const result = end(...given);
    answer();
    return result;
  }) as typeof end;
}

/** A read request. It gets a line in the audit log only if its route calls `record`. */
class RequestRead implements AuditedRead {
  constructor(
    private readonly request: ChangingRequest,
    private readonly response: Response,
    private readonly audit: AuditService,
  ) {}

  record(db: EntityManager, actor: Principal, effect: ChangeEffect): Promise<void> {
    return this.audit.append(db, {
      ...lineOf(this.request, this.response, actor, effect, effect.action),
      changes: redactedDiff(effect.before, effect.after),
    });
  }
}

class RequestChange implements RequestedChange {
  isRecorded = false;
  private about: { resource: ChangedResource; action: ChangeAction; said: object } | undefined;

  constructor(
    private readonly request: ChangingRequest,
    private readonly response: Response,
    private readonly audit: AuditService,
    private readonly prefix: string,
  ) {}

  get actor(): Principal {
    if (this.request.principal === undefined) throw new Error('a change needs a principal');
    return this.request.principal;
  }

  async record(db: EntityManager, effect: ChangeEffect): Promise<void> {
    await this.audit.append(db, {
      ...lineOf(this.request, this.response, this.actor, effect, effect.action),
      changes: redactedDiff(effect.before, effect.after),
      ...(effect.status === undefined ? {} : { status: effect.status }),
    });
    this.isRecorded = true;
  }

  concerns(resource: ChangedResource, action: ChangeAction, said = {}): void {
    this.about = { resource, action, said };
  }

  async recordAnswer(): Promise<void> {
    const { principal, method } = this.request;
    const isRolledBack = this.response.statusCode >= 400;
    if (principal === undefined || (this.isRecorded && !isRolledBack)) return;
    const resource = this.about?.resource ?? this.resourceOfPath();
    const action = this.about?.action ?? this.actionOf(method, resource);
    await this.audit.appendAlone({
      ...lineOf(this.request, this.response, principal, resource, action),
      changes: redactedDiff(null, this.about?.said ?? null).filter(({ after }) => after !== null),
    });
  }

  /** Returns `execute` for a POST to an existing resource, such as `/api/sessions/<id>/kill`. */
  private actionOf(method: string, resource: ChangedResource): ChangeAction {
    return changeOf[method] ?? (resource.id === '' ? 'create' : 'execute');
  }

  /** Returns the guardrail with this id for `/api/guardrails/<id>` and all paths below it. */
  private resourceOfPath(): ChangedResource {
    const { params } = this.request;
    const path = this.request.originalUrl.split('?')[0]?.slice(this.prefix.length + 1) ?? '';
    const [id = ''] = Object.values(params ?? {}).flat();
    const parts = path.split('/');
    const at = Math.max(parts.lastIndexOf(id), parts.lastIndexOf(encodeURIComponent(id)));
    const type = parts.slice(0, at === -1 ? parts.length : at);
    return { type: storable(type.join('/').slice(0, 128)), id: storable(id.slice(0, 256)) };
  }
}

/**
 * Replaces characters that PostgreSQL cannot store, so that the line of any path can be written.
 */
function storable(text: string): string {
  return text.replaceAll('\0', '\u{FFFD}').toWellFormed();
}

function lineOf(
  request: ChangingRequest,
  response: Response,
  actor: Principal,
  resource: ChangedResource,
  action: ChangeAction,
): NewLine {
  return {
    orgId: actor.orgId,
    actorId: actor.subject,
    actorEmail: actor.email,
    actorType: actor.identityType,
    action,
    resourceType: resource.type,
    resourceId: resource.id,
    outcome: outcomeOf(response.statusCode),
    status: response.statusCode,
    clientAddress: request.ip ?? '',
    requestId: String(response.getHeader('x-request-id') ?? ''),
    changes: [],
  };
}

function outcomeOf(status: number): Outcome {
  if (status < 400) return 'success';
  return status === 403 ? 'denied' : 'failed';
}
