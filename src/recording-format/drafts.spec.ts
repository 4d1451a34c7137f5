import * as fc from 'fast-check';
import type { DraftPiece } from './draft';
import { Drafts } from './drafts';
import { type EventPiece, decodePieces, letterOf, payloadOf } from './event-codec';

const KIB = 1024;

const content = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 100 * KIB, max: 700 * KIB }).map((size) => 'ü'.repeat(size / 2)),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 255 * KIB, max: 513 * KIB }).map((size) => Buffer.alloc(size, 1)),
  },
);
const kind = fc.constantFrom<Pick<EventPiece, 'type' | 'values'>>(
  { type: 'i' },
  { type: 'i', values: true },
  { type: 'o' },
  { type: 'e' },
);
/** Numbers have gaps where the journal refused an event. */
const event = fc.record({ kind, content, gap: fc.constantFrom(1, 1, 1, 2) });

type Said = readonly [number: number, time: number, kind: string, content: string];

interface Sample {
  readonly pieces: readonly DraftPiece[];
  readonly said: readonly Said[];
}

function sampleOf(
  events: readonly { kind: Pick<EventPiece, 'type' | 'values'>; content: string | Buffer; gap: number }[],
): Sample {
  let number = 0;
  const pieces: DraftPiece[] = [];
  const said: Said[] = [];
  for (const one of events) {
    number += one.gap;
    const bytes = Buffer.from(one.content as string);
    const time = number * 1.5;
    pieces.push({ number, time, letter: letterOf(one.kind), content: one.content, length: bytes.length });
    said.push([number, time, `${one.kind.type}${one.kind.values ?? ''}`, bytes.toString('base64')]);
  }
  return { pieces, said };
}

/** The events as a reader of the chunks finds them, without their numbers. */
async function readAll(drafts: Drafts): Promise<{ events: unknown[]; count: number; size: number }> {
  const all = { events: [] as unknown[], count: 0, size: 0 };
  let begun: Buffer[] = [];
  for (const draft of drafts.takeDrafts(Infinity)) {
    const pieces = await decodePieces(await payloadOf(draft.bytes));
    expect(draft.rawSize).toBe(pieces.reduce((sum, piece) => sum + piece.content.length, 0));
    expect(draft.rawSize).toBeLessThanOrEqual(256 * KIB);
    all.count += draft.eventCount;
    all.size += draft.rawSize;
    for (const piece of pieces) {
      begun.push(piece.content);
      if (!piece.ends) continue;
      const whole = Buffer.concat(begun).toString('base64');
      all.events.push([piece.time, `${piece.type}${piece.values ?? ''}`, whole]);
      begun = [];
    }
  }
  expect(begun).toEqual([]);
  return all;
}

describe('pending events', () => {
  it('are the added events without the stored ones, wherever the drafts end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 12 }),
        fc.nat(14),
        fc.array(fc.nat(11)),
        async (events, stored, takes) => {
          const { pieces, said } = sampleOf(events);
          const drafts = new Drafts();
          for (const [index, piece] of pieces.entries()) {
            drafts.add(piece, index);
            // A draft that is being stored accepts no more events.
            if (takes.includes(index)) drafts.takeDrafts(1);
          }
          drafts.dropThrough(stored);
          const left = said.filter(([number]) => number > stored);
          const { events: found, count, size } = await readAll(drafts);
          expect(found).toEqual(left.map(([, ...rest]) => rest));
          expect(count).toBe(left.length);
          expect(drafts.bytes).toBe(size);
          if (left.length === 0) expect(drafts.oldestMark).toBeUndefined();
          else expect(drafts.oldestMark).toBeLessThanOrEqual(said.length - left.length);
        },
      ),
      { numRuns: 60 },
    );
  }, 240_000);

  it('are taken as whole events', async () => {
    const drafts = new Drafts();
    const large = Buffer.alloc(600 * KIB, 1);
    const letter = letterOf({ type: 'i' });
    drafts.add({ number: 1, time: 0, letter, content: large, length: large.length }, 0);
    drafts.add({ number: 2, time: 1, letter, content: 'x', length: 1 }, 0);
    const taken = drafts.takeDrafts(1);
    expect(taken).toHaveLength(3);
    expect(taken.at(-1)?.last).toBe(2);
    drafts.add({ number: 3, time: 2, letter, content: 'y', length: 1 }, 7);
    drafts.dropThrough(2);
    expect([drafts.count, drafts.bytes, drafts.oldestMark]).toEqual([1, 1, 7]);
  });
});
