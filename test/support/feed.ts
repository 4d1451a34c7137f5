import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { eventually } from './eventually';
import type { TestGateway } from './gateway';

/** Cuts the change feeds of every gateway on the database; they connect again by themselves. */
export async function cutFeeds(gateway: TestGateway): Promise<void> {
  await gateway.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'access-gateway changes' AND datname = current_database()`,
  );
}

/**
 * Cuts the gateway's change feed and takes the lock that the feed needs to reconnect. Returns a function that
 * releases the lock, and waits until the feed is connected.
 */
export async function keepFeedDown(gateway: TestGateway): Promise<() => Promise<void>> {
  const feed = gateway.app.get(ChangeFeed);
  const holder = new Client({ connectionString: gateway.database.url });
  await holder.connect();
  const locked = holder.query('SELECT pg_advisory_lock(18247, hashtext($1))', [feed.gatewayId]);
  await cutFeeds(gateway);
  await locked;
  await eventually('the gateway notices', async () => !feed.live);
  return async () => {
    await holder.end();
    await eventually('the gateway hears of changes again', async () => feed.live);
  };
}

/** Runs the work while the session belongs to another live gateway, which handles no notifications. */
export async function heldElsewhere<T>(
  gateway: TestGateway,
  session: string,
  work: (session: string) => Promise<T>,
): Promise<T> {
  const deaf = randomUUID();
  const presence = new Client({ connectionString: gateway.database.url });
  await presence.connect();
  try {
    await presence.query('SELECT pg_advisory_lock_shared(18247, hashtext($1))', [deaf]);
    await presence.query('UPDATE sessions SET gateway_id = $2 WHERE id = $1', [session, deaf]);
    return await work(session);
  } finally {
    await presence.end();
  }
}
