import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import * as fc from '../../../../test/support/fast-check';
import {
  decode,
  file,
  latin,
  recording,
  stamp,
  stored,
  textOf,
} from '../../../../test/support/cut-recordings';
import { parseRow, renderRow } from '../../../kernel/text/tabular-text';
import type { SessionEvent } from '../../format/event-codec';
import { CsvRendering } from './csv';
import { rendered } from './rendering';

describe('a recording as rows, wherever its events are cut', () => {
  const same = async (query: object, naive: (events: readonly SessionEvent[]) => string) =>
    fc.assert(
      fc.asyncProperty(recording, async (it) => {
        expect(await textOf(file(stored(it), query).content)).toBe(naive(it.events));
      }),
      { numRuns: 300 },
    );

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
        // Gives all events the type `o`, because a row sent in part cannot continue after another row.
        const events = it.events.map((one) => ({ ...one, type: 'o' as const }));
        const parts = rendered(stored({ ...it, events }), new CsvRendering(undefined, longest));
        expect(await textOf(parts)).toBe(latin(rowsOf(events, false)));
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
        fc.infiniteStream(fc.boolean()),
        async (table, cuts, ends) => {
          const bytes = Buffer.from(table.map((row) => renderRow(row)).join(''));
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

/** The expected CSV: csv-stringify writes each line as a row. */
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
