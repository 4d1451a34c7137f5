/** How much of something each holder has at one time. Holders that have nothing take no memory. */
export class HolderCounts {
  private readonly counts = new Map<string, number>();

  of(holder: string): number {
    return this.counts.get(holder) ?? 0;
  }

  /** Counts one for each of these. Returns how to give it back; that is idempotent. */
  add(...holders: readonly string[]): () => void {
    for (const holder of holders) this.change(holder, 1);
    let isHeld = true;
    return () => {
      if (isHeld) for (const holder of holders) this.change(holder, -1);
      isHeld = false;
    };
  }

  private change(holder: string, by: 1 | -1): void {
    const count = this.of(holder) + by;
    if (count === 0) this.counts.delete(holder);
    else this.counts.set(holder, count);
  }
}
