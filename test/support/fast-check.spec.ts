import * as fc from './fast-check';

/** Returns the message and the cause of the error that `assert` throws. */
async function failureOf(assert: () => Promise<void> | void): Promise<{ message: string; cause: string }> {
  try {
    await assert();
  } catch (error) {
    const { message, cause } = error as Error;
    return { message, cause: (cause as Error).message };
  }
  throw new Error('it holds');
}

const wrong = fc.property(fc.nat(), (n) => {
  if (n >= 500) throw new Error('too large');
});

describe('a property', () => {
  const before = { ...process.env };

  afterEach(() => {
    for (const name of ['TEST_SEED', 'TEST_PATH', 'TEST_RUNS']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  it("that fails prints the line that repeats it, also as the test's second one (100 %)", async () => {
    fc.assert(fc.property(fc.nat(), (n) => n >= 0));
    const { message, cause } = await failureOf(() => fc.assert(wrong));
    expect([message, cause]).toEqual([expect.stringContaining('Counterexample: [500]'), 'too large']);
    const line = /Repeat it: TEST_SEED=(-?\d+) TEST_PATH=2\/([\d:]+) npx jest (\S+) -t '(.*)'/.exec(message);
    const [, seed, path, file, name] = line ?? [];
    expect(file).toBe('test/support/fast-check.spec.ts');
    expect(name?.replaceAll(String.raw`'\''`, "'")).toBe(
      String.raw`a property that fails prints the line that repeats it, also as the test's second one \(100 %\)`,
    );
    Object.assign(process.env, { TEST_SEED: seed, TEST_PATH: `3/${path}` });
    const again = await failureOf(() => fc.assert(wrong));
    expect(again.message).toContain('Counterexample: [500]\nShrunk 0 time(s)');
  });

  it('makes the same values from the same seed, whether or not it waits', async () => {
    process.env['TEST_SEED'] = '7';
    const seen: number[][] = [];
    for (let time = 0; time < 2; time += 1) {
      const values: number[] = [];
      fc.assert(fc.property(fc.nat(), (n) => void values.push(n)));
      await fc.assert(fc.asyncProperty(fc.nat(), async (n) => void values.push(n)));
      seen.push(values);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect((await failureOf(() => fc.assert(wrong))).message).toContain('TEST_SEED=7 ');
  });

  it('has as many runs as it says, times TEST_RUNS, and 100 where it says nothing', () => {
    const count = (settings?: { numRuns: number }): number => {
      let made = 0;
      fc.assert(
        fc.property(fc.nat(), () => void (made += 1)),
        settings,
      );
      return made;
    };
    process.env['TEST_RUNS'] = '1';
    expect([count(), count({ numRuns: 7 }), fc.runs(7)]).toEqual([100, 7, 7]);
    process.env['TEST_RUNS'] = '5';
    expect([count(), count({ numRuns: 7 }), fc.runs(7)]).toEqual([500, 35, 35]);
  });
});

describe('generators of objects', () => {
  it.each<[string, fc.Arbitrary<object>]>([
    ['record', fc.record({ a: fc.nat() })],
    ['record with optional fields', fc.record({ a: fc.nat(), b: fc.nat() }, { requiredKeys: ['a'] })],
    ['dictionary', fc.dictionary(fc.string(), fc.nat())],
    ['object', fc.object()],
  ])('%s gives what JSON.parse could give', (_, objects) => {
    fc.assert(fc.property(objects, (value) => Object.getPrototypeOf(value) === Object.prototype));
  });

  it('has binary strings of all characters, which shrink to the smallest that fails', async () => {
    const text = fc.string({ unit: 'binary' });
    const planes = new Set(
      fc
        .sample(text, { numRuns: 2_000, seed: 1 })
        .flatMap((some) => [...some].map((one) => one.codePointAt(0)! >> 16)),
    );
    expect([...planes].sort((a, b) => a - b)).toEqual(Array.from({ length: 17 }, (_, plane) => plane));
    fc.assert(fc.property(text, (some) => some.isWellFormed()));
    const { message } = await failureOf(() =>
      fc.assert(fc.property(text, (some) => !/[^\0-\u{ffff}]/u.test(some))),
    );
    expect(message).toContain('Counterexample: ["\u{10000}"]');
  });
});
