import { detector, pattern, words } from '../../test/support/rule-entries';
import { engineOf } from '../../test/support/screening';
import { GuardrailEngine } from './engine/guardrail-engine';
import { plainText } from '../languages/plain';

const LOOK_BACK = 4_096;

describe('the screen of output, at its limits', () => {
  it('stays stopped once it was, and once it failed', async () => {
    const open = engineOf(words(['secret'])).openScreen();
    await open.push('the secret');
    const stopped = await open.finish();
    expect(stopped.kind).toBe('block');
    expect(await open.push('harmless')).toEqual(stopped);
    expect(await open.finish()).toEqual(stopped);
    const failing = new GuardrailEngine(
      [{ id: '1', name: 'r', input: { rules: [] }, output: { rules: [words(['x'])] } }],
      plainText,
      { run: () => Promise.reject(new Error('the thread died')) },
    ).openScreen();
    for (let i = 0; i < 3; i++)
      await expect((async () => failing.push('x'.repeat(50_000)))()).rejects.toThrow('the thread died');
    await expect((async () => failing.finish())()).rejects.toThrow('the thread died');
  });

  it('gives others their turn in a chunk of any length', async () => {
    const open = engineOf(detector(['email'], { action: 'mask' })).openScreen();
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    const screened = await open.push('a@b.co '.repeat(300_000));
    clearInterval(others);
    expect(screened.kind === 'pass' && screened.masks.length).toBeGreaterThan(290_000);
    expect(turns).toBeGreaterThan(20);
  });

  it('never releases half a character', async () => {
    const open = engineOf(words(['x'])).openScreen();
    for (const piece of ['🂡'.repeat(3 * LOOK_BACK), '.', '🂡'.repeat(2 * LOOK_BACK), '..']) {
      const screened = await open.push(piece);
      expect(screened.kind === 'pass' && /\p{Surrogate}/u.test(screened.text)).toBe(false);
    }
  });

  it('holds at most twice the look-back, for a stream of any length', async () => {
    const open = engineOf(words(['nowhere']), pattern('no.+here', { action: 'mask' })).openScreen();
    let given = 0;
    let released = 0;
    for (let i = 0; i < 3_000; i++) {
      const chunk = 'row '.repeat(1 + (i % 300));
      given += chunk.length;
      const screened = await open.push(chunk);
      if (screened.kind === 'block') throw new Error('there was nothing to block');
      released += screened.text.length;
      expect(screened.upTo).toBe(released);
      expect(given - released).toBeLessThanOrEqual(2 * LOOK_BACK);
    }
  });

  it('goes on masking where a match is longer than it can hold', async () => {
    const engine = engineOf(pattern('<[^>]*>?', { action: 'mask' }));
    const open = engine.openScreen();
    let released = '';
    for (let i = 0; i < 20; i++) {
      const screened = await open.push(i === 0 ? `<${'-'.repeat(LOOK_BACK)}` : '-'.repeat(LOOK_BACK));
      if (screened.kind === 'pass') released += screened.text;
    }
    expect(released.startsWith('****')).toBe(true);
  });

  it('holds nothing back where there are no rules', async () => {
    const open = engineOf().openScreen();
    expect(await open.push('secret')).toEqual({ kind: 'pass', text: 'secret', upTo: 6, masks: [] });
    expect(await open.finish()).toEqual({ kind: 'pass', text: '', upTo: 6, masks: [] });
  });

  it('tells a hit by its place in the stream', async () => {
    const open = engineOf(pattern('sec(ret)+')).openScreen();
    await open.push('.'.repeat(10_000));
    await open.push('secretret');
    const end = await open.finish();
    expect(end).toMatchObject({
      kind: 'block',
      hit: { index: 0, direction: 'output', findings: [{ start: 10_000, end: 10_009, text: 'secretret' }] },
    });
  });
});
