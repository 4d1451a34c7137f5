/** An event that is kept for clients that resume its stream. */
export interface KeptEvent {
  /** Number of the event in its stream. */
  readonly at: number;
  readonly text: string;
}

/** Maximum number of characters that all sessions of the process keep together. */
export const PROCESS_CHARACTERS = 64 * 1024 * 1024;
/** Maximum number of characters that all streams of one session keep together. */
const SESSION_CHARACTERS = 16 * 1024 * 1024;

/**
 * Limits the events that streams keep for clients that resume them, for each session and for all sessions
 * together. Above the limit, the oldest events of any stream are dropped. A client can then resume the stream
 * only if it has already received the dropped events.
 */
export class EventMemory {
  /** Kept events, oldest first, each with the function by which its stream drops it. */
  private readonly events = new Map<KeptEvent, () => void>();
  private characters = 0;

  /**
   * @param all only for the memory of a session: the memory of the process, in which the session's events are
   * counted too. The session's limit never drops its last event, whatever the event's size.
   */
  private constructor(
    private readonly limit: number,
    private readonly all?: EventMemory,
  ) {}

  /** Creates the memory of a process. */
  static ofProcess(limit = PROCESS_CHARACTERS): EventMemory {
    return new EventMemory(limit);
  }

  /** Creates the memory of one session. Its events count for the process too. */
  forSession(): EventMemory {
    return new EventMemory(SESSION_CHARACTERS, this);
  }

  /** Number of kept characters. */
  get size(): number {
    return this.characters;
  }

  /** @param drop makes the stream of the event drop its oldest event, and calls `forget` */
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
