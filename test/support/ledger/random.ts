import { createHash } from 'node:crypto';

/** Random numbers that are the same for the same seed, so that a run can be repeated. */
export class Random {
  private drawn = 0;

  constructor(private readonly seed: string) {}

  /** From 0 up to, not including, 1. */
  next(): number {
    const digest = createHash('sha256')
      .update(`${this.seed}:${this.drawn++}`)
      .digest();
    return digest.readUInt32LE(0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Returns one of the names. Its probability is proportional to its weight. */
  pick<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries<number>(weights) as [Name, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    throw new Error('there is nothing to pick from');
  }

  /** An independent generator for one part of a run: other parts do not change its numbers. */
  of(part: string): Random {
    return new Random(`${this.seed}/${part}`);
  }
}
