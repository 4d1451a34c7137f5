import crypto, { createHash, randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import * as fc from '../../../test/support/fast-check';
import type { ChangeFeed, ChangeListener } from '../../platform/database/feed/change-feed';
import type { CancelBroadcast } from './cancel-broadcast';
import { CancelKeys } from './cancel-keys';

const ADDRESS = '192.0.2.1';

function setUp() {
  const heardBy: ChangeListener[] = [];
  const told: string[] = [];
  const feed = { subscribe: (listener: ChangeListener) => heardBy.push(listener) };
  const broadcast = { sendCancel: async (payload: string) => void told.push(payload) };
  const keys = new CancelKeys(feed as unknown as ChangeFeed, broadcast as unknown as CancelBroadcast);
  const hear = (table: string, id: string): void =>
    heardBy.forEach((listener) => listener.changed(table, id));
  return { keys, told, hear };
}

const hash = (key: Buffer): string => createHash('sha256').update(key).digest('hex');

describe('CancelKeys', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [0, 4],
    [2, 32],
  ] as const)('issues keys for protocol 3.%i of %i random bytes', (minor, bytes) => {
    const { keys } = setUp();
    const issued = Array.from({ length: 1_000 }, () => keys.issue(4_711, minor, () => undefined));
    expect(new Set(issued.map(({ processId }) => processId))).toEqual(new Set([4_711]));
    expect(new Set(issued.map(({ key }) => key.toString('hex'))).size).toBe(1_000);
    for (const { processId, key } of issued) {
      expect(key).toHaveLength(bytes);
      expect(processId).toBe(4_711);
    }
  });

  it('tells a random process id where the target told none', () => {
    const { keys } = setUp();
    const ids = Array.from({ length: 100 }, () => keys.issue(0, 0, () => undefined).processId);
    expect(new Set(ids).size).toBeGreaterThan(90);
    // Ids must be positive signed 32-bit integers, because clients read them as signed integers.
    for (const id of ids) expect(id > 0 && (id | 0) === id).toBe(true);
  });

  it.each([1, 7, 2 ** 31 - 1, -5])(
    'of sessions whose targets have the same process id %d, cancels only the one whose secret was given',
    async (processId) => {
      const { keys, hear, told } = setUp();
      const sessions = Array.from({ length: 20 }, () => {
        const cancel = jest.fn();
        return { cancel, ...keys.issue(processId, 0, cancel) };
      });
      for (const { key } of sessions.slice(0, 5)) await keys.request(processId, key, ADDRESS);
      for (const { key } of sessions.slice(5, 10)) hear('cancels', `${processId}:${hash(key)}`);
      expect(sessions.map(({ cancel }) => cancel.mock.calls.length)).toEqual([
        ...Array<number>(10).fill(1),
        ...Array<number>(10).fill(0),
      ]);
      expect(told).toEqual([]);
    },
  );

  it('gives no secret twice to sessions with the same process id', () => {
    const { keys } = setUp();
    const drawn = [1, 1, 1, 2].map((byte) => Buffer.alloc(4, byte));
    jest.spyOn(crypto, 'randomBytes').mockImplementation(() => drawn.shift() as Buffer);
    expect([0, 1].map(() => keys.issue(7, 0, () => undefined).key[0])).toEqual([1, 2]);
  });

  it('cancels for the right key, and tells nobody else', async () => {
    const { keys, told } = setUp();
    const [cancel, other] = [jest.fn(), jest.fn()];
    const issued = keys.issue(12, 2, cancel);
    keys.issue(12, 2, other);
    expect(await keys.request(issued.processId, Buffer.from(issued.key), ADDRESS)).toBeUndefined();
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(other).not.toHaveBeenCalled();
    expect(told).toEqual([]);
  });

  it('tells other gateways of what fits nothing here, by the hash of the key alone', async () => {
    const { keys, told } = setUp();
    const cancel = jest.fn();
    const { processId, key } = keys.issue(12, 2, cancel);
    const wrong = [
      Buffer.alloc(0),
      key.subarray(0, 31),
      Buffer.concat([key, Buffer.alloc(1)]),
      Buffer.from(key.map((byte, index) => (index === 31 ? byte ^ 1 : byte))),
      randomBytes(256),
    ];
    for (const other of wrong) expect(await keys.request(processId, other, ADDRESS)).toBeUndefined();
    expect(await keys.request((processId % 1_000) + 1, key, ADDRESS)).toBeUndefined();
    expect(cancel).not.toHaveBeenCalled();
    expect(told).toEqual([
      ...wrong.map((other) => `cancels:${processId}:${hash(other)}`),
      `cancels:${(processId % 1_000) + 1}:${hash(key)}`,
    ]);
    expect(told.join()).not.toContain(key.toString('hex'));
  });

  it.each([0, 2 ** 31, 2 ** 32 - 1, 1.5, Number.NaN])(
    'bothers nobody with process id %p',
    async (processId) => {
      const { keys, told } = setUp();
      await keys.request(processId, randomBytes(32), ADDRESS);
      expect(told).toEqual([]);
    },
  );

  it('cancels what another gateway was asked for', () => {
    const { keys, hear } = setUp();
    const cancel = jest.fn();
    const { processId, key } = keys.issue(12, 0, cancel);
    hear('sessions', `${processId}:${hash(key)}`);
    hear('cancels', `${processId}:${hash(Buffer.from(key.map((byte) => byte ^ 1)))}`);
    expect(cancel).not.toHaveBeenCalled();
    hear('cancels', `${processId}:${hash(key)}`);
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('is not disturbed by anything that it hears', () => {
    const { keys, hear } = setUp();
    const cancel = jest.fn();
    const { processId } = keys.issue(12, 0, cancel);
    const end = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{60,68}$/));
    const id = fc.oneof(
      fc.string(),
      end.map((text) => `${processId}:${text}`),
    );
    fc.assert(fc.property(id, (said) => hear('cancels', said)));
    expect(cancel).not.toHaveBeenCalled();
  });

  it('forgets a released key, and leaves the number to its next owner', async () => {
    const { keys } = setUp();
    const [first, second] = [jest.fn(), jest.fn()];
    const before = keys.issue(12, 2, first);
    before.release();
    const after = keys.issue(12, 2, second);
    before.release();
    expect(after.processId).toBe(before.processId);
    await keys.request(12, before.key, ADDRESS);
    await keys.request(12, after.key, ADDRESS);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  });

  it('outlives a cancel that fails, and logs it', async () => {
    const { keys, hear } = setUp();
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const { processId, key } = keys.issue(12, 2, () => {
      throw new Error('the socket is gone');
    });
    expect(await keys.request(processId, key, ADDRESS)).toBeUndefined();
    hear('cancels', `${processId}:${hash(key)}`);
    expect(log.mock.calls.flat()).toEqual(Array(2).fill('A cancel failed: the socket is gone'));
  });
});
