import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { v7 as uuid7 } from 'uuid';
import type { EventContent } from '../../gate/ports/session-recorder';
import type { RecordingMode } from '../../gate/ports/target-directory';
import type { Principal } from '../../kernel/principal';
import { ByteSemaphore } from '../../kernel/async/byte-semaphore';
import { volume } from '../../../test/support/volume';
import { RecordingSeal } from '../format/chain';
import { type EventPiece, decodePieces } from '../format/event-codec';
import { Journal } from '../journal/journal';
import { type JournalRecord, decodeRecords } from '../journal/journal-records';
import { SEGMENT_SUFFIX } from '../journal/journal-segments';
import { RecordedTrail } from './recorded-trail';
import { type RecordingStore, noRecording } from './recording-store';
import { ReplayedSessions } from './replayed-sessions';
import type { Shipment } from './shipment';
import { Shipper } from './shipper';

const MIB = 1024 * 1024;
const CHUNK = 256 * 1024;

/**
 * Returns random ASCII letters, for tests that accept any bytes. ASCII is decoded about fifty times as fast
 * as other random bytes.
 */
function randomLetters(count: number): Buffer {
  const bytes = randomBytes(count);
  for (let at = 0; at < count; at += 1) bytes[at]! &= 0x7f;
  return bytes;
}

/** A recording store in memory: keeps the shipped pieces, and the last state of each session's row. */
class Store {
  readonly pieces = new Map<string, EventPiece[]>();
  readonly states = new Map<string, Shipment['after']>();
  readonly texts: string[] = [];
  isAway = false;

  async ship(shipments: readonly Shipment[]): Promise<Map<string, { isOver: boolean }>> {
    if (this.isAway) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    for (const { session, chunks, after, texts } of shipments) {
      const pieces = this.pieces.get(session.id) ?? [];
      for (const { payload } of chunks) pieces.push(...(await decodePieces(payload)));
      this.pieces.set(session.id, pieces);
      this.states.set(session.id, after);
      this.texts.push(...texts);
    }
    return new Map(shipments.map(({ session, ending }) => [session.id, { isOver: ending !== undefined }]));
  }

  async stateOf({ id }: { id: string }): Promise<Shipment['after']> {
    return this.states.get(id) ?? noRecording(id);
  }

  /** Returns the events of a session, each joined from its pieces. */
  said(sessionId: string): Buffer[] {
    const said: Buffer[] = [];
    let begun: Buffer[] = [];
    for (const { content, ends } of this.pieces.get(sessionId) ?? []) {
      begun.push(content);
      if (ends) said.push(Buffer.concat(begun.splice(0)));
    }
    expect(begun).toEqual([]);
    return said;
  }
}

function untilDone(promise: Promise<void>): { isDone: boolean; readonly done: Promise<void> } {
  const watched = {
    isDone: false,
    done: promise.finally(() => {
      watched.isDone = true;
    }),
  };
  return watched;
}

