import * as fc from '../../../../test/support/fast-check';
import { TerminalReplay } from './terminal-replay';

const ESC = '\u001b';

function played(...pieces: readonly string[]): string {
  const replay = new TerminalReplay();
  return pieces.map((piece) => replay.write(piece)).join('');
}

/** All that may be left when the text of a player is taken away. */
const SAFE = new RegExp(
  [
    String.raw`${ESC}\[[0-9;:]*[@-HIJKLMPSTXZ\x60adefgmrsu]`,
    String.raw`${ESC}\[\d{0,3}b`,
    String.raw`${ESC}\[\?[0-9;]+[hl]`,
    String.raw`${ESC}\[(?:4[hl]|!p)`,
    String.raw`${ESC}(?:[78DEHMc]|[()][AB0])`,
    String.raw`[\b\t\n\r\u000e\u000f]`,
    String.raw`[^\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`,
  ].join('|'),
  'gu',
);

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.constantFrom(
    ESC,
    `${ESC}[`,
    `${ESC}]`,
    `${ESC}\\`,
    `${ESC}P`,
    `${ESC}(`,
    `${ESC}[?1049h`,
    `${ESC}[?1000h`,
    `${ESC}[38;2;1;2;3m`,
    `${ESC}[6n`,
    `${ESC}]52;c;ZXZpbA==\u0007`,
    `${ESC}]0;title`,
    '\u0007',
    '\u009b',
    '\u009d',
    '\u009c',
    '\u0018',
    '\u202e',
    '1',
    ';',
    'm',
    'H',
    '\r\n',
    '9'.repeat(200),
  ),
);
const output = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));

describe('the output of a terminal that is played', () => {
  it.each([
    ['colors', `${ESC}[1;38;5;196mred${ESC}[0m`],
    ['positions', `${ESC}[2J${ESC}[H${ESC}[10;20Hx${ESC}[K${ESC}[3A${ESC}[2P`],
    ['the screen of an editor', `${ESC}[?1049h${ESC}[?25l~\r\n${ESC}[?25h${ESC}[?1049l`],
    ['lines of a drawing', `${ESC}(0lqqk${ESC}(B${ESC}7${ESC}8`],
    ['letters that are repeated', `-${ESC}[79b`],
    ['a part that scrolls', `${ESC}[1;24r${ESC}M${ESC}D`],
    ['a progress bar', '50 %\r100 %\b\b'],
  ])('has %s as they were', (_, text) => {
    expect(played(text)).toBe(text);
  });

  it.each([
    ['the clipboard', `a${ESC}]52;c;ZXZpbA==\u0007b`],
    ['a title', `a${ESC}]0;title${ESC}\\b`],
    ['a link', `${ESC}]8;;https://evil.example.com${ESC}\\ab${ESC}]8;;${ESC}\\`],
    ['a title in one character', 'a\u009d0;title\u009cb'],
    ['a text for a device', `a${ESC}P+q544e${ESC}\\b`],
    ['a message to the program', `a${ESC}_Gf=32;AAAA${ESC}\\b`],
    ['a question for its place', `a${ESC}[6nb`],
    ['a question for its kind', `a${ESC}[c${ESC}[>c${ESC}[=cb`],
    ['a question in one character', 'a\u009b6nb'],
    ['a window', `a${ESC}[8;1;1tb`],
    ['the mouse', `a${ESC}[?1000h${ESC}[?1006hb`],
    ['marked pastes', `a${ESC}[?2004hb`],
    ['a mode among others', `a${ESC}[?25;1000hb`],
    ['a bell', 'a\u0007b'],
    ['a letter that is repeated without end', `a${ESC}[99999bb`],
    ['a place that is too far', `a${ESC}[99999;1Hb`],
  ])('has nothing of %s', (_, text) => {
    expect(played(text)).toBe('ab');
  });

  it('shows what follows a text of its own that does not end', () => {
    const shown = played(`${ESC}]0;`, ...Array.from({ length: 100 }, () => 'x'.repeat(1000)), 'rm -rf /');
    expect(shown.length).toBeGreaterThan(30_000);
    expect(shown.endsWith('rm -rf /')).toBe(true);
  });

  it('shows directions of text as marks', () => {
    expect(played('\u202egpj.exe')).toBe('\ufffdgpj.exe');
  });

  it('has nothing else that a terminal obeys, wherever it is cut', () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(300), { maxLength: 8 }), (text, cuts) => {
        const ends = [...cuts, text.length].sort((a, b) => a - b);
        const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
        const shown = played(...pieces);
        expect(shown).toBe(played(text));
        expect(shown.replaceAll(SAFE, '')).toBe('');
      }),
    );
  });

  it('holds back no more than the longest sequence', () => {
    fc.assert(
      fc.property(output, (text) => {
        const replay = new TerminalReplay();
        for (const character of text) {
          replay.write(character);
          expect((Reflect.get(replay, 'held') as string).length).toBeLessThan(140);
        }
      }),
    );
  });
});
