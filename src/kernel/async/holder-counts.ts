/** Counts something for each holder. Holders with a count of 0 take no memory. */
export class HolderCounts {
  private readonly counts = new Map<string, number>();

  of(holder: string): number {
    return this.counts.get(holder) ?? 0;
  }

  /** Adds one for each of the holders. Returns an idempotent function that subtracts it again. */
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
