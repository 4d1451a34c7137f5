import * as fc from '../../../../test/support/fast-check';
import { int32, message } from './message';
import { WireMessageTracker } from './message-tracker';

const messages = fc.array(
  fc.record({
    type: fc.constantFrom('D', 'd', 'C', 'Z'),
    size: fc.oneof(fc.nat(12), fc.nat(300), fc.constant(70_000)),
  }),
  { maxLength: 8 },
);
const cuts = fc.array(fc.nat(), { maxLength: 20 });

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

describe('a message tracker', () => {
  it('knows after any pieces where the incomplete message begins, its length, and what it lacks', () => {
    fc.assert(
      fc.property(messages, cuts, (drawn, places) => {
        const all = drawn.map(({ type, size }) => message(type, Buffer.alloc(size, 'D')));
        const ends = all.reduce<number[]>((sums, { length }) => [...sums, (sums.at(-1) ?? 0) + length], []);
        const tracker = new WireMessageTracker();
        let at = 0;
        for (const piece of cut(Buffer.concat(all), places)) {
          const from = at;
          at += piece.length;
          const begins = tracker.follow(piece);
          const next = ends.findIndex((end) => end > at);
          const start = ends[next - 1] ?? 0;
          if (next === -1 || start === at) {
            expect([begins, tracker.missing]).toEqual([piece.length, 0]);
            continue;
          }
          expect(begins).toBe(start < from ? -1 : start - from);
          const isKnown = at - start >= 5;
          expect(tracker.missing).toBe(isKnown ? (ends[next] as number) - at : Infinity);
          expect(tracker.size).toBe(isKnown ? all[next]?.length : 0);
        }
      }),
    );
  });

  it('takes a length that is too small for a head, and goes on', () => {
    const tracker = new WireMessageTracker();
    expect(tracker.follow(Buffer.concat([Buffer.from('D'), int32(0)]))).toBe(5);
    expect(tracker.missing).toBe(0);
    for (const byte of [...Buffer.from('D'), ...int32(1)]) tracker.follow(Buffer.of(byte));
    expect(tracker.missing).toBe(0);
  });
});
