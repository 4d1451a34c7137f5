/** Characters of one portion of events. A page keeps slightly more, so that it drops nothing of a portion. */
export const PORTION_CHARACTERS = 3 * 1024 * 1024;

/**
 * Reads the past events of a session in portions. Each portion is read when the reader asks for it, so that
 * the gateway sends, and the page stores, only what the reader looks at.
 */
export class Portions {
  private read = 0;
  private isAllWanted = false;
  private asked = Promise.withResolvers<void>();

  /**
   * @param openedAt milliseconds from the start of the session until the page was opened. Events after this
   * time are not counted in a portion, but are read as they arrive
   */
  constructor(private readonly openedAt: number) {}

  /** Whether the reader has enough for now. */
  get isFull(): boolean {
    return !this.isAllWanted && this.read >= PORTION_CHARACTERS;
  }

  take(milliseconds: number, characters: number): void {
    if (milliseconds < this.openedAt) this.read += characters;
  }

  /** Continues with the next portion of events, or with all events that follow. */
  readOn(wanted: 'portion' | 'all'): void {
    this.isAllWanted ||= wanted === 'all';
    this.read = 0;
    this.asked.resolve();
    this.asked = Promise.withResolvers<void>();
  }

  /**
   * Resolves when the reader wants more events: at once, unless the portion is full.
   * @throws the reason of the signal, when it is aborted
   */
  async wanted(signal: AbortSignal): Promise<void> {
    if (!this.isFull) return;
    const left = Promise.withResolvers<never>();
    const leave = (): void => left.reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([this.asked.promise, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
