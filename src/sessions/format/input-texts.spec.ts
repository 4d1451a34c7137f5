import { randomBytes } from 'node:crypto';
import { Drafts } from './drafts';
import { INPUT, VALUES, letterOf } from './event-codec';
import { rowsOf, textsOf } from './input-texts';

describe('the texts of inputs', () => {
  const texts = (
    ...events: readonly (readonly [letter: number, content: string | Buffer])[]
  ): Promise<string[]> => {
    const drafts = new Drafts();
    for (const [index, [letter, content]] of events.entries())
      drafts.add({ number: index + 1, time: 0, letter, content, length: Buffer.byteLength(content) }, 0);
    return textsOf(drafts.takeDrafts(Infinity));
  };

  it('are those of inputs and values, each once, without NUL', async () => {
    const output = letterOf({ type: 'o' });
    expect(
      await texts(
        [INPUT, 'SELECT 1'],
        [output, 'one'],
        [VALUES, '$1 = ü\0x'],
        [INPUT, ''],
        [INPUT, 'SELECT 1'],
      ),
    ).toEqual(['SELECT 1 inputends $1 = ü x']);
  });

  it('are the texts within bytes that are no text, and little of random ones', async () => {
    const noise = (): Buffer => randomBytes(500_000);
    const indexed = async (...parts: readonly Buffer[]): Promise<string> =>
      (await texts([INPUT, Buffer.concat(parts)])).join('');
    expect((await indexed(noise(), noise())).length).toBeLessThan(150_000);
    for (const text of [' rm -rf /srv/data ', '\nid\n#', ' DROP TABLE größen '])
      expect(await indexed(noise(), Buffer.from(text), noise())).toContain(text);
    const inAnotherEncoding = Buffer.from('SELECT 1 -- größe', 'latin1');
    expect(await indexed(inAnotherEncoding)).toBe('SELECT 1 -- gr\ufffd\ufffde');
  });

  it('share rows as long as no word can be in one too often', async () => {
    const statement = 'x'.repeat(100);
    const said = [`${statement}1`, `${statement}2`, 'y'.repeat(300), `${statement}3`, 'it inputends here'];
    expect(await texts(...said.map((text) => [INPUT, text] as const))).toEqual([
      'y'.repeat(300),
      `${statement}1 inputends ${statement}2`,
      `${statement}3 inputends it   here`,
    ]);
  });

  it.each(['inputends', 'INPUTENDS', 'InputEnds', 'ınputendſ', 'İNPUTENDS', 'inputgoeson', 'İnputGoeſOn'])(
    'never have the mark %s of the client',
    async (mark) => {
      const long = `DROP ${mark} ${'x'.repeat(300)} ${mark} TABLE`;
      expect(await texts([INPUT, `DROP ${mark} TABLE`], [INPUT, long])).toEqual([
        `DROP   ${'x'.repeat(300)}   TABLE`,
        'DROP   TABLE',
      ]);
    },
  );

  it('are only the values of an input that binds values to a statement', async () => {
    const values = ["\\bind_named 'it''s \\' '4711' NULL", "\\bind '4712'", '\\bind', "\\bindings '1'"];
    expect(await texts(...values.map((text) => [VALUES, text] as const))).toEqual([
      " '4711' NULL inputends  '4712' inputends \\bindings '1'",
    ]);
    expect(await texts([INPUT, "\\bind_named 'x' '1'"])).toEqual(["\\bind_named 'x' '1'"]);
  });

  it('are whole over chunks, in parts that end between words', async () => {
    const words = Array.from({ length: 60_000 }, (_, index) => `wörd${index}`).join(' ');
    const parts = await texts([INPUT, 'x'.repeat(200_000)], [VALUES, words]);
    const [first, ...rest] = parts;
    expect(first).toBe('x'.repeat(32 * 1024));
    expect(rest.join('')).toContain(words);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(32 * 1024);
    expect(parts.filter((part) => part.startsWith('wörd')).length).toBeGreaterThan(10);
  });

  // promises: SEARCH-1
  it.each([1, 2, 3, 7])(
    'have each phrase of 100 words in a row, with one word at every %i. place',
    (every) => {
      const words = Array.from({ length: 3_000 }, (_, index) => (index % every === 0 ? 'null' : `w${index}`));
      const rows = [...rowsOf([words.join(', ').replaceAll('null', 'NULL')])].map(placesOf);
      const missing = words
        .map((_, at) => words.slice(at, at + 100))
        .filter((phrase) => !rows.some((row) => hasPhrase(row, phrase)));
      expect(missing.map(([first]) => first)).toEqual([]);
    },
  );

  it('are no more rows where no word is there too often', () => {
    const words = Array.from({ length: 2_000 }, (_, index) => `${index % 8} x${index}`).join(' ');
    expect([...rowsOf([words])]).toEqual([words]);
  });
});

/** Positions of each word in a row of the index. PostgreSQL stores only the first 255 of a word. */
function placesOf(row: string): Map<string, Set<number>> {
  const places = new Map<string, Set<number>>();
  for (const [place, word] of row
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .entries()) {
    const known = places.get(word) ?? new Set();
    if (known.size < 255) known.add(place);
    places.set(word, known);
  }
  return places;
}

function hasPhrase(row: ReadonlyMap<string, ReadonlySet<number>>, phrase: readonly string[]): boolean {
  const starts = [...(row.get(phrase[0] ?? '') ?? [])];
  return starts.some((start) => phrase.every((word, index) => row.get(word)?.has(start + index) === true));
}
