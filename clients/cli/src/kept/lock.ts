import { setTimeout as delay } from 'node:timers/promises';
import { ownFolder } from './folder.js';
import { NumberedLock } from './numbered-lock.js';

const ASKED_EVERY_MS = 50;

/**
 * Runs `work` under a lock across the processes of this user, because a refresh token is valid only once, and
 * its second use ends the sign-in.
 */
export async function locked<T>(work: () => Promise<T>): Promise<T> {
  const lock = new NumberedLock(ownFolder());
  let number = lock.take(lock.look());
  while (number === undefined) {
    await delay(ASKED_EVERY_MS);
    number = lock.take(lock.look());
  }
  try {
    return await work();
  } finally {
    lock.free(number);
  }
}
