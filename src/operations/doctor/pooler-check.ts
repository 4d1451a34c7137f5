import { randomBytes } from 'node:crypto';
import { type Client, type Notification, escapeIdentifier } from 'pg';
import { resultWithin } from '../../kernel/async/timeout';
import { type Diagnosis, Reporter } from './diagnosis';

const NOTIFIED_WITHIN_MS = 2_000;

const feed = new Reporter('change feed');

/**
 * Checks that a notification reaches its listener. Behind a pooler that assigns a connection to another
 * client after each transaction, notifications are lost.
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