describe('large inputs', () => {
  let above: string;
  let folder: string;
  let store: Store;
  let shipper: Shipper;
  let journal: Journal;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['error', 'warn', 'log']));

  const seal = new RecordingSeal({ keys: [randomBytes(32)] });
  const shipperTo = (to: Store): Shipper => new Shipper(to as unknown as RecordingStore, seal);

  beforeEach(() => {
    above = mkdtempSync(join(tmpdir(), 'gateway-large-'));
    folder = join(above, 'gateway');
    store = new Store();
    shipper = shipperTo(store);
    journal = new Journal(folder, 'gateway');
  });

  afterEach(async () => {
    await shipper.stop();
    await journal.close();
    rmSync(above, { recursive: true, force: true });
  });

  const trailOf = (mode: RecordingMode, memory = new ByteSemaphore(64 * MIB)): RecordedTrail => {
    const recording = { store: store as unknown as RecordingStore, shipper, journal, memory };
    const session = { orgId: 'org', id: uuid7() };
    const policy = { mode, scope: 'on' } as const;
    return new RecordedTrail(session, {} as Principal, policy, recording, () => undefined);
  };

  /** Ends the recording, and waits until all of it is stored, because `end` waits only for a limited time. */
  const storedWhole = (trail: RecordedTrail, exitCode = 0): Promise<void> =>
    trail.end(exitCode).then(() => shipper.stop());

  const records = (): JournalRecord[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith(SEGMENT_SUFFIX))
      .toSorted()
      .flatMap((name) => [...decodeRecords(readFileSync(join(folder, name)))]);

  /** Replays journal records into a store, as the next gateway does. */
  const replayed = async (found: readonly JournalRecord[], into: Store): Promise<void> => {
    const shipping = shipperTo(into);
    const sessions = new ReplayedSessions(shipping);
    for (const record of found) {
      if (record.kind === 'nothing') continue;
      if (!sessions.knows(record.sessionId))
        sessions.open(record.sessionId, { orgId: 'org', id: record.sessionId });
      sessions.add(record);
    }
    await sessions.store();
    await shipping.stop();
  };

  /** Contents and their bytes. Large ones fill several chunks of 256 KiB, also in the short form. */
  const contents: readonly [string, EventContent, Buffer][] = [
    [...Array(3).keys()].map((count) => randomLetters(count * volume(CHUNK + 1, MIB) + 7)),
  ].flatMap((pieces) => {
    const bytes = randomBytes(volume(1, 3) * MIB + 1);
    const text = 'größe 🐘 '.repeat(volume(120_000, 200_000));
    const exact = randomLetters(volume(MIB + CHUNK, 2 * MIB));
    return [
      ['bytes', bytes, bytes],
      ['bytes that fill their pieces', exact, exact],
      ['a text', text, Buffer.from(text)],
      ['pieces', pieces, Buffer.concat(pieces)],
      ['one small piece', [Buffer.from('x')], Buffer.from('x')],
      ['no pieces', [], Buffer.alloc(0)],
    ];
  });

  it.each(
    (['journal', 'journal+fsync', 'store'] as const).flatMap((mode) =>
      contents.map(([name, content, bytes]) => ({ mode, name, content, bytes })),
    ),
  )('are recorded byte for byte and in order: $name ($mode)', async ({ mode, content, bytes }) => {
    const trail = trailOf(mode);
    store.isAway = mode === 'journal';
    await Promise.all([
      trail.append('i', 'before'),
      trail.append('i', content, 'parameters'),
      trail.append('i', 'between'),
      trail.appendAll([
        { type: 'i', content },
        { type: 'e', content: 'refused' },
      ]),
      trail.append('o', 'after'),
    ]);
    const expected = ['before', bytes, 'between', bytes, 'refused', 'after'].map((said) => Buffer.from(said));
    const isAll = (said: readonly Buffer[]): boolean =>
      said.length === expected.length && said.every((one, index) => one.equals(expected[index] as Buffer));
    if (mode === 'journal') {
      const next = new Store();
      await replayed(records(), next);
      expect(isAll(next.said(trail.sessionId))).toBe(true);
      store.isAway = false;
    }
    await trail.flush().catch(() => undefined);
    await storedWhole(trail);
    expect(isAll(store.said(trail.sessionId))).toBe(true);
  });

  it.each(['journal', 'store'] as const)('let others be recorded meanwhile (%s)', async (mode) => {
    const [trail, other] = [trailOf(mode), trailOf(mode)];
    const written = untilDone(trail.append('i', randomLetters(volume(8, 16) * MIB)));
    let others = 0;
    while (!written.isDone) {
      await other.append('i', 'x');
      others += 1;
      await turn();
    }
    await written.done;
    // Small events are appended one by one. If the large input took a single turn, at most two would fit.
    expect(others).toBeGreaterThan(10);
    await Promise.all([storedWhole(trail), storedWhole(other)]);
    expect(store.said(other.sessionId)).toHaveLength(others);
  });

  it('take their room in memory, and give it back', async () => {
    const memory = new ByteSemaphore(8 * MIB);
    const trail = trailOf('journal', memory);
    const text = 'ü'.repeat(5 * MIB);
    const large = trail.append('i', text);
    // Large acquisitions share half of the memory, and the first one fills this half.
    expect(memory.allowance().tryAcquire(2 * MIB)).toBe(false);
    await large;
    await trail.flush();
    const others = Array.from({ length: 3 }, () => memory.allowance());
    expect(others.map((other) => other.tryAcquire(2 * MIB))).toEqual([true, true, false]);
    await trail.end(0);
  });

  it.each(['journal', 'store'] as const)(
    'are recorded to their end when the session ends meanwhile (%s)',
    async (mode) => {
      const trail = trailOf(mode);
      const bytes = randomLetters(4 * MIB);
      const written = trail.append('i', bytes);
      const cause = trail.append('e', 'The client went away.');
      await turn();
      trail.abort('Somebody ended it.');
      await Promise.all([cause, storedWhole(trail, 2)]);
      await written;
      const [input, last] = store.said(trail.sessionId);
      expect(input?.equals(bytes)).toBe(true);
      expect(last?.toString()).toBe('The client went away.');
    },
  );

  it('are left out when the gateway died in the middle of one, and nobody was told that they were kept', async () => {
    store.isAway = true;
    const trail = trailOf('journal');
    await trail.append('i', 'before');
    const bytes = randomLetters(volume(4, 8) * MIB);
    const written = untilDone(trail.append('i', bytes));
    const halves: JournalRecord[][] = [];
    while (!written.isDone) {
      const found = halves.length < 3 ? records() : [];
      if (found.length > 1) halves.push(found);
      await turn();
    }
    await written.done;
    await trail.append('i', 'after');
    const all = records();
    expect(halves).toHaveLength(3);
    for (const found of [...halves, all]) {
      const wasAcknowledged = found === all;
      const next = new Store();
      await replayed(found, next);
      // A second replay of the same records stores nothing.
      await replayed(found, next);
      const said = next.said(trail.sessionId);
      const isWhole = found.some((record) => record.kind === 'event' && record.part === 'ends');
      expect(isWhole || !wasAcknowledged).toBe(true);
      expect(said.map(({ length }) => length)).toEqual(
        wasAcknowledged ? [6, bytes.length, 5] : isWhole ? [6, bytes.length] : [6],
      );
      if (isWhole) expect(said[1]?.equals(bytes)).toBe(true);
    }
    // The replay does not take the next event for the rest of the half-written event.
    const [half = []] = halves;
    const behind = all.at(-1) as JournalRecord;
    const next = new Store();
    await replayed([...half, behind], next);
    expect(next.said(trail.sessionId).map(String)).toEqual(['before', 'after']);
    // The replay also skips the rest of an event whose beginning was in a journal file that is gone.
    const rests = new Store();
    await replayed(all.slice(2), rests);
    expect(rests.said(trail.sessionId).map(String)).toEqual(['after']);
    store.isAway = false;
    await trail.end(0);
  });

  it('are refused where the journal refuses, and the session is over', async () => {
    writeFileSync(folder, 'in the way');
    const trail = trailOf('journal');
    await expect(trail.append('i', randomBytes(2 * MIB))).rejects.toThrow('the journal cannot be written');
    expect(trail.ended.reason).toEqual(new Error('The session could not be recorded any further.'));
  });
});
