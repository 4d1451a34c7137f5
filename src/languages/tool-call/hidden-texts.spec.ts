import { someOf, volume } from '../../../test/support/volume';
import { hiddenTexts } from './hidden-texts';

/** A message may be longer by default (MCP_MESSAGE_MB). */
const UNITS = volume(10, 16) * 1024 * 1024;

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
});
