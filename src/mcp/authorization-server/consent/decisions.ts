import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FOREIGN_KEY_VIOLATION, brokenConstraint } from '../../../platform/database/faults/constraint';
import type { Principal } from '../../../kernel/principal';
import { AuthorizationAudit, type Caller } from '../stored/authorization-audit';
import type { AuthorizationRequest } from '../stored/authorization.entity';
import { AuthorizationRequests } from '../stored/authorization-requests';
import { Authorizations } from '../stored/authorizations';
import { Clients } from './clients';
import { RedirectedFault } from '../protocol/oauth-fault';

/** Executes a person's decision about an authorization request once, and writes it to the audit log. */
@Injectable()
export class Decisions {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly authorizations: Authorizations,
    private readonly clients: Clients,
    private readonly audit: AuthorizationAudit,
    private readonly database: DataSource,
  ) {}

  /**
   * Returns the authorization code.
   * @throws PageFault when the request was used or changed meanwhile; RedirectedFault when the connection or
   * the person no longer exists.
   */
  async allow(request: AuthorizationRequest, person: Principal, caller: Caller): Promise<string> {
    try {
      const checked = this.requests.checked(request);
      return await this.database.transaction(async (db) => {
        // `grant` comes before `take`, because `grant` locks the person and the connection: see the order of
        // locks in src/platform/database/README.md.
        const { id, code } = await this.authorizations.grant(db, checked);
        await this.requests.take(db, checked);
        await this.clients.used(db, checked.clientId);
        await this.audit.append(db, person, 'granted', { ...checked, id }, caller);
        return code;
      });
    } catch (error) {
      if (brokenConstraint(error, FOREIGN_KEY_VIOLATION) === undefined) throw error;
      throw notThere(request);
    }
  }

  async refuse(request: AuthorizationRequest, person: Principal, caller: Caller): Promise<void> {
    const checked = this.requests.checked(request);
    await this.database.transaction(async (db) => {
      await this.requests.take(db, checked);
      await this.audit.append(db, person, 'refused', checked, caller);
    });
  }
}

/** Returns the fault for a missing connection, and also for one that the person may not open. */
export function notThere(request: AuthorizationRequest): RedirectedFault {
  if (request.connection === null)
    return new RedirectedFault(request, 'access_denied', 'this person is not there any more');
  return new RedirectedFault(
    request,
    'invalid_target',
    `there is no MCP connection ${request.connection} that this person may open`,
  );
}
