import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from '../../../test/support/fast-check';
import { parse, v7 as uuid7 } from 'uuid';
import { letterOf } from '../format/event-codec';
import { Journal } from './journal';
import { JournalPlace } from './journal-batch';
import {
  type JournalRecord,
  type NewRecord,
  RECORD_BYTES,
  decodeRecords,
  writeRecord,
} from './journal-records';
import { SEGMENT_SUFFIX } from './journal-segments';

const content = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('event' as const),
    sessionId: fc.uuid(),
    number,
    time: fc.double({ noNaN: true }),
    type: fc.constantFrom('i' as const, 'o' as const, 'e' as const),
    content,
  }),
  fc.record({
    kind: fc.constant('event' as const),
    sessionId: fc.uuid(),
    number,
    time: fc.double({ noNaN: true }),
    type: fc.constant('i' as const),
    values: fc.constant(true as const),
    content,
  }),
  fc.record({
    kind: fc.constantFrom('progress' as const, 'end' as const),
    sessionId: fc.uuid(),
    number,
    content,
  }),
  fc.record({ kind: fc.constant('nothing' as const), content }),
);

const newRecord = (one: JournalRecord): NewRecord => ({
  kind: one.kind,
  number: one.kind === 'nothing' ? 0 : one.number,
  time: one.kind === 'event' ? one.time : 0,
  letter: one.kind === 'event' ? letterOf(one) : 0,
  content: one.content,
  length: one.content.length,
});

const bytesOf = (records: readonly JournalRecord[]): Buffer =>
  Buffer.concat(
    records.map((one) => {
      const bytes = Buffer.alloc(RECORD_BYTES + one.content.length);
      writeRecord(
        bytes,
        0,
        one.kind === 'nothing' ? new Uint8Array(16) : parse(one.sessionId),
        newRecord(one),
      );
      return bytes;
    }),
  );

describe('the records of a journal', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        expect([...decodeRecords(bytesOf(records))]).toEqual(records);
      }),
    );
  });

  it('are read as far as they are whole, wherever the writer died', () => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.boolean(),
        (records, at, isNoise) => {
          const bytes = bytesOf(records);
          const cut = at % bytes.length;
          const torn = Buffer.from(isNoise ? bytes : bytes.subarray(0, cut));
          if (isNoise) torn[cut] = (torn[cut] ?? 0) ^ 0x55;
          const read = [...decodeRecords(torn)];
          expect(read).toEqual(records.slice(0, read.length));
          expect(bytesOf(records.slice(0, read.length)).length).toBeLessThanOrEqual(cut);
          expect(bytesOf(records.slice(0, read.length + 1)).length).toBeGreaterThan(cut);
        },
      ),
    );
  });
});

