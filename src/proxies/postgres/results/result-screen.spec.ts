import { isDeepStrictEqual } from 'node:util';
import * as fc from '../../../../test/support/fast-check';
import { pattern, words } from '../../../../test/support/rule-entries';
import { sessionUnder } from '../../../../test/support/gated-session';
import { engineOf } from '../../../../test/support/screening';
import { IS_LONG, volume } from '../../../../test/support/volume';
import { cellsOf } from '../../../../test/support/wire-client';
import type { GuardrailSet, OutputScreen, Screened } from '../../../gate/ports/guardrails';
import type { GuardrailEngine } from '../../../guardrails/engine/guardrail-engine';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { renderRow } from '../../../kernel/text/tabular-text';
import { LARGE_ROW } from './large-row';
import type { Refused } from '../pipeline/refusals';
import { ResultScreen } from './result-screen';
import { int32, message } from '../wire/message';
import { PLAIN } from '../pipeline/row-text';
import { Spans } from '../wire/spans';

type Row = readonly (string | null)[];

/** A source of types that knows no type, because the rows of these tests have none. */
const NO_TYPES = { learn: () => Promise.resolve('unknown' as const) };

const parts = fc.constantFrom('canary', 'can', 'ary', 'ü', '😀', '\t', '\n', '\\', ' ', 'n');
const cell = fc.oneof(
  fc.array(parts, { maxLength: 6 }).map((list) => list.join('')),
  fc.nat(6_000).map((size) => 'x'.repeat(size)),
);
const row: fc.Arbitrary<Row> = fc.array(fc.option(cell), { minLength: 1, maxLength: 3 });
/** Rows that arrive together. With `isNoticed`, a notice arrives while they are being screened. */
interface Chunk {
  readonly rows: readonly Row[];
  readonly isNoticed: boolean;
}
type Result = readonly Chunk[];
const chunk: fc.Arbitrary<Chunk> = fc.record({
  rows: fc.array(row, { maxLength: 4 }),
  isNoticed: fc.boolean(),
});
/**
 * A cell that is too large to be screened at once. Hits, escapes and characters of several bytes lie at the
 * ends of its pieces.
 */
const largeCell = fc
  .tuple(fc.nat(9), fc.array(parts, { minLength: 1, maxLength: 3 }), fc.constantFrom('canary', 'x'))
  .map(
    ([before, list, last]) =>
      `${'.'.repeat(before)}${`${list.join('')} `.repeat(45_000)}${'-'.repeat(LARGE_ROW)}${last}`,
  );
const largeRow: fc.Arbitrary<Row> = fc
  .tuple(fc.array(fc.option(cell), { maxLength: 2 }), largeCell, fc.array(fc.option(cell), { maxLength: 2 }))
  .map(([before, large, behind]) => [...before, large, ...behind]);
const largeChunk = fc.record({
  rows: fc.array(fc.oneof({ weight: 2, arbitrary: largeRow }, { weight: 3, arbitrary: row }), {
    maxLength: 3,
  }),
  isNoticed: fc.boolean(),
});
const largeResults = fc.array(fc.array(largeChunk, { maxLength: 3 }), { maxLength: 2 });
const results = fc.array(fc.array(chunk, { maxLength: 6 }), { maxLength: 3 });
const NOTICE = message('N', Buffer.from('SNOTICE\0Mhello\0\0'));

function dataRow(cells: Row): Buffer {
  const fields = cells.flatMap((value) =>
    value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
  );
  return message('D', Buffer.of(0, cells.length), ...fields);
}

/** Parts of a screen that results do not use. */
const UNUSED = { before: '', pushLines: expectNever, flush: expectNever };

