import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ownFolder } from './folder.js';

/** Longer than a request for tokens may take. */
const STALE_MS = 30_000;

/** One process of this person at a time: a refresh token is good once, and its second use ends the sign-in. */
export async function locked<T>(work: () => Promise<T>): Promise<T> {
  const path = join(ownFolder(), 'lock');
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600));
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      // Its holder was killed.
      if (age > STALE_MS) rmSync(path, { force: true });
      else await delay(50);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
