import * as fc from '../../../../test/support/fast-check';
import { BinaryCopyPieces, MalformedCopy, isTuple, tuplesFrom } from './binary-copy';
import { HEAD_BYTES, int32, message } from './message';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const int16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff);
const cellOf = (value: Uint8Array | null): Buffer[] =>
  value === null ? [int32(-1)] : [int32(value.length), Buffer.from(value)];
const MAX = 1_000;

/** A stream of COPY data, and the offsets at which its header, its tuples and its trailer end. */
const streams = fc
  .record({
    columns: fc.nat(3),
    extension: fc.uint8Array({ maxLength: 5 }),
    rows: fc.array(fc.array(fc.option(fc.uint8Array({ maxLength: 9 })), { minLength: 3, maxLength: 3 }), {
      maxLength: 5,
    }),
    hasTrailer: fc.boolean(),
  })
  .map(({ columns, extension, rows, hasTrailer }) => {
    const header = Buffer.concat([SIGNATURE, int32(0), int32(extension.length), extension]);
    const tuples = rows.map((row) =>
      Buffer.concat([int16(columns), ...row.slice(0, columns).flatMap((cell) => cellOf(cell))]),
    );
    const parts = [header, ...tuples, ...(hasTrailer ? [Buffer.of(255, 255)] : [])];
    const ends = parts.map((_, index) => Buffer.concat(parts.slice(0, index + 1)).length);
    return { columns, tuples, bytes: Buffer.concat(parts), ends };
  });

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const all = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...all, bytes.length].map((end, index) => bytes.subarray(all[index - 1] ?? 0, end));
}

describe('data of COPY in binary form', () => {
  it('are cut at the ends of tuples only, are all there, and pass as they came where they are whole', () => {
    fc.assert(
      fc.property(
        streams,
        fc.array(fc.nat(), { maxLength: 30 }),
        ({ columns, bytes, ends, tuples }, places) => {
          const pieces = new BinaryCopyPieces(columns, MAX);
          const seen: Buffer[] = [];
          let count = 0;
          for (const body of cut(bytes, places)) {
            const data = message('d', body);
            const whole = pieces.add({ bytes: data, start: 0, end: data.length });
            if (whole === undefined) continue;
            expect(whole.bytes.readInt32BE(whole.start + 1)).toBe(whole.end - whole.start - 1);
            const piece = whole.bytes.subarray(whole.start + HEAD_BYTES, whole.end);
            seen.push(piece);
            if (piece.length > 0) expect(ends).toContain(Buffer.concat(seen).length);
            for (let at = tuplesFrom(piece, 0, piece.length); isTuple(piece, at, piece.length); count += 1)
              at += tuples[count]?.length ?? Number.POSITIVE_INFINITY;
          }
          expect(Buffer.concat(seen)).toEqual(bytes);
          expect([count, pieces.isWhole]).toEqual([tuples.length, true]);
        },
      ),
    );
  });

  it('that end within a tuple are not whole', () => {
    fc.assert(
      fc.property(streams, fc.nat(), ({ columns, bytes, ends }, place) => {
        const end = place % bytes.length;
        const pieces = new BinaryCopyPieces(columns, MAX);
        const data = message('d', bytes.subarray(0, end));
        pieces.add({ bytes: data, start: 0, end: data.length });
        expect(pieces.isWhole).toBe(end === 0 || ends.includes(end));
      }),
    );
  });

  const header = [SIGNATURE, int32(0), int32(0)];

  it.each<[string, Buffer[]]>([
    ['another signature', [Buffer.alloc(19)]],
    ['a flag that nobody knows', [SIGNATURE, Buffer.of(0, 1, 0, 0), int32(0)]],
    ['an extension of a length below 0', [SIGNATURE, int32(0), int32(-1)]],
    ['another number of values', [...header, int16(2)]],
    ['a value of a length below 0', [...header, int16(1), int32(-2)]],
    ['data behind the trailer', [...header, int16(-1 & 0xff_ff), int16(1)]],
    ['a row that is too large', [...header, int16(1), int32(5_000), Buffer.alloc(2_000)]],
  ])('with %s are no such data', (_, parts) => {
    const pieces = new BinaryCopyPieces(1, MAX);
    const data = message('d', ...parts);
    expect(() => pieces.add({ bytes: data, start: 0, end: data.length })).toThrow(MalformedCopy);
  });
});
