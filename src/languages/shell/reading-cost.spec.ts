import { SeededRandom } from '../../../test/guardrails/corpus/random';
import { SEED } from '../../../test/support/seed';
import { someOf, volume } from '../../../test/support/volume';
import { canonicalShell } from './canonical/canonical-text';
import { parseShell } from './parser';
import { TextCursor } from './reading/cursor';

/** Pieces of which costly texts are made: what opens, what closes, and what reads others again. */
const PIECES =
  `rm x|a| |\n|;|'|"|\\|$(|)|(|\`|&|{|}|if |case a in |a) |esac|;;|<<E\n|<<-E\n|<<'E'\n|E\n|((|))|[[ | ]]|#|$'|\${x:-|\${|$x|"$@"|&>|>(|<(|<|>|for i in |do |f()|a=(|a=|a[|]=|]|eval '|sh -c '|trap |time |$((|$[|@(|=~ |*|?|{a,|,b}|,|..|\\\n|\t|sudo |env |env -x |docker run |find -exec | \\; |xargs |sed |s/a/b/|awk |A=b |-x |--x |git -c |alias |\\'|\\\\|\\"|😀|[|{1..3}|"$(|)"|''|<<a <<b |export a=b |cat <<E\n\\\n|.|-|1|-static|ssh -p a |/|*[|-[|[[|aaaa|$aaaa|\\\nb|find |-exec sh {} + |; } <<E\n|{a,b}|{c,d}|{a,{b,c}}|frob |"$x" |$y |--a=b |git config a.b |tar -I |xargs -n |for a in |\${a:=|[$(|flock a -c |-c a `.split(
    '|',
  );

/**
 * Maximum number of characters that are read for a text of this length: of the text, and of the texts that it
 * runs, which have a bound together. Each is looked at several times, and given to many patterns.
 */
const mostRead = (length: number): number => 200 * (8 * length + 16 * 1024);

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
  const exec = Object.getOwnPropertyDescriptor(RegExp.prototype, 'exec')!;
  const slice = Object.getOwnPropertyDescriptor(Array.prototype, 'slice')!;
  const copy = slice.value as (this: unknown[], ...range: number[]) => unknown[];
  const execute = exec.value as (this: RegExp, text: string) => RegExpExecArray | null;

  // No spies of Jest, which would keep each of millions of calls.
  beforeAll(() => {
    // A pattern may look at all of a text, also if it is for the start alone.
    const counting = function (this: RegExp, text: string): RegExpExecArray | null {
      const from = this.sticky || this.global ? this.lastIndex : 0;
      const found = execute.call(this, text);
      const end = found === null ? text.length : found.index + found[0].length;
      read += this.sticky ? (found?.[0].length ?? 1) : Math.max(end - from, 1);
      return found;
    };
    Reflect.defineProperty(RegExp.prototype, 'exec', { ...exec, value: counting });
    const copying = function (this: unknown[], ...range: number[]): unknown[] {
      const copied = copy.apply(this, range);
      read += copied.length;
      return copied;
    };
    Reflect.defineProperty(Array.prototype, 'slice', { ...slice, value: copying });
    Object.defineProperty(TextCursor.prototype, 'char', {
      configurable: true,
      get(this: TextCursor) {
        read += 1;
        return this.text.charAt(this.at);
      },
    });
  });
  afterAll(() => {
    Reflect.defineProperty(RegExp.prototype, 'exec', exec);
    Reflect.defineProperty(Array.prototype, 'slice', slice);
    Object.defineProperty(TextCursor.prototype, 'char', char);
  });

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

  it('takes twice the work for two long runs of twice the length', () => {
    const runs = 'a - [ ] = ( { " \' ` $a \\\n * / . | : <<a sudo,'
      .split(' ')
      .map((run) => run.replace(',', ' '));
    const middles = ['', '-', ' ', 'x*', '@('];
    const shapes = runs.flatMap((first) =>
      runs.flatMap((second) =>
        middles.map((middle): Shape => {
          return (length) =>
            first.repeat(length / first.length) + middle + second.repeat(length / second.length);
        }),
      ),
    );
    const wrong: object[] = [];
    for (const shape of someOf(shapes, 16)) {
      const [short, long] = [readFor(parseShell, shape(1_500)), readFor(parseShell, shape(3_000))];
      if (long > 2.6 * short + 20_000) wrong.push({ short, long, shape: shape(6) });
    }
    expect(wrong).toEqual([]);
  });

  it('takes twice the work for twice as many programs that run others', () => {
    const units =
      'sudo |frob sudo |frob sh |flock a -c |find -exec |find "$x" |docker run sudo |env -x |env A=b |xargs |su -c |' +
      'watch |git config a.b |tar -I a |timeout 1 |strace sh |eval |printf -v a |unshare -x |{a,b}{c,d}{e,f} ';
    const wrong: object[] = [];
    for (const unit of units.split('|')) {
      const workFor = (length: number) => readFor(parseShell, unit.repeat(length / unit.length));
      const [short, long] = [workFor(8_000), workFor(16_000)];
      if (long > 2.6 * short + 20_000) wrong.push({ unit, short, long });
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
      if (size > 100 * (text.length + 4_096)) wrong.push({ size, text: text.slice(0, 200) });
    }
    expect(wrong).toEqual([]);
  });
});
