import { inputs, outputs } from './recorded-texts';
import type { EventPiece } from '../format/event-codec';

async function* replay(pieces: readonly EventPiece[]): AsyncGenerator<EventPiece> {
  yield* pieces;
}

async function all<T>(items: AsyncGenerator<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const piece = (
  type: EventPiece['type'],
  time: number,
  content: string | Buffer,
  ends = true,
): EventPiece => ({
  type,
  time,
  content: Buffer.from(content),
  ends,
});

const [lead, tail] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];

describe('the texts of a recording', () => {
  const texts = async (pieces: EventPiece[], longest?: number) =>
    (await all(inputs(replay(pieces), longest))).map(({ text }) => text);

  it('have each input as a whole, however it is cut', async () => {
    expect(
      await texts([
        piece('i', 0, 'DROP ', false),
        piece('i', 0, Buffer.concat([Buffer.from('TABLE '), lead]), false),
        piece('i', 0, tail),
        piece('o', 1, 'not this'),
        piece('i', 2, ''),
        piece('i', 3, 'SELECT 1'),
      ]),
    ).toEqual(['DROP TABLE ü', '', 'SELECT 1']);
  });

  it('have the values of an input one by one, and rows of a COPY as they are', async () => {
    const values = (time: number, content: string, ends = true): EventPiece => ({
      ...piece('i', time, content, ends),
      values: true,
    });
    const found = await all(
      inputs(
        replay([
          piece('i', 0, 'SELECT $1'),
          values(1, "\\bind '4711' NULL '' 'it''s", false),
          values(1, " \\ '''' ''a''' NULL"),
          values(2, "\\bind_named 'x''y' 'NULL'"),
          values(3, "\\bind_named 'x'"),
          values(4, '\\bind'),
          values(5, "\\bind 'cut off"),
          values(6, "4711\tit's\n4712\t\\N\n"),
        ]),
      ),
    );
    expect(found.map(({ text, values: are }) => (are ? [text] : text))).toEqual([
      'SELECT $1',
      ['4711'],
      ["it's \\ '' 'a'"],
      ['NULL'],
      ['cut off'],
      ["4711\tit's\n4712\t\\N\n"],
    ]);
  });

  it('do not join an input that was never finished with the next one', async () => {
    expect(
      await texts([piece('i', 0, 'begun', false), piece('i', 1, 'next'), piece('i', 2, 'last', false)]),
    ).toEqual(['begun', 'next', 'last']);
  });

  it('hold no more of an input than was ever taken', async () => {
    const pieces = ['aaa', 'bbb', 'ccc'].map((text) => piece('i', 0, text, text === 'ccc'));
    expect(await texts(pieces, 5)).toEqual(['aaabbb', 'ccc']);
  });

  it('have output in pieces of whole characters, each kind for itself', async () => {
    const found = await all(
      outputs(
        replay([
          piece('o', 0, Buffer.concat([Buffer.from('a'), lead]), false),
          piece('o', 0, tail),
          piece('o', 1, lead),
          piece('e', 2, 'error'),
          piece('i', 3, 'input'),
          piece('o', 4, tail),
          piece('e', 5, lead),
        ]),
      ),
    );
    expect(found.filter(({ text }) => text !== '')).toEqual([
      { type: 'o', text: 'a' },
      { type: 'o', text: 'ü' },
      { type: 'e', text: 'error' },
      { type: 'o', text: 'ü' },
      { type: 'e', text: '\uFFFD' },
    ]);
  });
});
