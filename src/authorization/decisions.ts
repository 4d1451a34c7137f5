import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FOREIGN_KEY_VIOLATION, brokenConstraint } from '../database/constraint';
import type { Principal } from '../kernel/principal';
import { AuthorizationAudit, type Caller } from './authorization-audit';
import type { AuthorizationRequest } from './authorization.entity';
import { AuthorizationRequests } from './authorization-requests';
import { Authorizations } from './authorizations';
import { Clients } from './clients';
import { RedirectedFault } from './oauth-fault';

/** Carries out what a person decided about a request, once, with its line in the audit log. */
@Injectable()
export class Decisions {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly authorizations: Authorizations,
    private readonly clients: Clients,
    private readonly audit: AuthorizationAudit,
    private readonly database: DataSource,
  ) {}

  /** Returns the code. @throws PageFault when the request was taken meanwhile; RedirectedFault when the connection is gone. */
  async allow(request: AuthorizationRequest, person: Principal, caller: Caller): Promise<string> {
    try {
      return await this.database.transaction(async (db) => {
        const taken = await this.requests.take(db, request);
        const { id, code } = await this.authorizations.grant(db, taken);
        await this.clients.used(db, taken.clientId);
        await this.audit.append(db, person, 'granted', { ...taken, id }, caller);
        return code;
      });
    } catch (error) {
      if (brokenConstraint(error, FOREIGN_KEY_VIOLATION) === undefined) throw error;
      throw noConnection(request);
    }
  }

  async refuse(request: AuthorizationRequest, person: Principal, caller: Caller): Promise<void> {
    await this.database.transaction(async (db) => {
      const taken = await this.requests.take(db, request);
      await this.audit.append(db, person, 'refused', taken, caller);
    });
  }
}

/** The same whether there is none, or the person may not open it. */
export function noConnection(request: AuthorizationRequest): RedirectedFault {
  return new RedirectedFault(
    request,
    'invalid_target',
    `there is no MCP connection ${request.connection} that this person may open`,
  );
}