/** A session whose screens answer at once, or with a promise if `isLate` returns true. */
function sessionOf(engine: GuardrailEngine, isLate: () => boolean) {
  const eventual = <T>(value: MaybePromise<T>): MaybePromise<T> =>
    isLate() ? Promise.resolve(value) : value;
  const slow = (screen: OutputScreen): OutputScreen => ({
    ...UNUSED,
    push: (chunk) => eventual(screen.push(chunk)),
    pushLines: (lines) => eventual(screen.pushLines(lines)),
    finish: () => eventual(screen.finish()),
  });
  return sessionUnder(() => withScreens(engine, () => slow(engine.openScreen())));
}

/** The rules of the engine, with other screens. */
function withScreens(engine: GuardrailEngine, openScreen: () => OutputScreen): GuardrailSet {
  return {
    judgesInput: engine.judgesInput,
    screensOutput: engine.screensOutput,
    judge: (...input) => engine.judge(...input),
    mayTouch: (lines) => engine.mayTouch(lines),
    openScreen,
  };
}

/** Parses the messages that a client gets: a row as its cells, or `notice`. */
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

/** Fails a test that screens a single row as lines. */
function expectNever(): never {
  throw new Error('nobody asks for this');
}

/** Returns the delivered and the recorded results, and the reason if delivery was stopped. */
async function deliver(engine: GuardrailEngine, all: readonly Result[], late: readonly boolean[]) {
  let asked = 0;
  const { session, trail } = sessionOf(engine, () => late[asked++ % late.length] ?? false);
  const out = new Spans();
  const screen = new ResultScreen(session, out, NO_TYPES);
  const over = (refused: Refused | undefined) => ({
    refused,
    recorded: trail.text,
    messages: messagesIn(Buffer.concat(out.takePieces())),
  });
  for (const chunks of all) {
    screen.begin(undefined);
    for (const { rows, isNoticed } of chunks) {
      const chunk = Buffer.concat(rows.map(dataRow));
      let at = 0;
      for (const one of rows) {
        const end = at + dataRow(one).length;
        // Adds rows one after another. While a large row is being added, the gathered rows are screened.
        const adding = screen.row(chunk, at, end, PLAIN);
        const meanwhile = adding instanceof Promise ? screen.screenRows() : undefined;
        const refused = (await adding) ?? (await meanwhile);
        if (refused !== undefined) return over(refused);
        at = end;
      }
      const looking = screen.screenRows();
      if (looking !== undefined && !(looking instanceof Promise)) return over(looking);
      if (isNoticed) screen.report(NOTICE);
      const refused = await looking;
      if (refused !== undefined) return over(refused);
    }
    // Gathered rows may be screened while the result ends.
    const finishing = screen.finish();
    const meanwhile = screen.screenRows();
    const refused = (await finishing) ?? (await meanwhile);
    if (refused !== undefined) return over(refused);
  }
  return over(undefined);
}

