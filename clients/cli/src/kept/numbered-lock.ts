import { closeSync, openSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** Age after which a lock is stale. No token request takes so long, so the holder must have been killed. */
const STALE_MS = 30_000;
const NAME = /^lock\.(\d+)$/;

/** The lock file with the highest number, as this process read it. */
interface Seen {
  /** 0 when there was no lock file. */
  readonly number: number;
  readonly isFree: boolean;
}

/**
 * A lock across processes, made of files `lock.1`, `lock.2`, … The process that creates the file with the
 * next number holds the lock. The file with the highest number is never removed. With a single file, a
 * process that removes a stale file could remove the new file of another process instead.
 */
export class NumberedLock {
  constructor(private readonly folder: string) {}

  look(): Seen {
    const number = Math.max(0, ...this.numbers());
    const changed = number === 0 ? 0 : statSync(this.path(number), { throwIfNoEntry: false })?.mtimeMs;
    // The file is gone, because another process created the next file and removed this one.
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
    // If other processes have created higher files since `look`, remove the new file instead of the old ones.
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
      // The file is gone: another process took the lock, because this process held it for too long.
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
