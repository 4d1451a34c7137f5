import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { parseRow, renderRow } from '../../kernel/tabular-text';
import { type EventPiece, type SessionEvent, decodePieces, encodePieces } from '../recording/event-codec';
import { readSessionQuery } from '../session-query';
import type { Session } from '../session.entity';
import { CsvRendering } from './csv';
import { type Batches, rendered } from './rendering';
import { sessionFile } from './session-file';

const session = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  connectionName: 'orders',
  startDate: new Date('2026-03-01T10:00:00.500Z'),
  endDate: new Date('2026-03-01T10:00:02Z'),
} as Session;

/** What makes rows hard: ends of cells and lines, quotes, escapes, formulas, what is unseen, and what is no UTF-8. */
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

/** Events, and how they are cut into pieces and the pieces into chunks. */
const recording = fc.record({
  events: fc.uniqueArray(event, { selector: ({ time }) => time, maxLength: 8 }),
  cuts: fc.infiniteStream(fc.nat(6)),
  ends: fc.infiniteStream(fc.boolean()),
});
type Recording = typeof recording extends fc.Arbitrary<infer T> ? T : never;

/** As it is read from the store: through the codec, a chunk at a time. */
async function* stored({ events, cuts, ends }: Recording): AsyncGenerator<EventPiece[]> {
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

async function textOf(parts: AsyncGenerator<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString('latin1');
}

const file = (batches: Batches, query: object) =>
  sessionFile(session, batches, readSessionQuery({ ...query }));
const stamp = (time: number): string => new Date(session.startDate.getTime() + time).toISOString();
/** Bytes as they are, one character each: what is no UTF-8 must come out as it went in. */
const latin = (text: string): string => Buffer.from(text).toString('latin1');
const decode = (bytes: Buffer): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

describe('a recording as a file, wherever its events are cut', () => {
  const same = async (query: object, naive: (events: readonly SessionEvent[]) => string) =>
    fc.assert(
      fc.asyncProperty(recording, async (it) => {
        expect(await textOf(file(stored(it), query).content)).toBe(naive(it.events));
      }),
      { numRuns: 300 },
    );

  it('as it is', () =>
    same({ extension: 'txt' }, (events) => events.map((it) => it.content.toString('latin1')).join('')));

  it('with the time and a line break for each event', () =>
    same({ extension: 'log', 'event-time': '1', new_line: '1' }, (events) =>
      events.map((it) => `${stamp(it.time)} ${it.content.toString('latin1')}\n`).join(''),
    ));

  it('as an object for each event', () =>
    same({ extension: 'json' }, (events) =>
      events
        .map(({ time, type, content: bytes }) =>
          latin(`${JSON.stringify({ time: stamp(time), type, stream: decode(bytes) })}\n`),
        )
        .join(''),
    ));

  it.each([{}, { 'event-time': '1' }])('as rows (%j)', (more) =>
    same({ extension: 'csv', ...more }, (events) => latin(rowsOf(events, 'event-time' in more))),
  );

  it.each([
    'a\\N',
    '\\Na',
    '\\N\\N',
    '\\N',
    '\\',
    'a\t\\N\tb',
    'a\\N\tb',
    '\t',
    '=\t-1\ta=',
    '\\\\N',
    '\uFF1D',
    'a\uFF1D',
  ])('as rows: %j', async (line) => {
    for (const longest of [0, 1, 100]) {
      for (const end of ['', '\n']) {
        const whole = { time: 0, type: 'o' as const, content: Buffer.from(`${line}${end}`) };
        const batches = (async function* () {
          yield [{ ...whole, ends: true }];
        })();
        const parts = rendered(batches, new CsvRendering(undefined, longest));
        expect(await textOf(parts)).toBe(latin(rowsOf([whole], false)));
      }
    }
  });

  it('as rows, where no line is held', () =>
    fc.assert(
      fc.asyncProperty(recording, fc.nat(4), async (it, longest) => {
        // Nothing comes in between: a row that was sent in part cannot go on after another one.
        const events = it.events.map((one) => ({ ...one, type: 'o' as const }));
        const parts = rendered(stored({ ...it, events }), new CsvRendering(undefined, longest));
        expect(await textOf(parts)).toBe(latin(rowsOf(events, false)));
      }),
      { numRuns: 300 },
    ));

  it('as a terminal plays it', () =>
    fc.assert(
      fc.asyncProperty(recording, async (it) => {
        const text = Buffer.from(
          await textOf(file(stored(it), { extension: 'cast' }).content),
          'latin1',
        ).toString();
        const [head, ...lines] = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown);
        expect(head).toEqual({
          version: 2,
          width: 120,
          height: 40,
          timestamp: 1772359200,
          duration: 1.5,
          title: `orders ${session.id}`,
        });
        const shown = lines as [number, string, string][];
        expect(shown.slice(0, it.events.length).map(([time, code]) => [time, code])).toEqual(
          it.events.map(({ time, type }) => [Math.round(time * 1000) / 1e6, type === 'i' ? 'i' : 'o']),
        );
        for (const code of ['i', 'o'] as const) {
          const types = code === 'i' ? ['i'] : ['o', 'e'];
          const bytes = types.map((type) =>
            Buffer.concat(it.events.filter((one) => one.type === type).map((one) => one.content)),
          );
          const all = shown
            .filter((line) => line[1] === code)
            .map((line) => line[2])
            .join('');
          // Output and errors come in turns: that each character is there is looked at by their number.
          expect([...all].sort()).toEqual(
            [...bytes.map((one) => decode(one).replaceAll(/\r?\n/g, '\r\n')).join('')].sort(),
          );
        }
      }),
      { numRuns: 300 },
    ));

  it('as a terminal plays it, line by line and in order', () =>
    fc.assert(
      fc.asyncProperty(recording, async (it) => {
        const events = it.events.map((one) => ({ ...one, type: 'o' as const }));
        const parts = file(stored({ ...it, events }), { extension: 'cast' }).content;
        const lines = Buffer.from(await textOf(parts), 'latin1')
          .toString()
          .trimEnd()
          .split('\n')
          .slice(1);
        const text = lines.map((line) => (JSON.parse(line) as string[])[2]).join('');
        const whole = decode(Buffer.concat(events.map((one) => one.content)));
        expect(text).toBe(whole.replaceAll(/\r?\n/g, '\r\n'));
      }),
      { numRuns: 300 },
    ));

  it('as rows that a parser of CSV reads back', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { minLength: 2, maxLength: 4 }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.infiniteStream(fc.nat(6)),
        async (table, cuts) => {
          const bytes = Buffer.from(table.map((row) => renderRow(row)).join(''));
          const ends = fc.sample(fc.infiniteStream(fc.boolean()), 1)[0] as Recording['ends'];
          const batches = stored({ events: [{ time: 0, type: 'o', content: bytes }], cuts, ends });
          const csv = Buffer.from(
            await textOf(file(batches, { extension: 'csv' }).content),
            'latin1',
          ).toString();
          expect(parse(csv, { relax_column_count: true, record_delimiter: '\r\n' })).toEqual(
            table.map((row) => row.map(harmless)),
          );
        },
      ),
      { numRuns: 300 },
    ));
});

