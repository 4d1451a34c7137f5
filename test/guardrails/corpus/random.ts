/** Pseudo-random numbers, the same at every run, so that the corpus does not change. */
export class SeededRandom {
  constructor(private state: number) {}

  /** Returns a whole number ≥ 0 and < `limit`. Source: the mulberry32 generator, in the public domain. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }
}
