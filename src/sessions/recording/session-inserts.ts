import type { EntityManager } from 'typeorm';
import { WriteGroups } from '../../platform/database/pools/write-groups';
import type { SessionEntry } from '../../gate/ports/session-recorder';
import type { SessionKey } from './session.entity';

/** Facts of a session at the time when its row is written. */
export interface NewSession extends SessionKey {
  readonly gatewayId: string;
  readonly entry: SessionEntry;
}

/** Maximum rows in one statement. The database prepares a statement for each number of rows. */
const ROWS = 16;
/** Characters of a script above which its row is written alone. */
const LARGE_SCRIPT = 64 * 1024;

/** The columns of a new row, each with a function for its value. All other columns have defaults. */
const columns: Readonly<Record<string, (session: NewSession) => unknown>> = {
  id: ({ id }) => id,
  org_id: ({ orgId }) => orgId,
  gateway_id: ({ gatewayId }) => gatewayId,
  status: () => 'open',
  verb: ({ entry }) => entry.verb,
  type: ({ entry }) => entry.target.type,
  connection_id: ({ entry }) => entry.target.id,
  connection_name: ({ entry }) => entry.target.name,
  connection_subtype: ({ entry }) => entry.target.subtype,
  connection_tags: ({ entry }) => JSON.stringify(entry.target.tags),
  resource_name: ({ entry }) => entry.target.resourceName,
  retention_days: ({ entry }) => entry.target.recording.retentionDays,
  credential_id: ({ entry }) => entry.credentialId,
  identity_type: ({ entry }) => entry.principal.identityType,
  user_subject: ({ entry }) => entry.principal.subject,
  user_email: ({ entry }) => entry.principal.email,
  user_name: ({ entry }) => entry.principal.name,
  script: ({ entry }) => entry.script,
  script_size: ({ entry }) => Buffer.byteLength(entry.script ?? ''),
  session_batch_id: ({ entry }) => entry.batchId,
  correlation_id: ({ entry }) => entry.correlationId,
  reason: ({ entry }) => entry.reason,
  labels: ({ entry }) => JSON.stringify(entry.labels),
  metadata: ({ entry }) => JSON.stringify(entry.metadata),
};

const names = Object.keys(columns);
const values = Object.values(columns);

/** Writes the rows of new sessions. Rows of concurrent scripts share a statement. */
export class SessionInserts {
  private readonly groups: WriteGroups<NewSession>;

  constructor(private readonly db: EntityManager) {
    this.groups = new WriteGroups({
      atMost: ROWS,
      queueOf: ({ orgId }) => orgId,
      write: (sessions) => this.write(sessions),
    });
  }

  /** Resolves when the row is committed. @throws the error of the statement. */
  insert(session: NewSession): Promise<void> {
    const { script, credentialId } = session.entry;
    // A row with a credential is written alone. A trigger locks the credential, so a statement with several
    // rows would lock their credentials in no fixed order and might have to wait for the locks.
    const isAlone = credentialId !== null || (script ?? '').length > LARGE_SCRIPT;
    return isAlone ? this.write([session]) : this.groups.add(session);
  }

  private async write(sessions: readonly NewSession[]): Promise<void> {
    const rows = sessions.map(
      (_, row) => `(${names.map((_, at) => `$${row * names.length + at + 1}`).join(', ')})`,
    );
    await this.db.query(
      `INSERT INTO sessions (${names.join(', ')}) VALUES ${rows.join(', ')}`,
      sessions.flatMap((session) => values.map((valueOf) => valueOf(session))),
    );
  }
}
