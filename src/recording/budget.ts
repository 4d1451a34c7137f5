interface Guest {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * How much of the recordings may wait in memory to be stored. Beyond it whoever records has to wait, in the order of
 * coming, and so the target's socket is not read: back-pressure, where others lose events.
 */
export class Budget {
  private used = 0;
  private readonly queue: Guest[] = [];

  constructor(private readonly limit: number) {}

  /** Takes room, if there is some and nobody waits for it. */
  take(bytes: number): boolean {
    if (this.queue.length > 0 || this.used >= this.limit) return false;
    this.used += bytes;
    return true;
  }

  /**
   * Resolves when there is room, in the order of asking: also for what alone is larger than all room. Rejects when
   * `until` aborts while it waits.
   */
  room(bytes: number, until: AbortSignal): Promise<void> {
    if (this.take(bytes)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(guest), 1);
        reject(new Error('it was over before there was room to record this'));
      };
      const enter = (): void => {
        until.removeEventListener('abort', leave);
        resolve();
      };
      const guest = { bytes, enter };
      this.queue.push(guest);
      until.addEventListener('abort', leave);
    });
  }

  free(bytes: number): void {
    this.used -= bytes;
    this.serve();
  }

  private serve(): void {
    while (this.used < this.limit) {
      const guest = this.queue.shift();
      if (guest === undefined) return;
      this.used += guest.bytes;
      guest.enter();
    }
  }
}
