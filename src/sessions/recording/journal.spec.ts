import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { v7 as uuid7 } from 'uuid';
import { Journal, SEGMENT_SUFFIX } from './journal';
import { type JournalRecord, decodeRecords, encodeRecords } from './journal-records';

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

describe('the records of a journal', () => {
  const bytesOf = encodeRecords;

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
  const event = (text: string, count = 1): JournalRecord => ({
    kind: 'event',
    sessionId,
    number: count,
    time: count,
    type: 'o',
    content: Buffer.from(text),
  });
  const files = (): string[] => readdirSync(folder).filter((name) => name.endsWith(SEGMENT_SUFFIX));
  /** By their digest: compared by Jest, each byte of a large one would become an object. */
  const told = (records: Iterable<JournalRecord>): string[] =>
    [...records].map((one) =>
      createHash('sha256')
        .update(encodeRecords([one]))
        .digest('hex'),
    );
  const read = (): string[] =>
    files().flatMap((name) => told(decodeRecords(readFileSync(join(folder, name)))));

  it.each([false, true])('has on file what it says is written (sync: %s)', async (sync) => {
    const events = Array.from({ length: 100 }, (_, index) => event(`row ${index}`, index + 1));
    const kept = events.map((one) => journal.append([one], sync));
    await kept[49]?.written;
    expect(read().slice(0, 50)).toEqual(told(events.slice(0, 50)));
    await Promise.all(kept.map(({ written }) => written));
    expect(read()).toEqual(told(events));
  });

  it('keeps a record larger than everything else whole', async () => {
    const large = event('x'.repeat(20 * 1024 * 1024));
    await journal.append([large], false).written;
    await journal.append([event('after', 2)], false).written;
    expect(read()).toEqual(told([large, event('after', 2)]));
    expect(files()).toHaveLength(2);
  });

  it('removes a file once all of it is stored, and leaves nothing behind at the end', async () => {
    const first = journal.append([event('x'.repeat(20 * 1024 * 1024))], false);
    const second = journal.append([event('y', 2)], false);
    await Promise.all([first.written, second.written]);
    first.release();
    await journal.append([event('z', 3)], false).written;
    for (let looks = 0; files().length > 1 && looks < 1_000; looks++) await delay(10);
    expect(read()).toEqual(told([event('y', 2), event('z', 3)]));
    await journal.close();
    expect(read()).toHaveLength(2);
  });

  it('is gone when everything was stored', async () => {
    const kept = journal.append([event('x')], false);
    kept.release();
    await kept.written;
    await journal.close();
    expect(readdirSync(above)).toEqual([]);
  });

  it('starts a file anew when nothing in it is needed any more', async () => {
    for (let count = 1; count <= 50; count++) {
      const kept = journal.append([event('x'.repeat(1000), count)], false);
      await kept.written;
      kept.release();
    }
    await journal.append([event('last', 51)], false).written;
    expect(read()).toEqual(told([event('last', 51)]));
    await journal.close();
  });

  it('says why it cannot write, refuses what it was given, and goes on when it can', async () => {
    writeFileSync(folder, 'in the way');
    await expect(journal.append([event('lost')], false).written).rejects.toThrow(
      'the journal cannot be written',
    );
    expect(journal.fault).toMatch(/^the journal cannot be written: (EEXIST|ENOTDIR)/);
    await journal.probe();
    expect(journal.fault).toBeDefined();
    rmSync(folder);
    await journal.probe();
    expect(journal.fault).toBeUndefined();
    await journal.append([event('kept', 2)], false).written;
    expect(read()).toEqual(expect.arrayContaining(told([event('kept', 2)])));
    expect(read()).not.toEqual(expect.arrayContaining(told([event('lost')])));
  });
});
