import * as fc from '../../../test/support/fast-check';
import type { Mask } from '../../gate/ports/guardrails';
import type { OutputKind, ResultMark } from '../../targets/contract/script-runner';
import { MAX_OUTPUT_BYTES, MAX_RESULTS, OutputCollector } from './output-collector';

interface Sent {
  readonly kind: Exclude<OutputKind, 'message'>;
  readonly output: string;
}

const result = fc.record({
  kind: fc.constantFrom<Sent['kind'][]>('rows', 'command', 'text'),
  output: fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\t'), minLength: 1, maxLength: 8 }),
});

const mask = (start: number, end: number, replacement: string): Mask => ({
  start,
  end,
  replacement,
  ruleId: 'r',
  label: 'email',
  bytes: end - start,
});

/** Returns result marks, which show where results begin and end in the output, as a runner sends them. */
function marksOf(results: readonly Sent[]): ResultMark[] {
  let at = 0;
  return results.flatMap(({ kind, output }): ResultMark[] => {
    const begin = at;
    at += output.length;
    return [
      { at: begin, kind },
      { at, kind: 'end' },
    ];
  });
}

function masksAt(total: number, gaps: readonly (readonly [number, number, string])[]): Mask[] {
  const masks: Mask[] = [];
  let at = 0;
  for (const [gap, length, replacement] of gaps) {
    if (at + gap + length > total) break;
    masks.push(mask(at + gap, at + gap + length, replacement));
    at += gap + length;
  }
  return masks;
}

function masked(text: string, from: number, to: number, masks: readonly Mask[]): string {
  let shown = '';
  let at = from;
  for (const { start, end, replacement } of masks) {
    if (start < from || start >= to) continue;
    shown += text.slice(at, start) + replacement;
    at = end;
  }
  return shown + text.slice(at, Math.max(at, to));
}

/**
 * Returns the expected output: each result with its masks. Results under one mask are joined into one text.
 */
function expected(results: readonly Sent[], masks: readonly Mask[]): Sent[] {
  const all = results.map(({ output }) => output).join('');
  const found: { kind: Sent['kind']; from: number; to: number }[] = [];
  let at = 0;
  for (const { kind, output } of results) {
    const isJoined = masks.some(({ start, end }) => start < at && end > at);
    const last = found.at(-1);
    if (isJoined && last !== undefined) [last.kind, last.to] = ['text', at + output.length];
    else found.push({ kind, from: at, to: at + output.length });
    at += output.length;
  }
  return found.map(({ kind, from, to }) => ({ kind, output: masked(all, from, to, masks) }));
}

describe('the results of a script', () => {
  it('are those of its statements, wherever screens cut the output and masks change it', () => {
    const gaps = fc.array(
      fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 6 }), fc.constantFrom('', '*', '****😀')),
    );
    fc.assert(
      fc.property(fc.array(result, { maxLength: 8 }), gaps, fc.array(fc.nat(70)), (results, drawn, cuts) => {
        const all = results.map(({ output }) => output).join('');
        const masks = masksAt(all.length, drawn);
        const isFree = (cut: number): boolean => !masks.some(({ start, end }) => start < cut && cut < end);
        const collector = new OutputCollector();
        collector.note(marksOf(results));
        let from = 0;
        for (const upTo of [
          ...new Set([...cuts.filter((cut) => cut < all.length && isFree(cut)), all.length]),
        ].toSorted((one, other) => one - other)) {
          const within = masks.filter(({ start }) => start >= from && start < upTo);
          collector.addOutput({ text: masked(all, from, upTo, masks), upTo, masks: within });
          from = upTo;
        }
        expect(collector.results).toEqual(
          expected(results, masks).map((one) => ({ ...one, truncated: false })),
        );
        expect(collector.results.map(({ output }) => output).join('')).toBe(collector.text);
      }),
      { numRuns: 500 },
    );
  });

  it('stay whole when messages come while their rows are held back', () => {
    const collector = new OutputCollector();
    collector.note(marksOf([{ kind: 'rows', output: 'a\n1\n' }]));
    collector.addOutput({ text: 'a\n', upTo: 2, masks: [] });
    collector.addMessage('NOTICE: one\n');
    collector.addMessage('NOTICE: two\n');
    collector.addOutput({ text: '1\n', upTo: 4, masks: [] });
    expect(collector.results).toEqual([
      { kind: 'rows', output: 'a\n1\n', truncated: false },
      { kind: 'message', output: 'NOTICE: one\nNOTICE: two\n', truncated: false },
    ]);
  });

  it('say that a statement did not end', () => {
    const collector = new OutputCollector();
    collector.note([{ at: 0, kind: 'rows' }]);
    collector.addOutput({ text: 'a\n1\n', upTo: Infinity, masks: [] });
    collector.addMessage('ERROR: no\n');
    expect(collector.results.map(({ truncated }) => truncated)).toEqual([true, false]);
  });

  it('are the whole output where the target has no statements', () => {
    const collector = new OutputCollector();
    collector.addOutput({ text: 'said ', upTo: Infinity, masks: [] });
    collector.addOutput({ text: 'back', upTo: Infinity, masks: [] });
    expect(collector.results).toEqual([{ kind: 'text', output: 'said back', truncated: false }]);
  });

  it('are bounded in number, and nothing is lost', () => {
    const collector = new OutputCollector();
    const results = Array.from(
      { length: 3 * MAX_RESULTS },
      () => ({ kind: 'command', output: 'DO\n' }) as const,
    );
    collector.note(marksOf(results));
    collector.addOutput({ text: 'DO\n'.repeat(results.length), upTo: Infinity, masks: [] });
    collector.addMessage('NOTICE: last\n');
    expect(collector.results.length).toBe(MAX_RESULTS + 1);
    expect(collector.results.at(-1)).toEqual({
      kind: 'text',
      output: `${'DO\n'.repeat(2 * MAX_RESULTS)}NOTICE: last\n`,
      truncated: false,
    });
  });

  it('are bounded together as the output is', () => {
    const collector = new OutputCollector();
    const half = 'é'.repeat(MAX_OUTPUT_BYTES / 4 - 1);
    collector.note(marksOf(['rows', 'rows', 'rows', 'rows'].map(() => ({ kind: 'rows', output: half }))));
    for (let i = 0; i < 4; i++) collector.addOutput({ text: half, upTo: Infinity, masks: [] });
    expect(collector.results.map(({ truncated }) => truncated)).toEqual([false, false, true]);
    expect(collector.results.map(({ output }) => output).join('')).toBe(collector.text);
    expect(Buffer.byteLength(collector.text)).toBe(MAX_OUTPUT_BYTES);
    expect(collector.truncated).toBe(true);
  });
});
