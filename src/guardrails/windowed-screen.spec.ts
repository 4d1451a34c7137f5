import * as fc from 'fast-check';
import { CompiledRules, compileRule } from './compiled-rules';
import { LOOK_BACK } from './windowed-screen';

/** Screens a stream that comes in pieces. Returns what was released, and whether a hit stopped it. */
function screen(pieces: readonly string[], pattern = 'secret'): { released: string; blocked: boolean } {
  const entry = { type: 'pattern_match' as const, words: [], pattern_regex: pattern };
  const rule = { id: '1', name: 'r', input: { rules: [] }, output: { rules: [entry] } };
  const open = new CompiledRules([compileRule(rule)]).openScreen();
  let released = '';
  for (const push of [...pieces.map((piece) => () => open.push(piece)), () => open.finish()]) {
    const screened = push();
    if (screened.kind === 'block') return { released, blocked: true };
    released += screened.text;
  }
  return { released, blocked: false };
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

const cuts = fc.array(fc.nat({ max: 3 * LOOK_BACK }), { maxLength: 12 });
const clean = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/secret/.test(text));

describe('the screen of output', () => {
  it('hides no hit at any single cut', () => {
    const text = `${'.'.repeat(10)}secret${'.'.repeat(10)}`;
    for (let cut = 0; cut <= text.length; cut++) {
      const { released, blocked } = screen([text.slice(0, cut), text.slice(cut)]);
      expect(blocked).toBe(true);
      expect('.'.repeat(10).startsWith(released)).toBe(true);
    }
  });

  it('finds a hit wherever it stands and the stream is cut, and releases nothing of it', () => {
    fc.assert(
      fc.property(fc.nat(2 * LOOK_BACK), fc.nat(2 * LOOK_BACK), cuts, (before, after, where) => {
        const text = `${'.'.repeat(before)}secret${'.'.repeat(after)}`;
        const { released, blocked } = screen(cutAt(text, where));
        expect(blocked).toBe(true);
        expect(released).toBe('.'.repeat(released.length));
        expect(released.length).toBeLessThanOrEqual(before);
      }),
    );
  });

  it('finds a hit as long as the window, one character at a time', () => {
    const hit = `<${'-'.repeat(LOOK_BACK - 2)}>`;
    const { released, blocked } = screen(`${'.'.repeat(100)}${hit}`.split(''), '<-+>');
    expect(blocked).toBe(true);
    expect('.'.repeat(100).startsWith(released)).toBe(true);
  });

  it('releases exactly what it was given when there is no hit, wherever the stream is cut', () => {
    fc.assert(
      fc.property(clean, fc.nat(300), cuts, (text, times, where) => {
        const whole = `${text} `.repeat(times);
        expect(screen(cutAt(whole, where))).toEqual({ released: whole, blocked: false });
      }),
    );
  });

  it('never releases half a character', () => {
    const text = '🂡'.repeat(LOOK_BACK);
    const open = new CompiledRules([
      compileRule({
        id: '1',
        name: 'r',
        input: { rules: [] },
        output: { rules: [{ type: 'deny_words_list', words: ['x'], pattern_regex: '' }] },
      }),
    ]).openScreen();
    for (const piece of [text, '.', text, '..']) {
      const screened = open.push(piece);
      expect(screened.kind === 'pass' && /\p{Surrogate}/u.test(screened.text)).toBe(false);
    }
  });

  it('holds nothing back where there are no rules', () => {
    const open = new CompiledRules([]).openScreen();
    expect(open.push('secret')).toEqual({ kind: 'pass', text: 'secret' });
    expect(open.finish()).toEqual({ kind: 'pass', text: '' });
  });
});
