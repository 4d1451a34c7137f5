import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { eventually } from '../../../test/support/eventually';
import * as fc from '../../../test/support/fast-check';
import type { TrailEventType } from '../../gate/ports/session-recorder';
import { NO_CHUNK, RecordingSeal, chunkHash } from '../format/chain';
import type { DraftPiece } from '../format/draft';
import { type EventPiece, decodePieces, letterOf } from '../format/event-codec';
import { PendingChunks } from './pending-chunks';
import type { RecordingStore } from './recording-store';
import { ReplayedSessions } from './replayed-sessions';
import type { Shipment, StoredState } from './shipment';
import { Shipper } from './shipper';
import { volume } from '../../../test/support/volume';

type Fault = 'none' | 'lost before' | 'lost after' | 'refused';

/** Imitates the recording store: stores a whole shipment, but only if the row has the state before it. */
class Shelf {
  readonly rows = new Map<string, { state: StoredState; payloads: Buffer[]; ends: number }>();
  faults: Fault[] = [];

  add(id: string): void {
    const state = {
      sessionId: id,
      chunkCount: 0,
      chainHash: NO_CHUNK,
      eventsStored: 0,
      eventSize: 0,
      journaled: 0,
    };
    this.rows.set(id, { state, payloads: [], ends: 0 });
  }

  stateOf({ id }: { id: string }): Promise<StoredState | undefined> {
    return Promise.resolve(this.rows.get(id)?.state);
  }

  ship(shipments: readonly Shipment[]): Promise<Map<string, { isOver: boolean }>> {
    const fault = this.faults.shift() ?? 'none';
    if (fault === 'lost before')
      return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
    if (fault === 'refused') return Promise.reject(Object.assign(new Error('refused'), { code: '23514' }));
    const stored = new Map<string, { isOver: boolean }>();
    for (const { session, before, after, chunks, ending } of shipments) {
      const row = this.rows.get(session.id);
      if (row?.state.chunkCount !== before.chunkCount || row.state.journaled !== before.journaled) continue;
      row.state = after;
      for (const { seq, payload, previous, hash } of chunks) {
        expect(chunkHash(previous, session.id, seq, payload)).toEqual(hash);
        row.payloads.push(payload);
      }
      if (ending !== undefined) row.ends += 1;
      stored.set(session.id, { isOver: row.ends > 0 });
    }
    if (fault === 'lost after')
      return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
    return Promise.resolve(stored);
  }

  /** The events as a reader finds them. */
  async eventsOf(id: string): Promise<string[]> {
    const pieces: EventPiece[] = [];
    for (const payload of this.rows.get(id)?.payloads ?? []) pieces.push(...(await decodePieces(payload)));
    const events: string[] = [];
    let open: Buffer[] = [];
    for (const { type, content, ends } of pieces) {
      open.push(content);
      if (!ends) continue;
      events.push(`${type}${Buffer.concat(open).toString()}`);
      open = [];
    }
    expect(open).toEqual([]);
    return events;
  }
}

