import { isDeepStrictEqual } from 'node:util';
import * as fc from '../../../test/support/fast-check';
import { detector, pattern, words } from '../../../test/support/rule-entries';
import { applied, cutAt, engineOf, screen } from '../../../test/support/screening';
import { entries, text } from '../../../test/support/telling-texts';
import type { Mask, Screened } from '../../gate/ports/guardrails';
import { volume } from '../../../test/support/volume';

/** Lines without a hit: enough that the lines before them and after them cannot form one hit. */
const PLAIN = 'plain text that no rule looks for\n'.repeat(20);
const line = fc.oneof(
  { weight: 3, arbitrary: text.map((one) => `${one}\n`) },
  { weight: 2, arbitrary: fc.constant(PLAIN) },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\t\n', 'drop\n', 'table\n', 'é ж 日\n', '😀\n') },
);
const chunks = fc.array(
  fc.array(line, { maxLength: 6 }).map((lines) => lines.join('')),
  { minLength: 1, maxLength: 4 },
);

describe('a screen of lines', () => {
  it('comes to what a screen of the whole text comes to, wherever the lines are cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(entries, chunks, async (made, pieces) => {
        const engine = engineOf(...made.map((one) => ({ ...one, action: 'mask' as const })));
        const whole = await screen(engine, [pieces.join('')]);
        const lines = await screen(engine, pieces, 'lines');
        expect([made, pieces, lines.released]).toEqual([made, pieces, whole.released]);
        expect(applied(pieces.join(''), lines.masks)).toBe(whole.released);
      }),
      { numRuns: volume(200, 1_500) },
    );
  });

  it('comes to the same where some lines come as texts, cut anywhere', async () => {
    const pieces = fc.array(fc.tuple(line, fc.boolean(), fc.array(fc.nat(600), { maxLength: 3 })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(entries, pieces, async (made, mixed) => {
        const engine = engineOf(...made.map((one) => ({ ...one, action: 'mask' as const })));
        const stream = mixed.map(([one]) => one).join('');
        const whole = await screen(engine, [stream]);
        const open = engine.openScreen();
        const released: string[] = [];
        const masks: Mask[] = [];
        const take = (screened: Screened<Buffer | string>): void => {
          if (screened.kind === 'block') throw new Error('nothing blocks');
          released.push(screened.text.toString());
          masks.push(...screened.masks);
        };
        for (const [one, isText, where] of mixed) {
          if (isText) for (const piece of cutAt(one, where)) take(await open.push(piece));
          else take(await open.pushLines(Buffer.from(one)));
        }
        take(await open.finish());
        expect([made, mixed, released.join('')]).toEqual([made, mixed, whole.released]);
        expect(applied(stream, masks)).toBe(whole.released);
      }),
      { numRuns: volume(120, 1_000) },
    );
  });

  it('finds each of very many hits in one line', async () => {
    const engine = engineOf(detector(['email', 'payment_card'], { action: 'mask', keep_last: 4 }));
    const count = volume(300_000, 1_200_000);
    const open = engine.openScreen();
    let found = 0;
    let isExact = true;
    const take = (screened: Screened): void => {
      if (screened.kind === 'block') throw new Error('nothing blocks');
      for (const { start, end, replacement } of screened.masks) {
        isExact &&= start === found * 8 && end === start + 7 && replacement === '****.com';
        found += 1;
      }
      isExact &&= screened.text === '****.com '.repeat(screened.text.length / 9);
    };
    for (let at = 0; at < count; at += 4_096)
      take(await open.push('a@a.com '.repeat(Math.min(4_096, count - at))));
    take(await open.finish());
    expect([found, isExact]).toEqual([count, true]);
  });

  it('blocks what a screen of the whole text blocks, and lets go nothing of it', async () => {
    let blocked = 0;
    await fc.assert(
      fc.asyncProperty(entries, chunks, async (made, pieces) => {
        const engine = engineOf(...made);
        const whole = await screen(engine, [pieces.join('')]);
        const lines = await screen(engine, pieces, 'lines');
        expect([made, pieces, lines.blocked]).toEqual([made, pieces, whole.blocked]);
        if (lines.blocked) blocked++;
        else expect(lines.released).toBe(whole.released);
      }),
      { numRuns: volume(120, 700) },
    );
    expect(blocked).toBeGreaterThan(fc.runs(volume(8, 50)));
  });

  it('finds what goes on from line to line, and over blank ones', async () => {
    const engine = engineOf(words(['drop table'], { action: 'mask' }));
    const found = await screen(engine, [`${PLAIN}drop\n`, '\n\t\n'.repeat(300), `table\n${PLAIN}`], 'lines');
    expect(found.released).toBe(`${PLAIN}****\n${PLAIN}`);
    const inOne = await screen(engine, [`${PLAIN}drop\n${'\n\t\n'.repeat(300)}table\n${PLAIN}`], 'lines');
    expect(inOne.released).toBe(`${PLAIN}****\n${PLAIN}`);
    const apart = await screen(engine, [`drop\n${PLAIN}`, 'table\n'], 'lines');
    expect(apart.released).toBe(`drop\n${PLAIN}table\n`);
  });

  it.each([
    ['each line', 1],
    ['each hundredth line', 100],
    ['each third line', 3],
  ])('finds all of it in %s, in chunks of any size', async (_, every) => {
    const rules = [
      detector(['email', 'payment_card'], { action: 'mask' }),
      pattern('tok(en|yo)', { action: 'mask' }),
    ];
    const engine = engineOf(...rules);
    const values = [
      'a token',
      'grace@example.com',
      'é',
      '4111 1111 1111 1111',
      'a\\nb@example.com',
      '5105105105105100',
    ];
    const rows = Array.from({ length: 12_000 }, (_, index) =>
      index % every === 0
        ? `${index}\t${values[(index / every) % values.length]}\t1.50\n`
        : `${index}\tCustomer\t1.50\n`,
    );
    const whole = await screen(engine, [rows.join('')]);
    expect(whole.masks.length).toBeGreaterThanOrEqual(80);
    for (const size of [1, 700, 12_000]) {
      const pieces = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
        rows.slice(index * size, (index + 1) * size).join(''),
      );
      const lines = await screen(engine, pieces, 'lines');
      expect(lines.released === whole.released).toBe(true);
      // Not `toEqual`, which would print thousands of masks if they differ.
      expect(isDeepStrictEqual(lines.masks, whole.masks)).toBe(true);
    }
  });
});
