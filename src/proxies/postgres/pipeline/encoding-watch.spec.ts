import { mayChangeEncoding } from './encoding-watch';

const LONG = 'select 1, '.repeat(60_000);

describe('a statement that may change the encoding', () => {
  it.each([
    'SET NAMES latin1',
    'set client_encoding to x',
    "select set_config('a', 'b', true)",
    'ROLLBACK',
    'do $$ $$',
  ])('is found by its words: %s', async (words) => {
    expect(await mayChangeEncoding(words)).toBe(true);
  });

  it('is found wherever the word is in a long text, also where two slices meet', async () => {
    for (let at = 131_040; at <= 131_104; at += 1)
      expect(await mayChangeEncoding(`${LONG.slice(0, at)}set_config${LONG}`)).toBe(true);
    expect(await mayChangeEncoding(`${LONG} discard all`)).toBe(true);
    expect(await mayChangeEncoding(LONG)).toBe(false);
  });

  it('lets the event loop turn while a long text is searched', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      waiting = setImmediate(count);
    };
    let waiting = setImmediate(count);
    const searching = mayChangeEncoding(LONG.repeat(4));
    expect(searching).toBeInstanceOf(Promise);
    await searching;
    clearImmediate(waiting);
    expect(turns).toBeGreaterThan(10);
  });
});
