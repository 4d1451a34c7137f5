import { IS_LONG, someOf, volume } from '../../../test/support/volume';
import { jsonShapes } from '../../../bench/bodies/texts.mjs';
import { callViews } from './call-views';
import { hiddenTexts } from './hidden-texts';

/** A message may be longer by default (MCP_MESSAGE_MB). */
const UNITS = volume(10, 16) * 1024 * 1024;

/** UTF-16 code units of arguments. */
const NESTED = 700_000;

describe('the texts that a text holds', () => {
  // What matches a repetition without end is what a regular expression may not have the room for.
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

  it('are found at the end of megabytes, in base64 without a gap', () => {
    const secret = 'here is the secret';
    const words = `${'lorem ipsum '.repeat(250_000)}${secret}`;
    expect(
      hiddenTexts(Buffer.from(words).toString('base64')).texts.some((text) => text.endsWith(secret)),
    ).toBe(true);
  });

  // With the square of the length, each of these would take minutes.
  it('are read where much white space is followed by what is no base64', () => {
    const spaces = `abcdef${' '.repeat(60_000)}!`;
    for (let text = 0; text < 200; text += 1) expect(hiddenTexts(`${text}${spaces}`).complete).toBe(true);
  });

  // In the short form each shape is tried with one of the two texts: nested ones with the one of which there are more.
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
