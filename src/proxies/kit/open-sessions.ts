import { Injectable } from '@nestjs/common';

/** A session that can be asked to end when the gateway stops. Neither may throw. */
export interface OpenSession {
  /** End once nothing runs, with FATAL 57P01; take no further command. May be called at any time, once. */
  finish(): void;
  /** The grace is over: cancel what runs and end, with FATAL 57P01. */
  abort(): void;
}

/** After the grace: how long aborted sessions may take to close their recordings. */
const ABORT_WITHIN_MS = 5_000;

/** The sessions of this process, so that they can be ended politely. */
@Injectable()
export class OpenSessions {
  private readonly open = new Set<OpenSession>();
  private isStopping = false;
  private emptied: (() => void) | undefined;

  /** Returns how to say that the session is over, recording and all. */
  register(session: OpenSession): () => void {
    this.open.add(session);
    if (this.isStopping) session.finish();
    return () => {
      this.open.delete(session);
      if (this.open.size === 0) this.emptied?.();
    };
  }

  /** Resolves when all are over, or have had their time. */
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
