import type { AheadOfScript, OpenTarget } from '../../targets/contract/script-runner';

/** A target is busy when a script ran on it within this time. */
const BUSY_WITHIN_MS = 1_000;
/**
 * Maximum age of a ready connection, after which it is closed: the target may have changed, or a network may
 * have forgotten the connection.
 */
const MAX_AGE_MS = 2_000;
/** Time for which nothing is dialled ahead after the target refused. */
const PAUSE_MS = 60_000;
/** A busy target is asked this often whether it has room for connections that nobody uses yet. */
const ASK_EVERY_MS = 10_000;
export interface ReadyLimits {
  /** Connections that are dialled ahead, at most. */
  readonly ahead: number;
  /** Connections of scripts with those dialled ahead, at most. */
  readonly all: number;
  /** Connections that the target must have left: others need them more. */
  readonly room: number;
}

interface ReadyTarget {
  readonly target: OpenTarget;
  readonly age: NodeJS.Timeout;
}

/**
 * Connections to one target, with one secret, that are dialled ahead while
 * scripts run on it. Each is used once.
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

  /** @param forgotten called when no script has run for a while and nothing is open. */
  constructor(
    private readonly dial: () => Promise<OpenTarget>,
    private readonly limits: ReadyLimits,
    private readonly forgotten: () => void,
  ) {}

  /** A script begins; `over` must be called when it has ended. */
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

  /** Closes what is ready, and what is being dialled as soon as it is. */
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
   * Stops dialling ahead for a while; a script that dials then reports the fault to its user. The target may
   * be full, so the unused connections are closed.
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
