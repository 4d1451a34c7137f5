import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import type { TestDatabase } from './database';

/** A latch at the target: a script waits there until the test opens it, however slow the machine is. */
export interface Latch {
  /** SQL expression that waits for the latch; its value is the empty string. */
  readonly wait: string;
  open(): Promise<void>;
}

/** Creates a latch that is closed until the test opens it, or until the test's connection ends. */
export async function closedLatch(target: Pick<TestDatabase, 'url'>): Promise<Latch> {
  const key = randomInt(1, 2 ** 31);
  const holder = new Client({ connectionString: target.url });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [key]);
  return { wait: `pg_advisory_lock_shared(${key})`, open: () => holder.end() };
}
