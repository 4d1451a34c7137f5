import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { v7 as uuid7 } from 'uuid';
import { stillClock } from '../../../test/support/still-clock';
import type { RecordingMode, RecordingScope } from '../../gate/ports/target-directory';
import type { Principal } from '../../kernel/principal';
import { ByteSemaphore } from '../../kernel/async/byte-semaphore';
import { RecordingSeal } from '../format/chain';
import { type EventPiece, decodePieces } from '../format/event-codec';
import { Journal } from '../journal/journal';
import { type JournalRecord, decodeRecords } from '../journal/journal-records';
import { SEGMENT_SUFFIX } from '../journal/journal-segments';
import type { ResumeState } from './event-writer';
import { RecordedTrail } from './recorded-trail';
import type { RecordingStore } from './recording-store';
import type { Shipment } from './shipment';
import { Shipper } from './shipper';

/** A store in memory for one session. It fails while `isAway` is set. */
class Store {
  readonly pieces: EventPiece[] = [];
  readonly shipments: Shipment[] = [];
  isAway = false;

  async ship(shipments: readonly Shipment[]): Promise<Map<string, { isOver: boolean }>> {
    if (this.isAway) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    this.shipments.push(...shipments);
    for (const { chunks } of shipments)
      for (const { payload } of chunks) this.pieces.push(...(await decodePieces(payload)));
    return new Map(shipments.map(({ session, ending }) => [session.id, { isOver: ending !== undefined }]));
  }

  async stateOf(): Promise<undefined> {
    return undefined;
  }

  get said(): string[] {
    return this.pieces.map(({ type, values, content }) => `${values ? 'p' : type}${content.toString()}`);
  }
}

