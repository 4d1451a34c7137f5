import { readAhead } from './read-ahead';

describe('reading ahead', () => {
  it('gives results in order, whichever is ready first', async () => {
    const source = (async function* () {
      for (let n = 0; n < 20; n++) yield n;
    })();
    const found: number[] = [];
    const work = (n: number) => new Promise<number>((done) => setTimeout(() => done(n), (n * 7) % 5));
    for await (const n of readAhead(source, work, 3)) found.push(n);
    expect(found).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('works on at most `depth` items, and closes the source when the reader stops', async () => {
    let [taken, isOver] = [0, false];
    const source = (async function* () {
      try {
        for (;;) yield ++taken;
      } finally {
        isOver = true;
      }
    })();
    for await (const n of readAhead(source, async (it) => it, 3)) {
      // At most three results are read ahead, besides the result in use.
      expect(taken).toBeLessThanOrEqual(n + 3);
      if (n === 10) break;
    }
    expect(isOver).toBe(true);
  });

  it('throws an error at the position of its item only', async () => {
    const source = (async function* () {
      yield* [1, 2, 3];
    })();
    const found: number[] = [];
    const work = async (n: number) => {
      if (n === 3) throw new Error('torn');
      return n;
    };
    const read = async () => {
      for await (const n of readAhead(source, work, 3)) {
        await new Promise((later) => setTimeout(later, 5));
        found.push(n);
      }
    };
    await expect(read()).rejects.toThrow('torn');
    expect(found).toEqual([1, 2]);
  });
});
