import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { NO_CHUNK, RecordingSeal } from '../format/chain';
import { letterOf } from '../format/event-codec';
import { PendingChunks } from './pending-chunks';
import type { RecordingStore } from './recording-store';
import type { Shipment } from './shipment';
import { Shipper } from './shipper';

describe('the lag of what is shipped', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['error', 'warn', 'log']));

  const pendingOf = (id: string, content: string): PendingChunks => {
    const pending = new PendingChunks(
      { orgId: 'org', id },
      { sessionId: id, chunkCount: 0, chainHash: NO_CHUNK, eventsStored: 0, eventSize: 0, journaled: 0 },
    );
    pending.add({
      number: 1,
      time: 0,
      letter: letterOf({ type: 'i' }),
      content,
      length: Buffer.byteLength(content),
    });
    return pending;
  };

  it('counts from the oldest event, also while its shipment is under way and others are stored', async () => {
    let fail: (error: Error) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => (fail = reject));
    const store = {
      ship: async (batch: readonly Shipment[]) =>
        batch.some(({ session }) => session.id === 'small')
          ? failed
          : new Map(batch.map(({ session }) => [session.id, { isOver: false }])),
    };
    const seal = new RecordingSeal({ keys: [randomBytes(32)] });
    const shipper = new Shipper(store as unknown as RecordingStore, seal);
    const small = pendingOf('small', 'x');
    shipper.shipNow(small);
    const since = performance.now();
    // A large event is stored beside the batch.
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
