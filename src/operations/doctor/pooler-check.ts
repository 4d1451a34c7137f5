import { randomBytes } from 'node:crypto';
import { type Client, type Notification, escapeIdentifier } from 'pg';
import { resultWithin } from '../../kernel/async/timeout';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const NOTIFIED_WITHIN_MS = 2_000;
const ANSWER_WITHIN_MS = 3_000;

const feed = new Reporter('change feed');

/**
 * Whether a notification reaches who listens. A pooler that gives a connection
 * away after each transaction loses it.
 */
export async function checkChangeFeed(listener: Client, sender: Client): Promise<Diagnosis[]> {
  const channel = `doctor_${randomBytes(8).toString('hex')}`;
  const heard = new Promise<true>((resolve) => {
    listener.on('notification', (note: Notification) => note.channel === channel && resolve(true));
  });
  await listener.query(`LISTEN ${escapeIdentifier(channel)}`);
  await sender.query(`NOTIFY ${escapeIdentifier(channel)}`);
  if (await resultWithin(heard, NOTIFIED_WITHIN_MS)) {
    await listener.query(`UNLISTEN ${escapeIdentifier(channel)}`);
    return [feed.ok('Notifications of the database arrive (LISTEN, NOTIFY).')];
  }
  return [
    feed.fault(
      'Notifications of the database do not arrive (LISTEN, NOTIFY): there is a pooler in transaction mode.',
      'Let DATABASE_URL lead to the server itself or to a pool in session mode: without the change feed nothing is answered from memory, and gateways take each other for dead.',
    ),
  ];
}

const statements = new Reporter('prepared statements');

/**
 * Whether a statement that was prepared by name is still known in the next transaction, when another client
 * has used the pool.
 */
export async function checkPreparedStatements(
  client: Client,
  other: Client,
  { settings }: Examined,
): Promise<Diagnosis[]> {
  if (!settings.database.preparedStatements)
    return [statements.ok('They are not used (DATABASE_PREPARED_STATEMENTS=false).')];
  const statement = { name: `doctor_${randomBytes(8).toString('hex')}`, text: 'SELECT 1 AS one' };
  await client.query(statement);
  await other.query('BEGIN');
  try {
    // While the other client holds the connection that prepared the statement,
    // a pooler has to give another one.
    const again = client.query(statement).then(
      () => 'known' as const,
      () => 'unknown' as const,
    );
    if ((await resultWithin(again, ANSWER_WITHIN_MS)) === 'known')
      return [statements.ok('Prepared statements keep their names.')];
  } finally {
    await other.query('ROLLBACK');
  }
  return [
    statements.warning(
      'Prepared statements lose their names: there is a pooler in transaction mode that does not know them.',
      'Set DATABASE_PREPARED_STATEMENTS=false, or max_prepared_statements of PgBouncer 1.21 or later.',
    ),
  ];
}
