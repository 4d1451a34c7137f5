/** An event that is kept for clients that resume a stream. */
export interface KeptEvent {
  /** Number in its stream. */
  readonly at: number;
  readonly text: string;
}

/** Characters that all sessions of the process keep. */
export const PROCESS_CHARACTERS = 64 * 1024 * 1024;
/** Characters that one session keeps, of all its streams. */
const SESSION_CHARACTERS = 16 * 1024 * 1024;

/**
 * Bounds what streams keep for clients that resume them: for a session, and for all
 * sessions together. Above it, the oldest events are dropped, whichever stream has
 * them; such a stream can only be resumed behind them.
 */
export class EventMemory {
  /** The oldest first, with how their streams drop them. */
  private readonly events = new Map<KeptEvent, () => void>();
  private characters = 0;

  /**
   * @param all where a session's events count too. The memory of a session
   * keeps its last event, whatever its size.
   */
  private constructor(
    private readonly limit: number,
    private readonly all?: EventMemory,
  ) {}

  /** The memory of a process. */
  static ofProcess(limit = PROCESS_CHARACTERS): EventMemory {
    return new EventMemory(limit);
  }

  /** The memory of one session in that of the process. */
  forSession(): EventMemory {
    return new EventMemory(SESSION_CHARACTERS, this);
  }

  /** Characters that are kept. */
  get size(): number {
    return this.characters;
  }

  /** @param drop has the stream forget its oldest event, which calls `forget` */
  keep(event: KeptEvent, drop: () => void): void {
    this.events.set(event, drop);
    this.characters += event.text.length;
    this.all?.keep(event, drop);
    const least = this.all === undefined ? 0 : 1;
    for (const dropOldest of this.events.values()) {
      if (this.characters <= this.limit || this.events.size <= least) break;
      dropOldest();
    }
  }

  /** Idempotent. */
  forget(event: KeptEvent): void {
    if (!this.events.delete(event)) return;
    this.characters -= event.text.length;
    this.all?.forget(event);
  }
}
