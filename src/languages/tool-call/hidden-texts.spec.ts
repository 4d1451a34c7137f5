import { IS_LONG, someOf, volume } from '../../../test/support/volume';
import { jsonShapes } from '../../../bench/bodies/texts.mjs';
import { callViews } from './call-views';
import { hiddenTexts } from './hidden-texts';

/** Length of the texts in this test. The long form uses the default limit of a message (MCP_MESSAGE_MB). */
const UNITS = volume(10, 16) * 1024 * 1024;

/** Length of the nested tool call arguments, in UTF-16 code units. */
const NESTED = 700_000;

describe('the texts that a text holds', () => {
  // Tests long texts, because a regular expression with a repetition may fail on so long a match.
  it.each(
    someOf(
      [
        'a',
        '%41',
        ' ',
        '\\u0041',
        '-_',
        '0',
        '\n',
        '=',
        '%',
        '\\',
        '"',
        '[',
        '{"a":',
        'data:,',
        'ä',
        '\0',
        'Zm9v',
      ],
      4,
    ),
  )('are read in megabytes of %j', (piece) => {
    const { texts, complete } = hiddenTexts(piece.repeat(Math.floor(UNITS / piece.length)));
    expect([Array.isArray(texts), typeof complete]).toEqual([true, 'boolean']);
  });

  it('are read in percent escapes of the size of the largest message', () => {
    const secret = 'here is the secret';
    const escapes =
      '%41'.repeat(5_592_000) + [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join('');
    expect(hiddenTexts(escapes).texts.some((text) => text.endsWith(`A${secret}`))).toBe(true);
  });

  it('are found at the end of megabytes, in base64 without a gap', () => {
    const secret = 'here is the secret';
    const words = `${'lorem ipsum '.repeat(250_000)}${secret}`;
    expect(
      hiddenTexts(Buffer.from(words).toString('base64')).texts.some((text) => text.endsWith(secret)),
    ).toBe(true);
  });

  // Tests a short and a long document, because a long document is read in steps, and a short one at once.
  it.each([0, 70_000])(
    'are the leaves of a document, also where a name comes twice, behind %d spaces',
    (spaces) => {
      const within = `{"a":"Zm9v\\u0021","a":[1e2,"bar"],"n":${' '.repeat(spaces)}null}`;
      expect(hiddenTexts(within).texts).toEqual(expect.arrayContaining(['Zm9v!', '100', 'bar', 'a', 'n']));
      // A text that is not valid JSON has no leaves.
      expect(hiddenTexts(`${within},`).texts).not.toContain('bar');
      expect(hiddenTexts(within.replace('null', 'nil')).texts).not.toContain('bar');
    },
  );

  it('are not complete where a document has too many levels or leaves', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}"bar"${']'.repeat(levels)}`;
    expect(hiddenTexts(nested(10_000))).toMatchObject({ texts: ['bar'], complete: true });
    expect(hiddenTexts(nested(10_001)).complete).toBe(false);
    // Brackets inside a string are not levels of nesting.
    expect(hiddenTexts(JSON.stringify({ a: `x${'['.repeat(20_000)}` })).complete).toBe(true);
    const list = (leaves: number): string => JSON.stringify(Array.from({ length: leaves }, () => 1));
    expect(hiddenTexts(list(100_000))).toMatchObject({ texts: ['1'], complete: true });
    expect(hiddenTexts(list(100_001)).complete).toBe(false);
  });

  // Code that takes quadratic time would need minutes for each of these texts.
  it('are read where much white space is followed by what is no base64', () => {
    const spaces = `abcdef${' '.repeat(60_000)}!`;
    for (let text = 0; text < 200; text += 1) expect(hiddenTexts(`${text}${spaces}`).complete).toBe(true);
  });

  // In the short form, each JSON shape is tried with only one of the two leaf values. Nested arrays get the
  // shorter leaf value, because then more levels fit into the text.
  const shapes = [...jsonShapes()].filter(({ name }) => name.includes('\\'));
  const halves = [shapes.slice(1, shapes.length / 2), shapes.slice(shapes.length / 2)];
  it.each(IS_LONG ? shapes : halves.flatMap((half) => someOf(half, 2)))(
    'are read in arguments: $name',
    ({ make }) => {
      const views = callViews(`{"arguments":${make(NESTED)},"name":"x"}`);
      let next = views.next();
      while (next.done !== true) next = views.next();
      expect(typeof next.value).toBe('boolean');
    },
  );
});