/** The messages that a client gets without screening. */
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
        expect(recorded).toBe(rows.map((cells) => renderRow(shown(cells))).join(''));
      }),
      { numRuns: volume(150, 300) },
    );
  });

  it('does so with rows of any size', async () => {
    const engine = engineOf(words(['canary'], { action: 'mask' }));
    await fc.assert(
      fc.asyncProperty(largeResults, lateness, async (all, late) => {
        const { messages, recorded } = await deliver(engine, all, late);
        const shown = (cells: Row) => cells.map((value) => value?.replaceAll('canary', '****') ?? null);
        const expected = sent(all).map((one) => (one === 'notice' ? one : shown(one)));
        // Not `toEqual`, which would print megabytes if they differ.
        expect(isDeepStrictEqual(messages, expected)).toBe(true);
        const rows = all.flat().flatMap((one) => one.rows);
        expect(recorded === rows.map((cells) => renderRow(shown(cells))).join('')).toBe(true);
      }),
      { numRuns: volume(12, 40) },
    );
  });

  it('records rows of any size that nobody looks at as they are', async () => {
    await fc.assert(
      fc.asyncProperty(largeResults, async (all) => {
        const { messages, recorded } = await deliver(engineOf(), all, [false]);
        expect(isDeepStrictEqual(messages, sent(all))).toBe(true);
        const rows = all.flat().flatMap((one) => one.rows);
        expect(recorded === rows.map((cells) => renderRow(cells)).join('')).toBe(true);
      }),
      { numRuns: volume(8, 20) },
    );
  });

  it('lets the event loop turn while a row of a million masks is screened, recorded and masked', async () => {
    const unit = 'a@a.com ';
    const count = 1_000_000;
    let from = 0;
    const masking = (text: string): Screened => {
      const masks = Array.from({ length: Math.floor(text.length / unit.length) }, (_, index) => {
        const start = from + index * unit.length;
        return { start, end: start + 7, replacement: '****', ruleId: '1', label: 'email', bytes: 7 };
      });
      from += text.length;
      return { kind: 'pass', text, upTo: from, masks };
    };
    const open = { ...UNUSED, push: masking, finish: () => masking('') };
    const { session } = sessionUnder(() => withScreens(engineOf(words(['x'])), () => open));
    const out = new Spans();
    const screen = new ResultScreen(session, out, NO_TYPES);
    let turns = 0;
    const took: number[] = [];
    const tick = (): void => {
      turns += 1;
      took.push(from);
      waiting = setImmediate(tick);
    };
    let waiting = setImmediate(tick);
    const bytes = dataRow([unit.repeat(count)]);
    screen.begin(undefined);
    expect(await screen.row(bytes, 0, bytes.length, PLAIN)).toBeUndefined();
    clearImmediate(waiting);
    const [cells] = messagesIn(Buffer.concat(out.takePieces()));
    expect((cells as string[])[0] === '**** '.repeat(count)).toBe(true);
    // Counts turns of the event loop after the row was screened, while it was being recorded and masked.
    const behind = took.filter((looked) => looked >= count * unit.length).length;
    expect([turns > 40, behind > 20]).toEqual([true, true]);
  });

  it.each([
    ['a word', words(['canary']), results, volume(100, 200)],
    ['a pattern', pattern('can[a]ry'), results, volume(100, 200)],
    ['a word in large rows', words(['canary']), largeResults, volume(12, 40)],
  ] as const)(
    'delivers nothing of %s that is blocked, nor of what comes behind it',
    async (_, rule, made, numRuns) => {
      const engine = engineOf(rule);
      await fc.assert(
        fc.asyncProperty(made, lateness, async (all, late) => {
          const { messages, refused, recorded } = await deliver(engine, all, late);
          const holds = (one: Row | 'notice') =>
            one !== 'notice' && one.some((value) => value?.includes('canary') === true);
          const whole = sent(all);
          const first = whole.findIndex(holds);
          expect(refused !== undefined).toBe(first !== -1);
          const reached = first === -1 ? whole : whole.slice(0, Math.min(messages.length, first));
          expect(isDeepStrictEqual(messages, reached)).toBe(true);
          expect(recorded.includes('canary')).toBe(false);
        }),
        { numRuns },
      );
    },
  );

  it('finds what lies across two pieces of COPY data, cut in the middle of a line', async () => {
    const engine = engineOf(words(['top canary'], { action: 'mask' }));
    const plain = 'a line that holds nothing\n'.repeat(40);
    const text = `${plain}1\ttop canary\n${plain}`;
    const around = text.indexOf('top canary');
    for (let cut = 1; cut < text.length; cut += 1) {
      // Far from the hit, the short form tries only every seventh cut, because all lines there are alike.
      if (!IS_LONG && Math.abs(cut - around) > 60 && cut % 7 !== 0) continue;
      const { session, trail } = sessionOf(engine, () => false);
      const screen = new ResultScreen(session, new Spans(), NO_TYPES);
      screen.begin(undefined);
      for (const piece of [text.slice(0, cut), text.slice(cut)]) {
        const data = message('d', Buffer.from(piece));
        await screen.copyData(data, 0, data.length);
        await screen.screenRows();
      }
      await screen.finish();
      expect(trail.text).toBe(text.replace('top canary', '****'));
    }
  });
});
