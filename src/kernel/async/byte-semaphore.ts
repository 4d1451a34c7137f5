/**
 * Limits of the levels, as fractions of the semaphore's limit. The level of an acquisition depends on the
 * bytes that its session holds after it: up to 1/256 of the limit is level 0, up to 1/8 is level 1, more is
 * level 2 (greedy). A single event of more than 1/8 always has level 2, and its bytes are not included in the
 * bytes of its session.
 */
const LITTLE = 1 / 256;
const MUCH = 1 / 8;
/** For each level: the fraction of the limit that this level and all higher levels together may fill. */
const FILLED = [1, 7 / 8, 1 / 2] as const;

type Level = 0 | 1 | 2;

interface WaitingAcquisition {
  readonly tryAcquire: () => boolean;
  readonly resolve: () => void;
}

/**
 * Limits the bytes of events that are pending in memory. At the limit, recording waits, so the target's
 * socket is not read: back-pressure.
 *
 * The semaphore is fair. Half of the limit is closed to sessions that hold more than 1/8 of it, and 1/8 is
 * closed to sessions that hold more than 1/256. So the output of one session cannot keep the events of
 * other sessions from being recorded.
 */
export class ByteSemaphore {
  private readonly used: [number, number, number] = [0, 0, 0];
  private readonly queue: WaitingAcquisition[] = [];

  constructor(readonly limit: number) {}

  /** Bytes that are held now. */
  get held(): number {
    return this.used.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Returns the account of the bytes that a new session holds. */
  allowance(): Allowance {
    return new Allowance(this);
  }

  /** Returns the level of an acquisition, from the bytes that its session holds after it. */
  levelOf(bytes: number): Level {
    if (bytes <= this.limit * LITTLE) return 0;
    return this.isGreedy(bytes) ? 2 : 1;
  }

  /** Whether this number of bytes is greedy: more than 1/8 of the limit. */
  isGreedy(bytes: number): boolean {
    return bytes > this.limit * MUCH;
  }

  /**
   * Whether an acquisition of this level is possible. One acquisition may exceed the limit of its level; this
   * excess does not reduce the room of lower levels.
   */
  hasRoom(level: Level): boolean {
    let filled = 0;
    for (const at of [2, 1, 0] as const) {
      const most = this.limit * FILLED[at];
      filled += this.used[at];
      if (at <= level && filled >= most) return false;
      filled = Math.min(filled, most);
    }
    return true;
  }

  add(level: Level, bytes: number): void {
    this.used[level] += bytes;
  }

  /** Queues an acquisition. Resolves once `tryAcquire` returned true. Rejects when `until` aborts first. */
  wait(tryAcquire: () => boolean, until: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.queue.splice(this.queue.indexOf(waiting), 1);
        reject(new Error('the session ended before there was memory to record this'));
      };
      const acquired = (): void => {
        until.removeEventListener('abort', cancel);
        resolve();
      };
      const waiting = { tryAcquire, resolve: acquired };
      this.queue.push(waiting);
      until.addEventListener('abort', cancel);
      if (until.aborted) cancel();
    });
  }

  /** Serves waiting acquisitions in order. One that does not fit may be overtaken by a later one. */
  serve(): void {
    let index = 0;
    for (let first = this.queue[index]; first !== undefined; first = this.queue[index]) {
      if (first.tryAcquire()) {
        this.queue.splice(index, 1);
        first.resolve();
      } else index += 1;
    }
  }
}

/** Consecutive acquisitions of one level. */
interface Acquired {
  readonly level: Level;
  /** Whether this is a single greedy event, whose bytes are not included in the bytes of its session. */
  readonly isApart: boolean;
  bytes: number;
}

/** Account of the bytes that one session holds in the semaphore. */
export class Allowance {
  /** Bytes that the session holds, without those of single greedy events. */
  private bytes = 0;
  /** Acquisitions of the session, oldest first, because events are stored in order of arrival. */
  private readonly acquired: Acquired[] = [];

  constructor(private readonly semaphore: ByteSemaphore) {}

  /** Acquires the bytes if they are available. */
  tryAcquire(bytes: number): boolean {
    const isApart = this.semaphore.isGreedy(bytes);
    const level = isApart ? 2 : this.semaphore.levelOf(this.bytes + bytes);
    if (!this.semaphore.hasRoom(level)) return false;
    let last = this.acquired.at(-1);
    if (last?.level !== level || last.isApart || isApart)
      this.acquired.push((last = { level, isApart, bytes: 0 }));
    this.change(last, bytes);
    return true;
  }

  /**
   * Resolves when the bytes are acquired, even if they alone exceed the limit.
   * Rejects when `until` aborts first.
   */
  async acquire(bytes: number, until: AbortSignal): Promise<void> {
    if (!this.tryAcquire(bytes)) await this.semaphore.wait(() => this.tryAcquire(bytes), until);
  }

  /** Adds bytes to the last acquisition, because its event turned out to be larger. */
  grow(bytes: number): void {
    const last = this.acquired.at(-1);
    if (last !== undefined) this.change(last, bytes);
  }

  /** Releases the oldest acquired bytes. */
  release(bytes: number): void {
    let rest = bytes;
    for (let first = this.acquired[0]; first !== undefined && rest > 0; first = this.acquired[0]) {
      const part = Math.min(rest, first.bytes);
      this.change(first, -part);
      rest -= part;
      if (first.bytes === 0) this.acquired.shift();
    }
    this.semaphore.serve();
  }

  private change(part: Acquired, bytes: number): void {
    part.bytes += bytes;
    if (!part.isApart) this.bytes += bytes;
    this.semaphore.add(part.level, bytes);
  }
}
