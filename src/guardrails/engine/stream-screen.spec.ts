import * as fc from '../../../test/support/fast-check';
import { canonicalPlain } from '../../languages/plain';
import { detector, pattern, words } from '../../../test/support/rule-entries';
import { applied, cutAt, engineOf, screen } from '../../../test/support/screening';

const LOOK_BACK = 4_096;

const cuts = fc.array(fc.nat({ max: 6 * LOOK_BACK }), { maxLength: 12 });

describe('the screen of output', () => {
  it.each([
    ['a pattern', pattern('secret')],
    ['a word', words(['SECRET'])],
    ['a whole word', words(['secret'], { whole_word: true })],
    ['a word with a space, written otherwise', words(['se cret']), 'se\t\u200b \u00a0cret'],
    ['a pattern, in full-width letters', pattern('secret'), 'ｓｅｃｒｅｔ'],
    ['a word, with invisible characters', words(['secret']), 'se\u200dcr\u00adet'],
    ['a word in binary data', words(['secret']), String.raw`\\x736563726574`],
    [
      'a card in binary data',
      detector(['payment_card']),
      `\\\\x${'4111111111111111'.replaceAll(/./g, '3$&')}`,
    ],
  ])('hides no hit of %s at any place and any cut', async (_, entry, text = 'secret') => {
    const engine = engineOf(entry);
    // Puts the hit near the offsets at which the screen settles text.
    for (const before of [0, 1, LOOK_BACK - 3, LOOK_BACK, 2 * LOOK_BACK - 4, 2 * LOOK_BACK, 3 * LOOK_BACK]) {
      const stream = `${'.'.repeat(before)}${text}${'.'.repeat(LOOK_BACK + 7)}`;
      for (let cut = before; cut <= before + text.length; cut++) {
        const { released, blocked } = await screen(engine, [stream.slice(0, cut), stream.slice(cut)]);
        expect([before, cut, blocked]).toEqual([before, cut, true]);
        expect(released).toBe('.'.repeat(released.length));
        expect(released.length).toBeLessThanOrEqual(before);
      }
    }
  });

  it('finds a hit wherever it stands and the stream is cut, and releases nothing of it', async () => {
    const engine = engineOf(pattern('secret'));
    const place = fc.nat(3 * LOOK_BACK);
    await fc.assert(
      fc.asyncProperty(place, place, cuts, async (before, after, where) => {
        const text = `${'.'.repeat(before)}secret${'.'.repeat(after)}`;
        const { released, blocked } = await screen(engine, cutAt(text, where));
        expect(blocked).toBe(true);
        expect(released).toBe('.'.repeat(released.length));
        expect(released.length).toBeLessThanOrEqual(before);
      }),
    );
  });

  it('finds a hit as long as the look-back, and a word of any length, one character at a time', async () => {
    const long = `<${'-'.repeat(LOOK_BACK - 2)}>`;
    const longer = `<${'-'.repeat(5 * LOOK_BACK)}>`;
    for (const [entry, hit] of [
      [pattern('<-+>'), long],
      [words([longer]), longer],
    ] as const) {
      const { released, blocked } = await screen(engineOf(entry), `${'.'.repeat(100)}${hit}`.split(''));
      expect(blocked).toBe(true);
      expect('.'.repeat(100).startsWith(released)).toBe(true);
    }
  });

  it('sees no border where the stream is only cut', async () => {
    const engine = engineOf(
      pattern('^b'),
      pattern('a$'),
      pattern('\\bb\\b'),
      words(['b'], { whole_word: true }),
    );
    const text = 'ab'.repeat(3 * LOOK_BACK);
    await fc.assert(
      fc.asyncProperty(cuts, async (where) => {
        expect(await screen(engine, cutAt(text, where))).toMatchObject({ released: text, blocked: false });
      }),
      { numRuns: 30 },
    );
  });

  it('comes to one result wherever the stream is cut: what is blocked, what is masked, what is released', async () => {
    const engine = engineOf(
      words(['secret'], { action: 'mask', keep_last: 2 }),
      pattern('[a-c]+x', { action: 'mask' }),
      pattern('\\bq\\d{2}\\b', { action: 'mask', keep_last: 1 }),
      words(['Ä b'], { action: 'mask' }),
      pattern('stop!'),
      detector(['email', 'payment_card'], { action: 'mask' }),
    );
    const piece = fc.constantFrom(
      'secret', 'SECRET', 'abcabcx', 'abx', 'q12', 'xq12', 'q123', 'ä  b', 'Ä\tb', 'ａｂｘ', '\u200b', '🂡', 'ü', ' ', '\n',
      'a.b@example.com', '4111 1111 1111 1111', '-', 'stop', 'word ', '0123456789',
    ); // prettier-ignore
    const text = fc
      .tuple(fc.array(piece, { maxLength: 60 }), fc.nat(3 * LOOK_BACK), fc.array(piece, { maxLength: 60 }))
      .map(([before, fill, after]) => `${before.join('')}${' ~ '.repeat(fill / 3)}${after.join('')}`);
    await fc.assert(
      fc.asyncProperty(text, cuts, async (stream, where) => {
        const whole = await screen(engine, [stream]);
        expect(await screen(engine, cutAt(stream, where))).toEqual(whole);
        expect(whole.blocked).toBe(false);
        expect(applied(stream, whole.masks)).toBe(whole.released);
        expect(whole.released).not.toMatch(/secret|SECRET|[a-c]x/);
      }),
      { numRuns: 300 },
    );
  });

  it('tells where the masks are, so that rows can be rebuilt from their own fields', async () => {
    const engine = engineOf(detector(['email'], { action: 'mask' }));
    const rows = [['1', 'ann@example.com', 'x'], ['2', 'nobody', 'write to bob@example.org now']]; // prettier-ignore
    const rendered = rows.map((row) => `${row.join('\t')}\n`).join('');
    const { masks } = await screen(engine, rendered.split(''));
    let at = 0;
    const rebuilt = rows.map((row) =>
      row.map((field) => {
        const start = at;
        at += field.length + 1;
        return applied(
          field,
          masks
            .filter((mask) => mask.start >= start && mask.end <= start + field.length)
            .map((mask) => ({ ...mask, start: mask.start - start, end: mask.end - start })),
        );
      }),
    );
    expect(rebuilt).toEqual([['1', '****', 'x'], ['2', 'nobody', 'write to **** now']]); // prettier-ignore
    expect(masks.map(({ label, bytes }) => [label, bytes])).toEqual([
      ['email', 15],
      ['email', 15],
    ]);
  });

  it('keeps the last characters that the entry allows, but never all of a match', async () => {
    const masked = async (keep_last: number, text: string) =>
      (await screen(engineOf(pattern('[a-z🂡]+', { action: 'mask', keep_last })), [text])).released;
    expect(await masked(4, 'abcdefgh 12')).toBe('****efgh 12');
    expect(await masked(4, 'abcd abc')).toBe('**** ****');
    expect(await masked(2, 'ab🂡🂡🂡')).toBe('****🂡🂡');
    expect(await masked(0, 'abcd')).toBe('****');
  });

  it('reads cells as they were before they were written as text', async () => {
    const escaped = 'ssn:\\n123-45-6789\t123-45-6789\ttop\\nsecret\tC:\\\\new\n';
    const ssn = pattern('\\b\\d{3}-\\d{2}-\\d{4}\\b', { action: 'mask' });
    expect((await screen(engineOf(ssn), escaped.split(''))).released).toBe(
      'ssn:\\n****\t****\ttop\\nsecret\tC:\\\\new\n',
    );
    expect((await screen(engineOf(words(['top secret'])), [escaped])).blocked).toBe(true);
    expect((await screen(engineOf(words(['secret'], { whole_word: true })), [escaped])).blocked).toBe(true);
    expect((await screen(engineOf(words(['c:\\new'])), [escaped])).blocked).toBe(true);
  });

  it('finds what is written around a control character that a cell was rendered with', async () => {
    const secret = engineOf(words(['secret'], { action: 'mask' }));
    expect((await screen(secret, ['1\ts\\becret\t2\n'])).released).toBe('1\t****\t2\n');
    expect((await screen(engineOf(pattern('sec(ret)+')), ['sec\\bret\n'])).blocked).toBe(true);
  });

  it('hides no block behind a mask, wherever the stream is cut', async () => {
    const mask = words(['A'.repeat(8)], { action: 'mask' });
    const block = words([`A${'x'.repeat(3_000)}`]);
    const stream = `${'.'.repeat(LOOK_BACK)}${'A'.repeat(8)}${'x'.repeat(3_000)}${'.'.repeat(3 * LOOK_BACK)}`;
    for (
      let cut = LOOK_BACK - 2;
      cut <= 2 * LOOK_BACK + 20;
      cut += cut > LOOK_BACK + 20 && cut < 2 * LOOK_BACK - 20 ? 97 : 1
    ) {
      const pieces = [
        stream.slice(0, cut),
        stream.slice(cut, cut + LOOK_BACK),
        stream.slice(cut + LOOK_BACK),
      ];
      expect([cut, (await screen(engineOf(mask, block), pieces)).blocked]).toEqual([cut, true]);
    }
  });

  it('lets the more reserved of two masks win where they overlap, and a block over both', async () => {
    const two = [
      pattern('\\d+', { action: 'mask', keep_last: 4 }),
      words(['12'], { action: 'mask' }),
    ] as const;
    expect((await screen(engineOf(...two), ['a123456b'])).released).toBe('a****b');
    expect(await screen(engineOf(...two, pattern('345')), ['a123456b'])).toMatchObject({
      released: '',
      blocked: true,
    });
  });

  it('releases exactly what it was given when there is no hit, wherever the stream is cut', async () => {
    const engine = engineOf(pattern('secret'), words(['nowhere']));
    const clean = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .filter((text) => !/secret|nowhere/i.test(canonicalPlain(text).text));
    await fc.assert(
      fc.asyncProperty(clean, fc.nat(300), cuts, async (text, times, where) => {
        const whole = `${text} `.repeat(times);
        expect(await screen(engine, cutAt(whole, where))).toEqual({
          released: whole,
          blocked: false,
          masks: [],
        });
      }),
    );
  });
});
