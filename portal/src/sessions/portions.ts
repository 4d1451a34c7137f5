/** Characters that are read at once. A page keeps a little more, so that nothing of a portion is dropped. */
export const PORTION_CHARACTERS = 3 * 1024 * 1024;

/**
 * Reads the past of a session a portion at a time, as its reader asks for more. So a page needs no more
 * memory, and a gateway sends no more, than the reader looks at.
 */
export class Portions {
  private read = 0;
  private isAllWanted = false;
  private asked = Promise.withResolvers<void>();

  /**
   * @param openedAt milliseconds since the start of the session: what is recorded later is no past, and is
   * read as it comes
   */
  constructor(private readonly openedAt: number) {}

  /** Whether the reader has enough for now. */
  get isFull(): boolean {
    return !this.isAllWanted && this.read >= PORTION_CHARACTERS;
  }

  take(milliseconds: number, characters: number): void {
    if (milliseconds < this.openedAt) this.read += characters;
  }

  /** Called when the reader asks for the next portion, or for all that follows. */
  readOn(wanted: 'portion' | 'all'): void {
    this.isAllWanted ||= wanted === 'all';
    this.read = 0;
    this.asked.resolve();
    this.asked = Promise.withResolvers<void>();
  }

  /**
   * Resolves when the reader wants more: at once, where there is place. @throws the reason of the signal,
   * when it is aborted
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
