import { type Begin, scoped } from './scoped';

/** Collects the hooks that `scoped` registers, so that the test can call them in Jest's order. */
function hooksOf(body: (begin: Begin) => void): { before: () => Promise<void>; after: () => Promise<void> } {
  const before: (() => unknown)[] = [];
  const after: (() => unknown)[] = [];
  const spies = [
    jest.spyOn(globalThis, 'beforeAll').mockImplementation((hook) => void before.push(hook as () => unknown)),
    jest.spyOn(globalThis, 'afterAll').mockImplementation((hook) => void after.push(hook as () => unknown)),
  ];
  scoped(body)();
  for (const spy of spies) spy.mockRestore();
  const inOrder = (hooks: (() => unknown)[]) => async () => {
    for (const hook of hooks) await hook();
  };
  return { before: inOrder(before), after: inOrder(after) };
}

class Thing {
  readonly #log: string[];
  readonly name: string;
  fault: Error | undefined;

  constructor(name: string, log: string[]) {
    this.name = name;
    this.#log = log;
    log.push(`start ${name}`);
  }

  close(): void {
    this.#log.push(`close ${this.name}`);
    if (this.fault !== undefined) throw this.fault;
  }
}

describe('what a describe begins', () => {
  it('starts in order, after hooks that stand above it, and ends in the opposite order, after its hooks', async () => {
    const log: string[] = [];
    const { before, after } = hooksOf((begin) => {
      const one = begin(() => new Thing('one', log));
      beforeAll(() => void log.push(`${one.name} is there`));
      begin(async () => new Thing(`${one.name} and two`, log));
      begin(
        () => ({ own: 'way' }),
        ({ own }) => log.push(`end its own ${own}`),
      );
      afterAll(() => void log.push('hook'));
    });
    await before();
    await after();
    expect(log).toEqual([
      'start one',
      'one is there',
      'start one and two',
      'hook',
      'end its own way',
      'close one and two',
      'close one',
    ]);
  });

  it('is what was started: read, written, spread, listed, with its private fields', async () => {
    let seen: Thing | undefined;
    const real = new Thing('real', []);
    const { before } = hooksOf((begin) => {
      seen = begin(() => real);
    });
    await before();
    const later = seen as Thing;
    later.fault = new Error('written');
    expect(real.fault).toBe(later.fault);
    expect(() => later.close()).toThrow('written');
    expect({ ...later }).toEqual({ ...real });
    expect('name' in later && Object.keys(later)).toEqual(Object.keys(real));
  });

  it('says so when it is used too early', () => {
    hooksOf((begin) => {
      const early = begin(() => new Thing('late', []));
      expect(() => early.name).toThrow('before it is started');
    });
  });

  it('is ended although another could not be started, or could not be ended', async () => {
    const log: string[] = [];
    const { before, after } = hooksOf((begin) => {
      begin(() => new Thing('one', log));
      const two = begin(() => new Thing('two', log));
      beforeAll(() => {
        two.fault = new Error('two stays open');
      });
      begin((): Thing => {
        throw new Error('no third');
      });
    });
    await expect(before()).rejects.toThrow('no third');
    await expect(after()).rejects.toThrow('two stays open');
    expect(log).toEqual(['start one', 'start two', 'close two', 'close one']);
  });
});
