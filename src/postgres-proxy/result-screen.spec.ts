import * as fc from 'fast-check';
import { pattern, words } from '../../test/support/rule-entries';
import { engineOf } from '../../test/support/screening';
import { cellsOf } from '../../test/support/wire-client';
import type { ClientSession } from '../gate/client-session';
import type { OutputScreen, Screened } from '../gate/ports/guardrails';
import type { TrailEvent } from '../gate/ports/session-recorder';
import type { GuardrailEngine } from '../guardrails/guardrail-engine';
import type { Eventual } from '../kernel/eventual';
import { renderRow } from '../kernel/tabular-text';
import { PendingRecords } from './pending-records';
import { ResultScreen } from './result-screen';
import { int32, message } from './wire/message';
import { PLAIN } from './wire/row-text';
import { Spans } from './wire/spans';

type Row = readonly (string | null)[];

const parts = fc.constantFrom('canary', 'can', 'ary', 'ü', '😀', '\t', '\n', '\\', ' ', 'n');
const cell = fc.oneof(
  fc.array(parts, { maxLength: 6 }).map((list) => list.join('')),
  fc.nat(6_000).map((size) => 'x'.repeat(size)),
);
const row: fc.Arbitrary<Row> = fc.array(fc.option(cell), { minLength: 1, maxLength: 3 });
/** Results of chunks of rows. */
const results = fc.array(fc.array(fc.array(row, { maxLength: 4 }), { maxLength: 6 }), { maxLength: 3 });

function dataRow(cells: Row): Buffer {
  const fields = cells.flatMap((value) =>
    value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
  );
  return message('D', Buffer.of(0, cells.length), ...fields);
}

/** A session whose screens answer at once, or in another turn. */
function sessionOf(engine: GuardrailEngine, isLate: () => boolean) {
  const recorded: string[] = [];
  const eventual = <T>(value: Eventual<T>): Eventual<T> => (isLate() ? Promise.resolve(value) : value);
  const slow = (screen: OutputScreen): OutputScreen => ({
    push: (chunk) => eventual(screen.push(chunk)),
    pushLines: (lines) => eventual(screen.pushLines(lines)),
    finish: () => eventual(screen.finish()),
  });
  const session = {
    screensOutput: engine.screensOutput,
    openScreen: () => slow(engine.openScreen()),
    record: async (events: readonly TrailEvent[]) => {
      recorded.push(...events.map(({ content }) => content.toString()));
    },
    release: (_: string, screened: Screened<Buffer | string>) => {
      if (screened.kind === 'block')
        return { kind: 'blocked', message: screened.hit.message, recorded: Promise.resolve() };
      recorded.push(screened.text.toString());
      return { ...screened, kind: 'deliver', recorded: undefined };
    },
  };
  return { session: session as unknown as ClientSession, recorded };
}

function cellsIn(bytes: Buffer): (string | null)[][] {
  const rows: (string | null)[][] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    const cells = cellsOf({ type: 'D', body: bytes.subarray(at + 5, end) });
    rows.push(cells.map((value) => value?.toString() ?? null));
    at = end;
  }
  return rows;
}

/** What is delivered and recorded of the results; why it was stopped, if it was. */
async function deliver(
  engine: GuardrailEngine,
  all: readonly (readonly Row[])[][],
  late: readonly boolean[],
) {
  let asked = 0;
  const { session, recorded } = sessionOf(engine, () => late[asked++ % late.length] ?? false);
  const out = new Spans();
  const screen = new ResultScreen(session, out, new PendingRecords(session));
  for (const chunks of all) {
    screen.begin(undefined);
    for (const rows of chunks) {
      const chunk = Buffer.concat(rows.map(dataRow));
      let at = 0;
      for (const one of rows) {
        const end = at + dataRow(one).length;
        screen.row(chunk, at, end, PLAIN);
        at = end;
      }
      // What is done with a chunk is sent on, and the last of one meets the end of the result.
      const isLast = rows === chunks.at(-1);
      const refused = isLast ? undefined : await screen.look();
      if (refused !== undefined) return { refused, recorded, rows: cellsIn(Buffer.concat(out.take())) };
    }
    const finishing = screen.finish();
    const meanwhile = screen.look();
    const refused = (await finishing) ?? (await meanwhile);
    if (refused !== undefined) return { refused, recorded, rows: cellsIn(Buffer.concat(out.take())) };
  }
  return { refused: undefined, recorded, rows: cellsIn(Buffer.concat(out.take())) };
}

describe('a screen of results', () => {
  const lateness = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });

  it('delivers each cell masked, in order, none twice, and records what it delivers', async () => {
    const engine = engineOf(words(['canary'], { action: 'mask' }));
    await fc.assert(
      fc.asyncProperty(results, lateness, async (all, late) => {
        const { rows, recorded } = await deliver(engine, all, late);
        const expected = all
          .flat(2)
          .map((cells) => cells.map((value) => value?.replaceAll('canary', '****') ?? null));
        expect(rows).toEqual(expected);
        expect(recorded.join('')).toBe(expected.map(renderRow).join(''));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a word', words(['canary'])],
    ['a pattern', pattern('can[a]ry')],
  ])('delivers nothing of %s that is blocked, nor of what comes behind it', async (_, rule) => {
    const engine = engineOf(rule);
    await fc.assert(
      fc.asyncProperty(results, lateness, async (all, late) => {
        const { rows, refused, recorded } = await deliver(engine, all, late);
        const holds = (cells: Row) => cells.some((value) => value?.includes('canary') === true);
        const flat = all.flat(2);
        const first = flat.findIndex(holds);
        expect(refused !== undefined).toBe(first !== -1);
        if (first === -1) expect(rows).toEqual(flat);
        else expect(rows).toEqual(flat.slice(0, Math.min(rows.length, first)));
        expect(recorded.join('')).not.toContain('canary');
      }),
      { numRuns: 200 },
    );
  });
});
