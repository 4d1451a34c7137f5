import { closeSync, openSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** Longer than a request for tokens may take: the holder was killed. */
const STALE_MS = 30_000;
const NAME = /^lock\.(\d+)$/;

/** The file with the highest number, as a process saw it. */
interface Seen {
  /** 0: there was none. */
  readonly number: number;
  readonly isFree: boolean;
}

/**
 * Files `lock.1`, `lock.2`, …: the process that makes the next number is inside, and the highest is never
 * removed. A file that is removed and made anew could be entered twice: by a process that saw that of a
 * killed holder, and by one that has taken its place since.
 */
export class NumberedLock {
  constructor(private readonly folder: string) {}

  look(): Seen {
    const number = Math.max(0, ...this.numbers());
    const changed = number === 0 ? 0 : statSync(this.path(number), { throwIfNoEntry: false })?.mtimeMs;
    // Another process has taken the next one, and removed this one.
    if (changed === undefined) return { number, isFree: false };
    return { number, isFree: Date.now() - changed > STALE_MS };
  }

  /** @returns the number to free; undefined: another process is inside, or was faster */
  take({ number, isFree }: Seen): number | undefined {
    if (!isFree) return undefined;
    const next = number + 1;
    try {
      closeSync(openSync(this.path(next), 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return undefined;
    }
    // Others have been inside since the look, and their files are gone but for the last one.
    const isLast = Math.max(...this.numbers()) === next;
    for (const old of isLast ? this.numbers().filter((each) => each < next) : [next])
      rmSync(this.path(old), { force: true });
    return isLast ? next : undefined;
  }

  /** It is as old as can be then, so that the next one need not wait. */
  free(number: number): void {
    try {
      utimesSync(this.path(number), 0, 0);
    } catch (error) {
      // A holder that kept it for too long has lost it.
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
