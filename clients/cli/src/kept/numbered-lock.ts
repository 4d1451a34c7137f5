import { closeSync, openSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** Age after which a lock is stale. A token request is always shorter, so the holder was killed. */
const STALE_MS = 30_000;
const NAME = /^lock\.(\d+)$/;

/** The lock file with the highest number, as this process read it. */
interface Seen {
  /** 0 when there was no lock file. */
  readonly number: number;
  readonly isFree: boolean;
}

/**
 * A lock of files `lock.1`, `lock.2`, …: the process that creates the next number holds it. The highest file
 * is never removed. With one file that is removed and created again, two processes could hold the lock: one
 * that saw the stale file of a killed holder, and one that replaced this file meanwhile.
 */
export class NumberedLock {
  constructor(private readonly folder: string) {}

  look(): Seen {
    const number = Math.max(0, ...this.numbers());
    const changed = number === 0 ? 0 : statSync(this.path(number), { throwIfNoEntry: false })?.mtimeMs;
    // Another process created the next file and removed this one.
    if (changed === undefined) return { number, isFree: false };
    return { number, isFree: Date.now() - changed > STALE_MS };
  }

  /** @returns the number to free; undefined when another process holds the lock or was faster */
  take({ number, isFree }: Seen): number | undefined {
    if (!isFree) return undefined;
    const next = number + 1;
    try {
      closeSync(openSync(this.path(next), 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return undefined;
    }
    // Other processes may have held the lock since `look`. Only their last file still exists.
    const isLast = Math.max(...this.numbers()) === next;
    for (const old of isLast ? this.numbers().filter((each) => each < next) : [next])
      rmSync(this.path(old), { force: true });
    return isLast ? next : undefined;
  }

  /** Sets the oldest possible time on the file, so that the next process need not wait. */
  free(number: number): void {
    try {
      utimesSync(this.path(number), 0, 0);
    } catch (error) {
      // Another process took the lock, because this one held it for too long.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  private numbers(): number[] {
    return readdirSync(this.folder).flatMap((name) => {
      const [, number] = NAME.exec(name) ?? [];
      return number === undefined ? [] : [Number(number)];
    });
  }

  private path(number: number): string {
    return join(this.folder, `lock.${number}`);
  }
}
