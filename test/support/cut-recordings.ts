import * as fc from './fast-check';
import { type EventPiece, decodePieces, encodePieces } from '../../src/sessions/format/event-codec';
import type { Batches } from '../../src/sessions/reading/rendering/rendering';
import { sessionFile } from '../../src/sessions/reading/rendering/session-file';
import { readingOptions } from '../../src/sessions/reading/rendering/session-query';
import type { SessionRow } from '../../src/sessions/recording/session.entity';

export const session = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  connectionName: 'orders',
  startDate: new Date('2026-03-01T10:00:00.500Z'),
  endDate: new Date('2026-03-01T10:00:02Z'),
} as SessionRow;

/**
 * Special parts of rows: ends of cells and lines, quotes, escapes, formulas,
 * invisible characters, invalid UTF-8.
 */
const HARD = [
  '\t',
  '\n',
  '\r',
  '\r\n',
  '"',
  ',',
  '\\',
  '\\N',
  '\\t',
  '\\n',
  '\\\\',
  '=',
  '+',
  '-',
  '@',
  '＝',
  '－',
  '＋',
  '＠',
  '\0',
  '\u001B',
  '\u007F',
  '\u0085',
  '\u00A0',
  '\u061C',
  '\u200F',
  '\u202E',
  '\u2019',
  '\u2066',
  '\u2070',
  '\uFEFF',
  '\uFFFD',
  '\u2028',
  '\uFF01',
  'ü',
  '漢',
  '😀',
].map((text) => Buffer.from(text));
const BROKEN = [[0xff], [0xc3], [0xe2, 0x80], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xe0, 0x80]].map(
  (it) => Buffer.from(it),
);

const word = fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map((text) => Buffer.from(text));
const content = fc
  .array(fc.oneof(word, fc.constantFrom(...HARD), fc.constantFrom(...HARD), fc.constantFrom(...BROKEN)), {
    maxLength: 12,
  })
  .map((parts) => Buffer.concat(parts));

const event = fc.record({
  time: fc.double({ min: 0, max: 1e6, noNaN: true }),
  type: fc.constantFrom('i' as const, 'o' as const, 'o' as const, 'e' as const),
  content,
});

/** Generates events, the lengths of their pieces (`cuts`) and the ends of chunks (`ends`). */
export const recording = fc.record({
  events: fc.uniqueArray(event, { selector: ({ time }) => time, maxLength: 8 }),
  cuts: fc.infiniteStream(fc.nat(6)),
  ends: fc.infiniteStream(fc.boolean()),
});
export type Recording = typeof recording extends fc.Arbitrary<infer T> ? T : never;

/** Yields the pieces of a recording, chunk by chunk, through the codec, as the store reads them. */
export async function* stored({ events, cuts, ends }: Recording): AsyncGenerator<EventPiece[]> {
  let chunk: EventPiece[] = [];
  for (const whole of events) {
    const rest = { ...whole };
    for (let isLast = false; !isLast;) {
      const length = cuts.next().value as number;
      isLast = length >= rest.content.length;
      chunk.push({ ...rest, content: rest.content.subarray(0, length), ends: isLast });
      rest.content = rest.content.subarray(length);
      if (ends.next().value) {
        yield await decodePieces(await encodePieces(chunk));
        chunk = [];
      }
    }
  }
  yield chunk;
}

export async function textOf(parts: AsyncGenerator<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString('latin1');
}

export const file = (batches: Batches, query: object) =>
  sessionFile(session, batches, readingOptions({ ...query }));
export const stamp = (time: number): string => new Date(session.startDate.getTime() + time).toISOString();
/** Returns the bytes of a text as Latin-1, one character a byte, so that invalid UTF-8 does not change. */
export const latin = (text: string): string => Buffer.from(text).toString('latin1');
export const decode = (bytes: Buffer): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
