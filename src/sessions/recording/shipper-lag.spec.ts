import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { eventually } from '../../../test/support/eventually';
import { NO_CHUNK, RecordingSeal } from '../format/chain';
import { letterOf } from '../format/event-codec';
import { PendingChunks } from './pending-chunks';
import type { RecordingStore } from './recording-store';
import type { Shipment } from './shipment';
import { Shipper } from './shipper';

const NOTHING_STORED = { chunkCount: 0, chainHash: NO_CHUNK, eventsStored: 0, eventSize: 0, journaled: 0 };

describe('the lag of what is shipped', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['error', 'warn', 'log']));

  const pendingOf = (id: string, content: string): PendingChunks => {
    const pending = new PendingChunks({ orgId: 'org', id }, { ...NOTHING_STORED, sessionId: id });
    add(pending, 1, content);
    return pending;
  };
  const add = (pending: PendingChunks, number: number, content: string): void => {
    const length = Buffer.byteLength(content);
    pending.add({ number, time: 0, letter: letterOf({ type: 'i' }), content, length });
  };
  const seal = new RecordingSeal({ keys: [randomBytes(32)] });

  /** Makes a shipper. The test answers its shipments one by one, and sets its clock. */
  function answered() {
    const clock = jest.spyOn(performance, 'now');
    const open: ((isStored: boolean) => void)[] = [];
    const store = {
      ship: (batch: readonly Shipment[]) =>
        new Promise((resolve) =>
          open.push((isStored) =>
            resolve(new Map(isStored ? batch.map(({ session }) => [session.id, { isOver: false }]) : [])),
          ),
        ),
      stateOf: async () => ({ ...NOTHING_STORED, sessionId: 'a', journaled: 1 }),
    };
    const shipper = new Shipper(store as unknown as RecordingStore, seal);
    const shipment = async (count: number): Promise<(isStored: boolean) => void> => {
      await eventually('the shipment is under way', async () => open.length === count);
      return open[count - 1]!;
    };
    return { shipper, shipment, at: (time: number) => clock.mockReturnValue(time) };
  }
  afterEach(() => jest.restoreAllMocks());

  it('counts from the oldest event that was left, or not stored, when a shipment ended', async () => {
    const { shipper, shipment, at } = answered();
    at(1_000);
    const pending = pendingOf('a', 'x'.repeat(2_000_000));
    shipper.shipNow(pending);
    const first = await shipment(1);
    at(2_000);
    add(pending, 2, 'x'.repeat(2_000_000));
    shipper.shipNow(pending);
    at(4_000);
    first(true);
    const second = await shipment(2);
    expect(shipper.lagMs).toBe(2_000);
    at(5_000);
    // The shipment is not stored, because another writer changed the session's row.
    second(false);
    const third = await shipment(3);
    expect(shipper.lagMs).toBe(3_000);
    third(true);
    await eventually('all is stored', async () => shipper.waiting === 0);
    await shipper.stop();
  });

  it('counts no recording that was given up while it was under way', async () => {
    const { shipper, shipment, at } = answered();
    at(1_000);
    const pending = pendingOf('a', 'x');
    shipper.shipNow(pending);
    const first = await shipment(1);
    add(pending, 2, 'x');
    shipper.giveUp(pending);
    first(true);
    await pending.whenStored(1);
    const other = pendingOf('b', 'x');
    shipper.shipNow(other);
    (await shipment(2))(true);
    await other.whenStored(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(shipper.waiting).toBe(0);
    shipper.shipSoon(pending);
    shipper.shipNow(pending);
    expect(shipper.waiting).toBe(0);
    await shipper.stop();
  });

  it('counts from the oldest event, also while its shipment is under way and others are stored', async () => {
    let fail: (error: Error) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => (fail = reject));
    const store = {
      ship: async (batch: readonly Shipment[]) =>
        batch.some(({ session }) => session.id === 'small')
          ? failed
          : new Map(batch.map(({ session }) => [session.id, { isOver: false }])),
    };
    const shipper = new Shipper(store as unknown as RecordingStore, seal);
    const small = pendingOf('small', 'x');
    shipper.shipNow(small);
    const since = performance.now();
    // A large event is shipped by itself, in parallel with the batch.
    const large = pendingOf('large', 'x'.repeat(5_000_000));
    shipper.shipNow(large);
    await large.whenStored(1);
    await new Promise((resolve) => setImmediate(resolve));
    const lag = (): [number, number] => [performance.now() - since, shipper.lagMs];
    const underWay = lag();
    const refused = small.whenStored(1);
    fail(new Error('gone'));
    await expect(refused).rejects.toThrow('gone');
    for (const [waited, lagMs] of [underWay, lag()]) expect(lagMs).toBeGreaterThanOrEqual(waited);
    shipper.giveUp(small);
    expect([shipper.waiting, shipper.lagMs]).toEqual([0, 0]);
  });
});
