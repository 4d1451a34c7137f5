import { pipeline } from 'node:stream/promises';
import { Writable } from 'node:stream';
import { begun, continued } from './begun';

describe('begun', () => {
  it('has all items, and the faults after the first one', async () => {
    const source = watched([1, 2], new Error('broken'));
    const items = await begun(source.items);
    await expect(items.next()).resolves.toEqual({ done: false, value: 1 });
    await expect(items.next()).resolves.toEqual({ done: false, value: 2 });
    await expect(items.next()).rejects.toThrow('broken');
    expect(source.ends()).toBe(1);
  });

  it('fails where the first item does', async () => {
    const source = watched([], new Error('broken'));
    await expect(begun(source.items)).rejects.toThrow('broken');
    expect(source.ends()).toBe(1);
  });

  it('has no items where the source has none', async () => {
    const source = watched([]);
    await expect((await begun(source.items)).next()).resolves.toEqual({ done: true, value: undefined });
    expect(source.ends()).toBe(1);
  });

  it.each([0, 1, 2, 3, 4])('ends the source when it is returned after %i reads', async (reads) => {
    const source = watched([1, 2, 3]);
    const items = await begun(source.items);
    for (let at = 0; at < reads; at += 1) await items.next();
    await items.return(undefined);
    expect(source.ends()).toBe(1);
    await expect(items.next()).resolves.toEqual({ done: true, value: undefined });
  });
});

describe('continued', () => {
  it.each([0, 1, 2, 3])('ends the rest when it is returned after %i reads', async (reads) => {
    const source = watched([1, 2, 3]);
    await source.items.next();
    const items = continued([1], source.items);
    for (let at = 0; at < reads; at += 1) await items.next();
    await items.return(undefined);
    expect(source.ends()).toBe(1);
  });

  it('ends the rest when the receiver is gone before it reads', async () => {
    const source = watched([1, 2, 3]);
    await source.items.next();
    const receiver = new Writable().destroy();
    await expect(pipeline(continued(['1'], source.items), receiver)).rejects.toThrow(/premature close/i);
    expect(source.ends()).toBe(1);
  });
});

/** A source that may fail after its last item. `ends` returns how often the source was ended. */
function watched(items: readonly number[], fault?: Error) {
  let ends = 0;
  return {
    ends: () => ends,
    items: (async function* (): AsyncGenerator<number | string> {
      try {
        yield* items;
        await Promise.resolve();
        if (fault !== undefined) throw fault;
      } finally {
        ends += 1;
      }
    })(),
  };
}