describe('what is shipped', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['error', 'warn', 'log']));

  const seal = new RecordingSeal({ keys: [randomBytes(32)] });
  const fault = fc.constantFrom<Fault>('none', 'none', 'lost before', 'lost after', 'refused');
  const text = fc.oneof(
    { weight: 5, arbitrary: fc.string() },
    { weight: 5, arbitrary: fc.integer({ min: 100_000, max: 700_000 }).map((size) => 'x'.repeat(size)) },
    // A large event, which is not shipped in a batch.
    { weight: 1, arbitrary: fc.constant('x'.repeat(4_500_000)) },
  );
  const event = fc.record({
    session: fc.constantFrom('a', 'b', 'c'),
    type: fc.constantFrom<TrailEventType>('i', 'o', 'e'),
    text,
  });

  it('is stored once, in order and whole, whatever happens to the database', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 12 }),
        fc.array(fault, { maxLength: 6 }),
        fc.boolean(),
        async (events, faults, isReplayed) => {
          const shelf = new Shelf();
          shelf.faults = faults;
          const shipper = new Shipper(shelf as unknown as RecordingStore, seal);
          const sent = new Map<string, string[]>();
          const waiting = new Map<string, PendingChunks>();
          for (const id of ['a', 'b', 'c']) {
            shelf.add(id);
            sent.set(id, []);
            // After a replay of the journal, the shipper does not know the state of the session's row.
            waiting.set(
              id,
              new PendingChunks({ orgId: 'org', id }, isReplayed ? undefined : shelf.rows.get(id)?.state),
            );
          }
          for (const [index, { session, type, text: said }] of events.entries()) {
            const list = sent.get(session) ?? [];
            list.push(`${type}${said}`);
            const pending = waiting.get(session) as PendingChunks;
            pending.add(eventOf(list.length, index, type, said));
            if (index % 3 === 0) shipper.shipNow(pending);
            if (index % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
          }
          for (const pending of waiting.values()) {
            pending.end({ exitCode: 0, after: 1 });
            shipper.shipNow(pending);
          }
          await Promise.all([...waiting.values()].map((pending) => untilEnded(pending)));
          for (const [id, expected] of sent) {
            expect(await shelf.eventsOf(id)).toEqual(expected);
            const { state, ends } = shelf.rows.get(id)!;
            expect(ends).toBeGreaterThan(0);
            expect(state).toMatchObject({ eventsStored: expected.length, journaled: expected.length });
          }
          await shipper.stop();
        },
      ),
      { numRuns: volume(20, 60) },
    );
  }, 480_000);

  it('is told to those who wait: at the first failure, and when it is done after all', async () => {
    const shelf = new Shelf();
    shelf.add('a');
    shelf.faults = ['lost before'];
    const shipper = new Shipper(shelf as unknown as RecordingStore, seal);
    let freed = 0;
    const stored = (bytes: number): number => (freed += bytes);
    const pending = new PendingChunks({ orgId: 'org', id: 'a' }, shelf.rows.get('a')?.state, { stored });
    pending.add(eventOf(1, 0, 'o', 'x'));
    shipper.shipNow(pending);
    await expect(pending.whenStored(1)).rejects.toThrow('gone');
    expect(shipper.fault).toBe('recordings cannot be stored: gone');
    expect(freed).toBe(0);
    await untilStored(pending, 1);
    expect(freed).toBe(1);
    expect(shipper.fault).toBeUndefined();
    await expect(pending.whenStored(1)).resolves.toBeUndefined();
  });

  it('is stored although a large event of another session is not, and so is what that one says next', async () => {
    const shelf = new Shelf();
    let letIn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letIn = resolve));
    const slow = {
      ship: async (batch: readonly Shipment[]) => {
        if (batch.some(({ after, before }) => after.eventSize - before.eventSize > 4_000_000)) await held;
        return shelf.ship(batch);
      },
    };
    const shipper = new Shipper(slow as unknown as RecordingStore, seal);
    const [large, other] = ['large', 'other'].map((id) => {
      shelf.add(id);
      return new PendingChunks({ orgId: 'org', id }, shelf.rows.get(id)?.state);
    }) as [PendingChunks, PendingChunks];
    large.add(eventOf(1, 0, 'i', 'x'.repeat(5_000_000)));
    shipper.shipNow(large);
    const since = performance.now();
    for (let number = 1; number <= 3; number += 1) {
      other.add(eventOf(number, 0, 'i', 'x'));
      large.add(eventOf(number + 1, 0, 'o', `${number}`));
      for (const pending of [large, other]) shipper.shipNow(pending);
      await other.whenStored(number);
    }
    expect(await shelf.eventsOf('large')).toEqual([]);
    const waited = performance.now() - since;
    expect(shipper.lagMs).toBeGreaterThanOrEqual(waited);
    letIn();
    await large.whenStored(4);
    await eventually('nothing waits', () => shipper.waiting === 0);
    expect(shipper.lagMs).toBe(0);
    expect((await shelf.eventsOf('large')).slice(1)).toEqual(['o1', 'o2', 'o3']);
    await shipper.stop();
  });

  it('waits for company again, also where more comes while it is on its way; and is stored whole at a stop', async () => {
    const shelf = new Shelf();
    shelf.add('a');
    let shipments = 0;
    let number = 0;
    const pending = new PendingChunks({ orgId: 'org', id: 'a' }, shelf.rows.get('a')?.state);
    const busy = {
      ship: (batch: readonly Shipment[]) => {
        shipments += 1;
        // A session of a wire proxy is never idle: a new event is pending whenever a shipment is done.
        if (number < 1_000) pending.add(eventOf((number += 1), 0, 'o', 'x'));
        return shelf.ship(batch);
      },
    };
    const shipper = new Shipper(busy as unknown as RecordingStore, seal);
    pending.add(eventOf((number += 1), 0, 'o', 'x'));
    shipper.shipNow(pending);
    for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(shipments).toBeLessThan(10);
    number = 1_000;
    await shipper.stop();
    expect(pending.isEmpty).toBe(true);
  });
});

describe('a journal that is read again', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['error', 'warn', 'log']));

  it('has all stored but what the database refuses, and leaves nothing behind that tries on', async () => {
    const shelf = new Shelf();
    for (const id of ['poor', 'rich']) shelf.add(id);
    let tries = 0;
    const picky = {
      stateOf: (session: { id: string }) => shelf.stateOf(session),
      ship: (shipments: readonly Shipment[]) => {
        if (!shipments.some(({ session }) => session.id === 'poor')) return shelf.ship(shipments);
        tries += 1;
        return Promise.reject(Object.assign(new Error('refused'), { code: '23514' }));
      },
    };
    const seal = new RecordingSeal({ keys: [randomBytes(32)] });
    const shipper = new Shipper(picky as unknown as RecordingStore, seal);
    const found = new ReplayedSessions(shipper);
    for (const sessionId of ['poor', 'rich']) {
      found.open(sessionId, { orgId: 'org', id: sessionId });
      const content = Buffer.from(sessionId);
      found.add({ kind: 'event', sessionId, number: 1, time: 0, type: 'i', content });
      found.add({ kind: 'end', sessionId, number: 1, content: Buffer.from('{"exitCode":0,"after":1}') });
    }
    await expect(found.store()).rejects.toThrow('refused');
    expect(await shelf.eventsOf('rich')).toEqual(['irich']);
    expect(shelf.rows.get('rich')?.ends).toBe(1);
    expect([shipper.waiting, shipper.lagMs]).toEqual([0, 0]);
    const before = tries;
    // Waits longer than the pause before a retry.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(tries).toBe(before);
    await shipper.stop();
  });
});

const eventOf = (number: number, time: number, type: TrailEventType, content: string): DraftPiece => {
  return { number, time, letter: letterOf({ type }), content, length: Buffer.byteLength(content) };
};

/** Waits until the recording has ended. After a failure, waits again, because the shipper retries. */
const untilEnded = (pending: PendingChunks): Promise<void> =>
  pending.whenEnded().catch(() => untilEnded(pending));
const untilStored = (pending: PendingChunks, number: number): Promise<void> =>
  pending.whenStored(number).catch(() => untilStored(pending, number));
