import type { AheadOfScript, OpenTarget } from '../../targets/contract/script-runner';

/** Maximum time in milliseconds between two scripts on a target that counts as busy. */
const BUSY_WITHIN_MS = 1_000;
/**
 * Maximum age of a ready connection. Older connections are closed, because the target may have changed, or a
 * network may have dropped the connection.
 */
const MAX_AGE_MS = 2_000;
/** Time in milliseconds for which nothing is dialed ahead after the target refused a connection. */
const PAUSE_MS = 60_000;
/** Interval in milliseconds at which the gateway queries the number of free connections of a busy target. */
const ASK_EVERY_MS = 10_000;
export interface ReadyLimits {
  /** Maximum number of connections that are dialed ahead. */
  readonly ahead: number;
  /** Maximum total of the connections of running scripts and the connections that are dialed ahead. */
  readonly all: number;
  /** Number of connections that must stay free at the target, because other clients need them more. */
  readonly room: number;
}

interface ReadyTarget {
  readonly target: OpenTarget;
  readonly age: NodeJS.Timeout;
}

/**
 * Connections to one target with one secret. They are dialed ahead while scripts run on the target, and each
 * is used once.
 */
export class ReadyTargets {
  private readonly ready: ReadyTarget[] = [];
  private dialling = 0;
  private running = 0;
  private lastUse = -Infinity;
  private lastAsked = -Infinity;
  private hasRoom = false;
  private pausedUntil = -Infinity;
  private isClosed = false;
  private idle: NodeJS.Timeout | undefined;

  /** @param forgotten called if no script has run for a while and all connections are closed. */
  constructor(
    private readonly dial: () => Promise<OpenTarget>,
    private readonly limits: ReadyLimits,
    private readonly forgotten: () => void,
  ) {}

  /** Begins a script. The caller must call `over` when the script has ended. */
  begin(): AheadOfScript {
    clearTimeout(this.idle);
    const now = performance.now();
    const isBusy = now - this.lastUse <= BUSY_WITHIN_MS;
    this.lastUse = now;
    this.running += 1;
    const ready = this.take();
    while (this.isAboveLimit && this.ready.length > 0) this.closeReady(1);
    if (!isBusy || this.isClosed || now < this.pausedUntil) return { ready };
    if (this.hasRoom) this.refill();
    if (now - this.lastAsked <= ASK_EVERY_MS) return { ready };
    this.lastAsked = now;
    return { ready, noteRoom: (room) => this.noteRoom(room) };
  }

  over(): void {
    this.running -= 1;
    this.lastUse = performance.now();
    if (this.running === 0 && !this.isClosed)
      this.idle = setTimeout(() => this.forget(), BUSY_WITHIN_MS + MAX_AGE_MS).unref();
  }

  /** Closes all ready connections. A connection that is still being dialed is closed when it is ready. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.idle);
    this.closeReady();
  }

  private take(): OpenTarget | undefined {
    for (let next = this.ready.shift(); next !== undefined; next = this.ready.shift()) {
      clearTimeout(next.age);
      if (next.target.isOpen) return next.target;
    }
    return undefined;
  }

  private refill(): void {
    const wanted = Math.min(this.limits.ahead, this.running);
    while (this.open < wanted && this.running + this.open < this.limits.all) void this.dialOne();
  }

  private get isAboveLimit(): boolean {
    return this.running + this.open > this.limits.all;
  }

  private get open(): number {
    return this.ready.length + this.dialling;
  }

  private noteRoom(room: number): void {
    this.hasRoom = room >= this.limits.room;
    if (!this.hasRoom) this.closeReady();
  }

  private async dialOne(): Promise<void> {
    this.dialling += 1;
    try {
      this.keep(await this.dial());
    } catch {
      this.pause();
    } finally {
      this.dialling -= 1;
    }
  }

  private keep(target: OpenTarget): void {
    if (this.isClosed || !this.hasRoom || this.isAboveLimit || performance.now() < this.pausedUntil)
      return target.close();
    const kept: ReadyTarget = {
      target,
      age: setTimeout(() => {
        this.ready.splice(this.ready.indexOf(kept), 1);
        target.close();
      }, MAX_AGE_MS).unref(),
    };
    this.ready.push(kept);
  }

  /**
   * Stops dialing ahead for a while, so that the next script dials and reports the fault to its user. Closes
   * unused connections, because the target may be full.
   */
  private pause(): void {
    this.pausedUntil = performance.now() + PAUSE_MS;
    this.closeReady();
  }

  private closeReady(count = this.ready.length): void {
    for (const { target, age } of this.ready.splice(0, count)) {
      clearTimeout(age);
      target.close();
    }
  }

  private forget(): void {
    if (this.running > 0) return;
    this.close();
    this.forgotten();
  }
}
