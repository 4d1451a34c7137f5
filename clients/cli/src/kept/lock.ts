import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { folder } from './folder.js';

const STALE_MS = 30_000;

/** One process of this person at a time: a refresh token is good once, and its second use ends the sign-in. */
export async function locked<T>(work: () => Promise<T>): Promise<T> {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const path = join(folder(), 'lock');
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
