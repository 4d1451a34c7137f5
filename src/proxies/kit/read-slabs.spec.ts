import { ReadSlabs } from './read-slabs';

const LARGE = 40 * 1024;

function read(letter: string, size = LARGE): Buffer {
  return Buffer.alloc(size, letter);
}

function isUsedAgain(one: Buffer, other: Buffer): boolean {
  return one.buffer === other.buffer;
}

describe('ReadSlabs', () => {
  it('uses memory again once the receiver has everything that was made of it', () => {
    let written = 0;
    const slabs = new ReadSlabs(() => written);
    const first = slabs.copyOf(read('a'));
    slabs.handled({ unread: 0, accepted: LARGE });
    written = LARGE;
    const second = slabs.copyOf(read('b'));
    expect(isUsedAgain(first, second)).toBe(true);
    expect(second.equals(read('b'))).toBe(true);
  });

  it.each([
    ['is unread', { unread: 1, accepted: LARGE }, LARGE],
    ['is held as a row that waits for the rules', { unread: Infinity, accepted: LARGE }, LARGE],
    ['waits for the recording or for the receiver', { unread: 0, accepted: LARGE }, LARGE - 1],
    ['waits in a socket that was destroyed', { unread: 0, accepted: LARGE }, -Infinity],
  ])('leaves bytes alone as long as one of them %s', (_, progress, written) => {
    const slabs = new ReadSlabs(() => written);
    const first = slabs.copyOf(read('a'));
    slabs.handled(progress);
    for (const letter of 'bcd') expect(isUsedAgain(first, slabs.copyOf(read(letter)))).toBe(false);
    expect(first.equals(read('a'))).toBe(true);
  });

  it('gives back in order: an earlier read that is still needed keeps the later ones', () => {
    let written = 0;
    const slabs = new ReadSlabs(() => written);
    const first = slabs.copyOf(read('a'));
    const second = slabs.copyOf(read('b'));
    slabs.handled({ unread: LARGE, accepted: 10 });
    slabs.handled({ unread: 0, accepted: 20 });
    written = 10;
    const third = slabs.copyOf(read('c'));
    expect(isUsedAgain(first, third)).toBe(true);
    expect(second.equals(read('b'))).toBe(true);
  });

  it('wipes memory before it is used again, and what was forgotten stays as it is', () => {
    const slabs = new ReadSlabs(() => LARGE);
    const first = slabs.copyOf(read('a'));
    slabs.handled({ unread: 0, accepted: LARGE });
    const second = slabs.copyOf(read('b', LARGE - 1));
    expect(first.subarray(LARGE - 1)).toEqual(Buffer.of(0));
    slabs.handled({ unread: 0, accepted: LARGE });
    slabs.forget();
    slabs.copyOf(read('c'));
    expect(second.equals(read('b', LARGE - 1))).toBe(true);
  });

  it('copies small reads into memory of their own', () => {
    const slabs = new ReadSlabs(() => Infinity);
    const first = slabs.copyOf(read('a', 100));
    slabs.handled({ unread: 0, accepted: 100 });
    slabs.copyOf(read('b', 100));
    expect(first.equals(read('a', 100))).toBe(true);
  });

  it('leaves the oldest memory to the garbage collector while very many reads wait', () => {
    const slabs = new ReadSlabs(() => Infinity);
    const waiting = Array.from({ length: 65 }, () => slabs.copyOf(read('a')));
    slabs.handled({ unread: 0, accepted: LARGE });
    const later = waiting.map(() => slabs.copyOf(read('b')));
    const used = waiting.filter((one) => later.some((other) => isUsedAgain(one, other)));
    expect(used).toHaveLength(64);
    expect(waiting[0]?.equals(read('a'))).toBe(true);
  });
});
