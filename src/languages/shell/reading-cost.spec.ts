import { SeededRandom } from '../../../test/guardrails/corpus/random';
import { SEED } from '../../../test/support/seed';
import { volume } from '../../../test/support/volume';
import { canonicalShell } from './canonical/canonical-text';
import { parseShell } from './parser';
import { TextCursor } from './reading/cursor';

/** Pieces of which costly texts are made: what opens, what closes, and what reads others again. */
const PIECES =
  `rm x|a| |\n|;|'|"|\\|$(|)|(|\`|&|{|}|if |case a in |a) |esac|;;|<<E\n|<<-E\n|<<'E'\n|E\n|((|))|[[ | ]]|#|$'|\${x:-|\${|$x|"$@"|&>|>(|<(|<|>|for i in |do |f()|a=(|a=|a[|]=|]|eval '|sh -c '|trap |time |$((|$[|@(|=~ |*|?|{a,|,b}|,|..|\\\n|\t|sudo |env |env -x |docker run |find -exec | \\; |xargs |sed |s/a/b/|awk |A=b |-x |--x |git -c |alias |\\'|\\\\|\\"|😀|[|{1..3}|"$(|)"|''|<<a <<b |export a=b |cat <<E\n\\\n|.|-|1|-static|ssh -p a |/`.split(
    '|',
  );

/**
 * Maximum number of characters that are read for a text of this length: of the text, and of the texts that it
 * runs, which have a bound together. Each is looked at several times.
 */
const mostRead = (length: number): number => 20 * (8 * length + 16 * 1024);

/** Makes a text of about this length: repeated pieces, a middle, and more repeated pieces. */
type Shape = (length: number) => string;

function shapeFrom(random: SeededRandom): Shape {
  const some = (most: number): string =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(PIECES)).join('');
  const [before, opening, middle, closing] = [
    random.below(3) === 0 ? some(2) : '',
    some(4),
    some(2),
    some(3),
  ];
  const isClosed = random.below(2) === 0;
  return (length) => {
    const times = Math.ceil(length / (opening.length + (isClosed ? closing.length : 0)));
    return before + opening.repeat(times) + middle + (isClosed ? closing.repeat(times) : '');
  };
}

describe(`reading a script, of shapes from seed ${SEED}`, () => {
  let read = 0;
  const char = Object.getOwnPropertyDescriptor(TextCursor.prototype, 'char') ?? {};

  // Not a spy of Jest, which would keep each of millions of calls.
  beforeAll(() => {
    Object.defineProperty(TextCursor.prototype, 'char', {
      configurable: true,
      get(this: TextCursor) {
        read += 1;
        return this.text.charAt(this.at);
      },
    });
  });
  afterAll(() => void Object.defineProperty(TextCursor.prototype, 'char', char));

  const readFor = (work: (text: string) => unknown, text: string): number => {
    read = 0;
    work(text);
    return read;
  };

  it.each([
    ['facts', parseShell],
    ['canonical text', canonicalShell],
  ])('for its %s takes work in proportion to its length', (_, work) => {
    const random = new SeededRandom(SEED);
    const wrong: object[] = [];
    for (let count = 0; count < volume(50, 1_500); count += 1) {
      const shape = shapeFrom(random);
      for (const text of [shape(500), shape(volume(6_000, 16_000))]) {
        const characters = readFor(work, text);
        if (characters > mostRead(text.length))
          wrong.push({ shape: shape(1), characters, length: text.length });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('reads a name that ends in a long run of dots, or of versions', () => {
    for (const piece of ['..', '-static', '-1.', '.-static'])
      expect(parseShell(`${piece.repeat(2_000)}{1..3}`).kind).toBe('commands');
  });

  it('finds facts whose size is in proportion to its length', () => {
    const random = new SeededRandom(SEED + 1);
    const wrong: object[] = [];
    for (let count = 0; count < volume(50, 1_500); count += 1) {
      const text = shapeFrom(random)(2_000);
      const size = JSON.stringify(parseShell(text)).length;
      if (size > 500 * text.length) wrong.push({ size, text: text.slice(0, 200) });
    }
    expect(wrong).toEqual([]);
  });
});