/** Every line by csv-stringify, with nothing else in its way. */
function rowsOf(events: readonly SessionEvent[], timed: boolean): string {
  const open = new Map<string, { time: number; bytes: number[] }>();
  const rows: { time: number; line: string }[] = [];
  const close = (type: string): void => {
    const line = open.get(type);
    if (line !== undefined) rows.push({ time: line.time, line: decode(Buffer.from(line.bytes)) });
    open.delete(type);
  };
  for (const { time, type, content: bytes } of events) {
    for (const byte of bytes) {
      const line = open.get(type) ?? { time, bytes: [] };
      open.set(type, line);
      if (byte === 0x0a) close(type);
      else line.bytes.push(byte);
    }
  }
  for (const type of open.keys()) close(type);
  return rows
    .map(({ time, line }) => {
      const cells = parseRow(line).map((cell) =>
        cell.replaceAll(/(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD'),
      );
      return stringify([timed ? [stamp(time), ...cells] : cells], {
        quoted: true,
        quoted_empty: true,
        escape_formulas: true,
        record_delimiter: 'windows',
      });
    })
    .join('');
}

function harmless(cell: string): string {
  const seen = cell.replaceAll(/(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD');
  return /^[=+\-@\t\r＝＋－＠]/.test(seen) ? `'${seen}` : seen;
}
