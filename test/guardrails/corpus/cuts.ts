import { StringDecoder } from 'node:string_decoder';
import type { OutputScreen } from '../../../src/gate/ports/guardrails';
import type { SeededRandom } from './random';

/** Outcome of a stream: the start of its hit (UTF-16 code units), and the length released by then. */
export type Streamed =
  | { readonly kind: 'block'; readonly start: number; readonly released: number }
  | { readonly kind: 'pass' };

/** Sends bytes in pieces that end at the cuts, as a network does: characters may be cut too. */
export async function streamInPieces(
  screen: OutputScreen,
  bytes: Buffer,
  cuts: readonly number[],
): Promise<Streamed> {
  const decoder = new StringDecoder('utf8');
  const ends = [...cuts, bytes.length];
  let released = 0;
  for (const [index, end] of ends.entries()) {
    const screened = await screen.push(decoder.write(bytes.subarray(ends[index - 1] ?? 0, end)));
    if (screened.kind === 'block') return blocked(screened.hit, released);
    released += screened.text.length;
  }
  const last = await screen.finish();
  return last.kind === 'block' ? blocked(last.hit, released) : { kind: 'pass' };
}

function blocked({ findings }: { findings: readonly { start: number }[] }, released: number): Streamed {
  return { kind: 'block', start: Math.min(...findings.map(({ start }) => start)), released };
}

/** Yields all combinations of `count` offsets from 1 to `limit` - 1. */
export function* allCuts(limit: number, count: number, from = 1): Generator<number[]> {
  if (count === 0) return yield [];
  for (let at = from; at < limit; at++) {
    for (const more of allCuts(limit, count - 1, at + 1)) yield [at, ...more];
  }
}

/** Returns `count` different random offsets in order, at least `from` and less than `to`. */
export function someCuts(random: SeededRandom, from: number, to: number, count: number): number[] {
  const places = new Set<number>();
  while (places.size < Math.min(count, to - from)) places.add(from + random.below(to - from));
  return [...places].sort((a, b) => a - b);
}