describe('a journal', () => {
  let above: string;
  let folder: string;
  let journal: Journal;

  beforeEach(() => {
    above = mkdtempSync(join(tmpdir(), 'gateway-journal-'));
    folder = join(above, 'gateway');
    journal = new Journal(folder, 'gateway');
  });

  afterEach(async () => {
    await journal.close();
    rmSync(above, { recursive: true, force: true });
  });

  const sessionId = uuid7();
  const placeFor = (isSync = false, failed = () => undefined as void): JournalPlace =>
    new JournalPlace(parse(sessionId), isSync, failed);
  const append = (place: JournalPlace, one: JournalRecord): Promise<void> =>
    journal.append(place, newRecord(one));
  const event = (text: string, count = 1): JournalRecord => ({
    kind: 'event',
    sessionId,
    number: count,
    time: count,
    type: 'o',
    content: Buffer.from(text),
  });
  const files = (): string[] => readdirSync(folder).filter((name) => name.endsWith(SEGMENT_SUFFIX));
  /** Digests of the records. Comparing buffers is slow, because Jest makes an object of each byte. */
  const told = (records: Iterable<JournalRecord>): string[] =>
    [...records].map((one) =>
      createHash('sha256')
        .update(bytesOf([one]))
        .digest('hex'),
    );
  const read = (): string[] =>
    files().flatMap((name) => told(decodeRecords(readFileSync(join(folder, name)))));

  it.each([false, true])('has in its file what it reports as written (sync: %s)', async (isSync) => {
    const events = Array.from({ length: 100 }, (_, index) => event(`row ${index}`, index + 1));
    const place = placeFor(isSync);
    const kept = events.map((one) => append(place, one));
    await kept[49];
    expect(read().slice(0, 50)).toEqual(told(events.slice(0, 50)));
    await Promise.all(kept);
    expect(read()).toEqual(told(events));
  });

  it('has the records of many turns in order, also when threads write them', async () => {
    const places = [placeFor(), placeFor(true), placeFor()];
    const events: JournalRecord[] = [];
    for (let count = 1; count <= 300; count++) {
      const one = event(count % 50 === 0 ? 'x'.repeat(400_000) : `row ${count}`, count);
      events.push(one);
      const written = append(places[count % 3 === 0 ? 1 : 0] as JournalPlace, one);
      if (count % 7 === 0) await written;
      if (count % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await append(places[2] as JournalPlace, event('last', 301));
    expect(read()).toEqual(told([...events, event('last', 301)]));
  });

  it('gives one promise to all records of one turn', async () => {
    const [one, other] = [placeFor(), placeFor()];
    await append(one, event('first'));
    const [second, third] = [append(one, event('second', 2)), append(other, event('third', 3))];
    expect(second).toBe(third);
    await second;
    expect(append(one, event('fourth', 4))).not.toBe(second);
  });

  it('keeps a record whole that is larger than any write', async () => {
    const large = event('x'.repeat(20 * 1024 * 1024));
    await append(placeFor(), large);
    await append(placeFor(), event('after', 2));
    expect(read()).toEqual(told([large, event('after', 2)]));
    expect(files()).toHaveLength(2);
  });

  it('removes a file once all of it is stored, and leaves nothing behind at the end', async () => {
    const [first, second] = [placeFor(), placeFor()];
    await Promise.all([append(first, event('x'.repeat(20 * 1024 * 1024))), append(second, event('y', 2))]);
    expect(files()).toHaveLength(2);
    journal.release(first, Infinity);
    await append(second, event('z', 3));
    for (let looks = 0; files().length > 1 && looks < 1_000; looks++) await delay(10);
    expect(read()).toEqual(told([event('y', 2), event('z', 3)]));
    await journal.close();
    expect(read()).toHaveLength(2);
  });

  it('keeps a file while one of its records is needed', async () => {
    const [early, late] = [placeFor(), placeFor()];
    await append(early, event('y'));
    await append(late, event('x'.repeat(20 * 1024 * 1024), 2));
    const next = journal.next;
    await append(late, event('z', 3));
    journal.release(late, next);
    await append(late, event('last', 4));
    expect(files()).toHaveLength(2);
    expect(read()).toHaveLength(4);
    journal.release(early, Infinity);
    for (let looks = 0; files().length > 1 && looks < 1_000; looks++) await delay(10);
    expect(read()).toEqual(told([event('z', 3), event('last', 4)]));
  });

  it('removes its files when everything is stored', async () => {
    const place = placeFor();
    const written = append(place, event('x'));
    journal.release(place, Infinity);
    await written;
    await journal.close();
    expect(readdirSync(above)).toEqual([]);
  });

  it('empties a file when nothing in it is needed any more', async () => {
    const place = placeFor();
    for (let count = 1; count <= 50; count++) {
      await append(place, event('x'.repeat(1000), count));
      journal.release(place, Infinity);
    }
    await append(place, event('last', 51));
    expect(read()).toEqual(told([event('last', 51)]));
    await append(place, event('one more', 52));
    expect(read()).toEqual(told([event('last', 51), event('one more', 52)]));
  });

  it('says why it cannot write, rejects the records, and continues when it can write', async () => {
    writeFileSync(folder, 'in the way');
    let failures = 0;
    const lost = append(
      placeFor(false, () => void (failures += 1)),
      event('lost'),
    );
    await expect(lost).rejects.toThrow('the journal cannot be written');
    expect(failures).toBe(1);
    expect(journal.fault).toMatch(/^the journal cannot be written: its folder is a file/);
    await journal.probe();
    expect(journal.fault).toBeDefined();
    rmSync(folder);
    await journal.probe();
    expect(journal.fault).toBeUndefined();
    await append(placeFor(), event('kept', 2));
    expect(read()).toEqual(expect.arrayContaining(told([event('kept', 2)])));
    expect(read()).not.toEqual(expect.arrayContaining(told([event('lost')])));
  });
});
