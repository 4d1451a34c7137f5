import { SeededRandom } from '../../guardrails/corpus/random';

/** Random source for the generators of pipelines and of faults. */
export class Draw extends SeededRandom {
  /** Returns true with a probability of 1 in `inSoMany`. */
  once(inSoMany: number): boolean {
    return this.below(inSoMany) === 0;
  }

  /** Returns a whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }

  /** Returns one of the keys. Its probability is proportional to its weight. */
  weighted<K extends string>(weights: readonly (readonly [K, number])[]): K {
    let left = this.below(weights.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [key, weight] of weights) {
      left -= weight;
      if (left < 0) return key;
    }
    throw new Error('there is nothing to draw from');
  }

  /** Cuts bytes at random positions into at most `most` pieces, some of which may be empty. */
  pieces(bytes: Buffer, most: number): Buffer[] {
    const cuts = this.times(this.below(most), () => this.below(bytes.length + 1)).sort((a, b) => a - b);
    return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
  }
}
