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
import type { Refused } from './refusals';
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
/** Rows that come at once; a notice comes behind them while they are looked at. */
interface Chunk {
  readonly rows: readonly Row[];
  readonly isNoticed: boolean;
}
type Result = readonly Chunk[];
const chunk: fc.Arbitrary<Chunk> = fc.record({
  rows: fc.array(row, { maxLength: 4 }),
  isNoticed: fc.boolean(),
});
const results = fc.array(fc.array(chunk, { maxLength: 6 }), { maxLength: 3 });
const NOTICE = message('N', Buffer.from('SNOTICE\0Mhello\0\0'));

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

/** What a client gets: rows as their cells, and notices. */
function messagesIn(bytes: Buffer): ((string | null)[] | 'notice')[] {
  const found: ((string | null)[] | 'notice')[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (bytes.subarray(at, end).equals(NOTICE)) found.push('notice');
    else {
      const cells = cellsOf({ type: 'D', body: bytes.subarray(at + 5, end) });
      found.push(cells.map((value) => value?.toString() ?? null));
    }
    at = end;
  }
  return found;
}

/** What is delivered and recorded of the results; why it was stopped, if it was. */
async function deliver(engine: GuardrailEngine, all: readonly Result[], late: readonly boolean[]) {
  let asked = 0;
  const { session, recorded } = sessionOf(engine, () => late[asked++ % late.length] ?? false);
  const out = new Spans();
  const screen = new ResultScreen(session, out, new PendingRecords(session));
  const over = (refused: Refused | undefined) => ({
    refused,
    recorded,
    messages: messagesIn(Buffer.concat(out.take())),
  });
  for (const chunks of all) {
    screen.begin(undefined);
    for (const { rows, isNoticed } of chunks) {
      const chunk = Buffer.concat(rows.map(dataRow));
      let at = 0;
      for (const one of rows) {
        const end = at + dataRow(one).length;
        screen.row(chunk, at, end, PLAIN);
        at = end;
      }
      const looking = screen.look();
      if (looking !== undefined && !(looking instanceof Promise)) return over(looking);
      // It was looked at in another turn than the rows before it, and sooner.
      if (isNoticed && !screen.takes(NOTICE, 0, NOTICE.length)) out.insert(NOTICE);
      const refused = await looking;
      if (refused !== undefined) return over(refused);
    }
    // What is done with a chunk is sent on, and that meets the end of the result.
    const finishing = screen.finish();
    const meanwhile = screen.look();
    const refused = (await finishing) ?? (await meanwhile);
    if (refused !== undefined) return over(refused);
  }
  return over(undefined);
}

/** The same, delivered by whoever looks at nothing. */
const sent = (all: readonly Result[]) =>
  all.flat().flatMap(({ rows, isNoticed }) => [...rows, ...(isNoticed ? (['notice'] as const) : [])]);

describe('a screen of results', () => {
  const lateness = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });

  it('delivers each cell masked, in order, none twice, and records what it delivers', async () => {
    const engine = engineOf(words(['canary'], { action: 'mask' }));
    await fc.assert(
      fc.asyncProperty(results, lateness, async (all, late) => {
        const { messages, recorded } = await deliver(engine, all, late);
        const shown = (cells: Row) => cells.map((value) => value?.replaceAll('canary', '****') ?? null);
        expect(messages).toEqual(sent(all).map((one) => (one === 'notice' ? one : shown(one))));
        const rows = all.flat().flatMap((one) => one.rows);
        expect(recorded.join('')).toBe(rows.map((cells) => renderRow(shown(cells))).join(''));
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
        const { messages, refused, recorded } = await deliver(engine, all, late);
        const holds = (one: Row | 'notice') =>
          one !== 'notice' && one.some((value) => value?.includes('canary') === true);
        const whole = sent(all);
        const first = whole.findIndex(holds);
        expect(refused !== undefined).toBe(first !== -1);
        if (first === -1) expect(messages).toEqual(whole);
        else expect(messages).toEqual(whole.slice(0, Math.min(messages.length, first)));
        expect(recorded.join('')).not.toContain('canary');
      }),
      { numRuns: 200 },
    );
  });

  it('finds what lies across two pieces of COPY data, cut in the middle of a line', async () => {
    const engine = engineOf(words(['top canary'], { action: 'mask' }));
    const plain = 'a line that holds nothing\n'.repeat(40);
    const text = `${plain}1\ttop canary\n${plain}`;
    for (let cut = 1; cut < text.length; cut += 1) {
      const { session, recorded } = sessionOf(engine, () => false);
      const screen = new ResultScreen(session, new Spans(), new PendingRecords(session));
      screen.begin(undefined);
      for (const piece of [text.slice(0, cut), text.slice(cut)]) {
        const data = message('d', Buffer.from(piece));
        screen.copyData(data, 0, data.length, false);
        await screen.look();
      }
      await screen.finish();
      expect(recorded.join('')).toBe(text.replace('top canary', '****'));
    }
  });
});
