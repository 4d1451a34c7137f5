import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service';
import type { Principal } from '../../../kernel/principal';
import { placeOfUri } from '../protocol/redirect-uri';

/** Origin of the request that causes an audit line. */
export interface Caller {
  readonly address: string;
  readonly requestId: string;
}

/** The details of an authorization in an audit line. */
export interface AuditedAuthorization {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  /** Name of the connection; null for the REST API. */
  readonly connection: string | null;
}

const STATUS = { granted: 200, refused: 403, ended: 200, reused: 400 } as const;

/** Writes the audit lines of authorizations: granted, refused, ended, misused. */
@Injectable()
export class AuthorizationAudit {
  constructor(private readonly audit: AuditService) {}

  /** @param actor owner of the authorization. @param why reason to add to the line, if there is one. */
  async append(
    db: EntityManager,
    actor: Pick<Principal, 'orgId' | 'subject' | 'email'>,
    event: keyof typeof STATUS,
    authorization: AuditedAuthorization,
    caller: Caller,
    why?: string,
  ): Promise<void> {
    const isEnd = event === 'ended' || event === 'reused';
    const said = {
      client_id: authorization.clientId,
      client_name: authorization.clientName,
      redirect_host: placeOfUri(authorization.redirectUri),
      ...(authorization.connection === null
        ? { resource: 'the REST API' }
        : { connection: authorization.connection }),
    };
    const changes = Object.entries(said).map(([field, value]) => ({
      field,
      before: isEnd ? value : null,
      after: isEnd ? null : value,
    }));
    await this.audit.append(db, {
      orgId: actor.orgId,
      actorId: actor.subject,
      actorEmail: actor.email,
      actorType: 'user',
      action: isEnd ? 'delete' : 'create',
      resourceType: 'authorizations',
      resourceId: authorization.id,
      outcome: ({ granted: 'success', refused: 'denied', ended: 'success', reused: 'failed' } as const)[
        event
      ],
      status: STATUS[event],
      clientAddress: caller.address,
      requestId: caller.requestId,
      changes: why === undefined ? changes : [...changes, { field: 'reason', before: null, after: why }],
    });
  }
}
