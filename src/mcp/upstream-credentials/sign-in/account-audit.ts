import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service';
import type { Principal } from '../../../kernel/principal';

/** Type of the resource in the audit log. */
export const MCP_ACCOUNTS = 'mcp-accounts';

/** Facts of an account at an MCP server in an audit line. */
export interface AuditedAccount {
  readonly connectionId: string;
  readonly connection: string;
  readonly subject: 'user' | 'shared';
  readonly issuer: string;
  readonly scope: string | undefined;
}

/** Origin of a browser's request. */
export interface ConnectingBrowser {
  readonly address: string;
  readonly requestId: string;
}

/** Writes to the audit log who connected which account. */
@Injectable()
export class AccountAudit {
  constructor(private readonly audit: AuditService) {}

  async connected(
    db: EntityManager,
    person: Pick<Principal, 'orgId' | 'subject' | 'email'>,
    { connectionId, connection, subject, issuer, scope }: AuditedAccount,
    caller: ConnectingBrowser,
  ): Promise<void> {
    const said = { connection, subject, authorization_server: new URL(issuer).host, scope: scope ?? null };
    await this.audit.append(db, {
      orgId: person.orgId,
      actorId: person.subject,
      actorEmail: person.email,
      actorType: 'user',
      action: 'create',
      resourceType: MCP_ACCOUNTS,
      resourceId: connectionId,
      outcome: 'success',
      status: 200,
      clientAddress: caller.address,
      requestId: caller.requestId,
      changes: Object.entries(said).map(([field, after]) => ({ field, before: null, after })),
    });
  }
}
