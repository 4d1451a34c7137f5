import { Injectable } from '@nestjs/common';

/** Message for clients of a gateway that stops. */
export const STOPPING = 'The gateway is shutting down.';

/** A session that the gateway ends when it stops. Its methods must not throw. */
export interface OpenSession {
  /**
   * Accepts no further command, and ends the session when no command runs (PostgreSQL: with FATAL 57P01).
   * Called at most once, at any time.
   */
  finish(): void;
  /**
   * Cancels the running command and ends the session (PostgreSQL: with FATAL 57P01). Called after the grace
   * period.
   */
  abort(): void;
}

/** Maximum time that aborted sessions have to close their recordings after the grace period. */
const ABORT_WITHIN_MS = 5_000;

/** The open sessions of this process. Ends them at shutdown. */
@Injectable()
export class OpenSessions {
  private readonly open = new Set<OpenSession>();
  private isStopping = false;
  private emptied: (() => void) | undefined;

  /** Returns a function to call when the session has ended and its recording is closed. */
  register(session: OpenSession): () => void {
    this.open.add(session);
    if (this.isStopping) session.finish();
    return () => {
      this.open.delete(session);
      if (this.open.size === 0) this.emptied?.();
    };
  }

  /** Ends all sessions; aborts the rest after `graceMs`. Resolves when all have ended or time is up. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    for (const session of this.open) session.finish();
    if (await this.emptyWithin(graceMs)) return;
    for (const session of this.open) session.abort();
    await this.emptyWithin(ABORT_WITHIN_MS);
  }

  private emptyWithin(milliseconds: number): Promise<boolean> {
    if (this.open.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      this.emptied = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