describe('the trail of a session', () => {
  let above: string;
  let folder: string;
  let store: Store;
  let shipper: Shipper;
  let journal: Journal;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['error', 'warn', 'log']));

  beforeEach(() => {
    above = mkdtempSync(join(tmpdir(), 'gateway-trail-'));
    folder = join(above, 'gateway');
    store = new Store();
    const seal = new RecordingSeal({ keys: [randomBytes(32)] });
    shipper = new Shipper(store as unknown as RecordingStore, seal);
    journal = new Journal(folder, 'gateway');
  });

  afterEach(async () => {
    await shipper.stop();
    await journal.close();
    rmSync(above, { recursive: true, force: true });
  });

  const trailOf = (
    mode: RecordingMode,
    bytes = 1e6,
    scope: RecordingScope = 'on',
    begun?: ResumeState,
    closed: () => Promise<void> | void = () => undefined,
  ): RecordedTrail => {
    const recording = {
      store: store as unknown as RecordingStore,
      shipper,
      journal,
      memory: new ByteSemaphore(bytes),
    };
    const session = { orgId: 'org', id: begun?.state.sessionId ?? uuid7() };
    return new RecordedTrail(session, {} as Principal, { mode, scope }, recording, closed, begun);
  };

  /** Ends the recording, and waits until all of it is stored, because `end` waits only for a limited time. */
  const storedWhole = (trail: RecordedTrail, exitCode = 0): Promise<void> =>
    trail.end(exitCode).then(() => shipper.stop());

  const records = (): JournalRecord[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith(SEGMENT_SUFFIX))
      .flatMap((name) => [...decodeRecords(readFileSync(join(folder, name)))]);

  it.each(['journal', 'journal+fsync', 'store'] as const)(
    'has events as they came, also where they wait for room (%s)',
    async (mode) => {
      const trail = trailOf(mode, 10);
      const bytes = Buffer.from('2 bytes of somebody else');
      const appended = [
        trail.append('i', '1 more than there is room for'),
        trail.append('i', bytes, 'parameters'),
        trail.appendAll([
          { type: 'o', content: '3' },
          { type: 'e', content: Buffer.from('4') },
        ]),
        trail.append('o', '5'),
      ];
      bytes.fill(0);
      await Promise.all(appended);
      await trail.append('o', '6');
      await storedWhole(trail);
      const expected = [
        'i1 more than there is room for',
        'p2 bytes of somebody else',
        'o3',
        'e4',
        'o5',
        'o6',
      ];
      expect(store.said).toEqual(expected);
    },
  );

  it('cuts output and leaves inputs whole, as text and as bytes', async () => {
    const trail = trailOf('journal');
    const text = 'ü'.repeat(70_000);
    await trail.append('o', text);
    await trail.append('o', Buffer.from(text));
    await trail.append('i', text);
    await storedWhole(trail);
    const outputs = store.pieces.filter(({ type }) => type === 'o');
    expect(Buffer.concat(outputs.map(({ content }) => content)).toString()).toBe(text + text);
    expect(outputs.length).toBeGreaterThan(4);
    expect(store.pieces.filter(({ type, ends }) => type === 'i' && ends)).toHaveLength(1);
  });

  it.each(['journal', 'store'] as const)('goes on where the recording stands (%s)', async (mode) => {
    const state = {
      sessionId: uuid7(),
      chunkCount: 3,
      chainHash: randomBytes(32),
      eventsStored: 5,
      eventSize: 500,
      journaled: 7,
    };
    const progress = { received: 5, checked: 2, blocked: 1, guardrailsInfo: [], dataMasking: {} };
    let isClosed = false;
    const close = async (): Promise<void> => {
      await new Promise(setImmediate);
      isClosed = true;
    };
    const trail = trailOf(mode, 1e6, 'on', { state, progress, time: 5_000_000 }, close);
    trail.checked();
    const written = trail.append('o', '12345');
    if (mode === 'journal') {
      await written;
      expect(records().filter(({ kind }) => kind === 'event')).toMatchObject([{ number: 8 }]);
    }
    await written;
    await storedWhole(trail);
    expect(isClosed).toBe(true);
    const [first] = store.shipments;
    const last = store.shipments.at(-1);
    expect(first?.before).toEqual(state);
    expect(first?.chunks.map(({ seq, previous }) => ({ seq, previous }))).toEqual([
      { seq: 4, previous: state.chainHash },
    ]);
    expect(last?.after).toMatchObject({ chunkCount: 4, eventsStored: 6, eventSize: 505, journaled: 8 });
    expect(last?.progress).toMatchObject({ received: 6, checked: 3, blocked: 1 });
    expect(last?.ending?.after).toBeGreaterThanOrEqual(5_000_000);
    expect(store.pieces[0]?.time).toBeGreaterThanOrEqual(5_000_000);
  });

  it('has no output where only inputs are recorded', async () => {
    const trail = trailOf('journal', 1e6, 'input-only');
    await trail.append('o', 'x');
    await trail.appendAll([{ type: 'e', content: 'y' }]);
    await trail.appendAll([
      { type: 'i', content: 'z' },
      { type: 'o', content: 'x' },
    ]);
    await storedWhole(trail);
    expect(store.said).toEqual(['iz']);
  });

  it('ends for all waiters when the journal refuses', async () => {
    writeFileSync(folder, 'in the way');
    const trail = trailOf('journal');
    const events = [
      { type: 'i' as const, content: 'x' },
      { type: 'o' as const, content: 'y' },
    ];
    await expect(trail.appendAll(events)).rejects.toThrow('the journal cannot be written');
    expect(trail.ended.reason).toEqual(new Error('The session could not be recorded any further.'));
  });

  it('is over when the store refuses in its mode', async () => {
    store.isAway = true;
    const trail = trailOf('store');
    const events = [
      { type: 'i' as const, content: 'x' },
      { type: 'o' as const, content: 'y' },
    ];
    // The gate refuses the input with this error, whose code marks the fault as temporary.
    await expect(trail.appendAll(events)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
      cause: expect.objectContaining({ message: expect.stringContaining('gone') }),
    });
    expect(trail.ended.aborted).toBe(true);
  });

  it('leaves nothing in the journal once it has ended, also if it is ended twice', async () => {
    const trail = trailOf('journal');
    await trail.append('i', 'x');
    await trail.end(0);
    await storedWhole(trail, 1);
    await journal.close();
    expect(existsSync(folder)).toBe(false);
  });

  it('writes counts to the journal at intervals, masks at once, and all of them at the end', async () => {
    store.isAway = true;
    const clock = stillClock();
    const trail = trailOf('journal');
    const progress = (): { checked: number }[] =>
      records()
        .filter(({ kind }) => kind === 'progress')
        .map(({ content }) => JSON.parse(content.toString()) as { checked: number });
    for (let count = 0; count < 5; count++) {
      trail.checked();
      await trail.append('i', 'x');
    }
    expect(progress().map(({ checked }) => checked)).toEqual([1]);
    trail.masked([{ label: 'email', bytes: 5 } as never]);
    await trail.append('o', 'x');
    expect(progress().map(({ checked }) => checked)).toEqual([1, 5]);
    clock.advance(250);
    trail.checked();
    await trail.append('i', 'x');
    expect(progress().map(({ checked }) => checked)).toEqual([1, 5, 6]);
    trail.checked();
    clock.resume();
    await trail.end(0);
    expect(progress().map(({ checked }) => checked)).toEqual([1, 5, 6, 7]);
    expect(records().at(-1)?.kind).toBe('end');
    expect(records().filter(({ kind }) => kind === 'event')).toHaveLength(7);
  });
});
