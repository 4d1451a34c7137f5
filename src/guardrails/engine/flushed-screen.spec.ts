import * as fc from '../../../test/support/fast-check';
import { pattern, words } from '../../../test/support/rule-entries';
import { applied, cutAt, engineOf } from '../../../test/support/screening';

const LOOK_BACK = 4_096;

const cuts = fc.array(fc.nat({ max: 6 * LOOK_BACK }), { maxLength: 12 });

describe('the screen of output that a person waits for', () => {
  /** Pushes chunks and flushes after each. Returns what was released, with what blocked or masked it. */
  const flushed = async (engine: ReturnType<typeof engineOf>, chunks: readonly string[]) => {
    const open = engine.openScreen();
    let released = '';
    let masks = 0;
    for (const chunk of chunks)
      for (const step of [() => open.push(chunk), () => open.flush()]) {
        const screened = await step();
        if (screened.kind === 'block') return { released, masks, isBlocked: true };
        released += screened.text;
        masks += screened.masks.length;
      }
    const last = await open.finish();
    if (last.kind === 'block') return { released, masks, isBlocked: true };
    return { released: released + last.text, masks: masks + last.masks.length, isBlocked: false };
  };

  it('gives it all at once, and holds nothing back', async () => {
    const open = engineOf(words(['secret'])).openScreen();
    await open.push('Name: ');
    expect(await open.flush()).toMatchObject({ kind: 'pass', text: 'Name: ' });
    await open.push('bob\n');
    expect(await open.flush()).toMatchObject({ kind: 'pass', text: 'bob\n', upTo: 10 });
  });

  it('finds a hit wherever it is cut, however far apart, and never releases its end', async () => {
    const engine = engineOf(pattern('secret'));
    const place = fc.nat(2 * LOOK_BACK);
    await fc.assert(
      fc.asyncProperty(place, place, cuts, async (before, after, where) => {
        const text = `${'.'.repeat(before)}secret${'.'.repeat(after)}`;
        const { released, isBlocked } = await flushed(engine, cutAt(text, where));
        expect(isBlocked).toBe(true);
        expect(released).not.toContain('secret');
      }),
    );
  });

  it('is found by a screen that continues another one, as if there was one', async () => {
    const engine = engineOf(pattern('secret', { action: 'mask' }), pattern('^[ab]+', { action: 'mask' }));
    const texts = fc.array(fc.constantFrom('sec', 'ret', 'secret', 'ab', ' ', '\n', '.'.repeat(LOOK_BACK)));
    await fc.assert(
      fc.asyncProperty(texts, texts, async (first, second) => {
        const [before, after] = [first.join(''), second.join('')];
        const former = engine.openScreen();
        const shown = [await former.push(before), await former.flush()];
        const next = engine.openScreen(undefined, former.before);
        const rest = [await next.push(after), await next.finish()];
        const released = [...shown, ...rest].map((screened) => 'text' in screened && screened.text);
        expect(released.join('')).toBe((await flushed(engine, [before, after])).released);
        const masks = rest.flatMap((screened) => ('masks' in screened ? screened.masks : []));
        expect(applied(after, masks)).toBe(released.slice(2).join(''));
      }),
    );
  });

  it('masks the part of a hit that was not released', async () => {
    const engine = engineOf(words(['secret'], { action: 'mask' }));
    expect(await flushed(engine, ['a sec', 'ret b secret c'])).toEqual({
      released: 'a sec**** b **** c',
      masks: 2,
      isBlocked: false,
    });
    expect((await flushed(engine, [...'one secret two'])).released).toBe('one secre**** two');
  });

  it('releases a text without a hit as it is, wherever it is cut', async () => {
    const engine = engineOf(words(['secret']), pattern('h[aeiou]ll', { action: 'mask' }));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), cuts, async (text, where) => {
        fc.pre(!/secret|h[aeiou]ll/i.test(text.normalize('NFKC')));
        const chunks = cutAt(text, where);
        fc.pre(chunks.every((chunk) => chunk.isWellFormed()));
        expect((await flushed(engine, chunks)).released).toBe(text);
      }),
    );
  });
});
