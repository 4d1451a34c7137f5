import { type FileHandle, mkdir, open, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { OWNER_FILE, ownerOf } from './journal-owner';
import { type JournalRecord, encodeRecords, sizeOf } from './journal-records';

/** A file is left behind when it is this large, and removed once all of it is stored. */
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** What is written at once; more waits for the next write. */
const BATCH_BYTES = 8 * 1024 * 1024;
const PROBE_BYTES = 64 * 1024;

/** Files of a journal, in the order of their names. */
export const SEGMENT_SUFFIX = '.journal';

interface Segment {
  readonly file: string;
  readonly handle: FileHandle;
  size: number;
  /** Records that are not stored in the database yet. */
  unstored: number;
}

/** What was given to the journal. */
export interface Kept {
  /** Rejects when it could not be written: then it is kept nowhere. */
  readonly written: Promise<void>;
  /** It is stored in the database, and need not be kept. May be said before it is written. */
  release(): void;
}

/** Records on their way into a segment, and there. */
class Entry implements Kept {
  readonly written: Promise<void>;
  readonly size: number;
  private resolve!: () => void;
  fail!: (error: unknown) => void;
  private segment: Segment | undefined;
  private isReleased = false;

  constructor(
    readonly records: readonly JournalRecord[],
    readonly sync: boolean,
    private readonly forget: (segment: Segment) => void,
  ) {
    this.size = records.reduce((sum, record) => sum + sizeOf(record), 0);
    this.written = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.fail = reject;
    });
  }

  done(segment: Segment): void {
    this.segment = segment;
    if (this.isReleased) this.forget(segment);
    this.resolve();
  }

  release(): void {
    this.isReleased = true;
    if (this.segment !== undefined) this.forget(this.segment);
  }
}

/**
 * Keeps records in files until they are stored in the database. What has been written survives the death of the
 * process; with `sync`, of the machine too. Records that come while a write is under way are written together.
 *
 * A write that fails rejects all that it held, and `fault` says why until `probe` finds that it can be done again;
 * each record is tried all the same. Files lie in a folder of this gateway alone, readable by its user only.
 */
export class Journal {
  private waiting: Entry[] = [];
  private current: Segment | undefined;
  private readonly segments = new Set<Segment>();
  private begun = 0;
  private writing: Promise<void> | undefined;
  /** Why nothing can be kept just now. */
  fault: string | undefined;

  constructor(
    readonly folder: string,
    private readonly gatewayId: string,
  ) {}

  append(records: readonly JournalRecord[], sync: boolean): Kept {
    const entry = new Entry(records, sync, this.forget);
    this.waiting.push(entry);
    this.writing ??= this.write();
    return entry;
  }

  /** Tries whether records can be kept again. A small one may find room where there is none for the next. */
  async probe(): Promise<void> {
    const kept = this.append([{ kind: 'nothing', content: Buffer.alloc(PROBE_BYTES) }], false);
    kept.release();
    this.fault = await kept.written.then(
      () => undefined,
      () => this.fault,
    );
  }

  /** Leaves nothing behind if everything is stored; otherwise the files stay, for the next start. */
  async close(): Promise<void> {
    await this.writing;
    const isStored = [...this.segments].every(({ unstored }) => unstored === 0);
    await Promise.all([...this.segments].map(({ handle }) => handle.close()));
    this.segments.clear();
    this.current = undefined;
    if (isStored) await rm(this.folder, { recursive: true, force: true });
  }

  /** What comes in the same turn is written together. */
  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      await turn();
      const batch = this.nextBatch();
      try {
        const segment = await this.segment();
        await this.put(segment, batch);
        segment.unstored += batch.length;
        for (const entry of batch) entry.done(segment);
      } catch (error) {
        this.fault = `the journal cannot be written: ${reasonOf(error)}`;
        for (const entry of batch) entry.fail(new Error(this.fault, { cause: error }));
      }
    }
    // In the same turn as the last look at `waiting`: a record that comes a moment later must start anew.
    this.writing = undefined;
  }

  private nextBatch(): Entry[] {
    let bytes = 0;
    const end = this.waiting.findIndex(({ size }, index) => {
      bytes += size;
      return index > 0 && bytes > BATCH_BYTES;
    });
    if (end === -1) return this.takeAll();
    return this.waiting.splice(0, end);
  }

  private takeAll(): Entry[] {
    const all = this.waiting;
    this.waiting = [];
    return all;
  }

  private async put(segment: Segment, batch: readonly Entry[]): Promise<void> {
    const bytes = encodeRecords(batch.flatMap(({ records }) => records));
    try {
      for (let done = 0; done < bytes.length;) {
        const rest = bytes.length - done;
        const { bytesWritten } = await segment.handle.write(bytes, done, rest, segment.size + done);
        done += bytesWritten;
      }
      if (batch.some(({ sync }) => sync)) await segment.handle.datasync();
      segment.size += bytes.length;
    } catch (error) {
      // What was written of it was promised to nobody, and must not be taken for records later.
      await segment.handle.truncate(segment.size).catch(() => this.leave(segment));
      throw error;
    }
  }

  /** The file to write to: emptied when all of it is stored, another one when it is full. */
  private async segment(): Promise<Segment> {
    const { current } = this;
    if (current === undefined) return this.begin();
    if (current.unstored === 0 && current.size > 0) {
      await current.handle.truncate(0);
      current.size = 0;
    }
    if (current.size < SEGMENT_BYTES) return current;
    await this.leave(current);
    return this.begin();
  }

  private async begin(): Promise<Segment> {
    if (this.begun === 0) {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(join(this.folder, OWNER_FILE), JSON.stringify(ownerOf(this.gatewayId)), {
        mode: 0o600,
      });
      await syncFolder(dirname(this.folder));
    }
    const file = join(this.folder, `${String(this.begun + 1).padStart(8, '0')}${SEGMENT_SUFFIX}`);
    const segment = { file, handle: await open(file, 'wx', 0o600), size: 0, unstored: 0 };
    this.begun += 1;
    await syncFolder(this.folder).catch(async (error: unknown) => {
      await segment.handle.close();
      throw error;
    });
    this.segments.add(segment);
    this.current = segment;
    return segment;
  }

  private async leave(segment: Segment): Promise<void> {
    this.current = undefined;
    if (segment.unstored === 0) await this.remove(segment);
  }

  private readonly forget = (segment: Segment): void => {
    segment.unstored -= 1;
    if (segment.unstored === 0 && segment !== this.current) void this.remove(segment);
  };

  /** What cannot be removed is read at the next start, and found to be stored. */
  private async remove(segment: Segment): Promise<void> {
    if (!this.segments.delete(segment)) return;
    await segment.handle.close().catch(() => undefined);
    await unlink(segment.file).catch(() => undefined);
  }
}

/** A file whose name is not on the disk is lost with the power, however well its bytes are kept. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'its folder may not be written to',
  EDQUOT: 'its quota is used up',
  ENOSPC: 'its disk is full',
  EPERM: 'its folder may not be written to',
  EROFS: 'its disk is read-only',
};

/** For everybody's eyes: without paths. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? (reasons[code] ?? code) : 'an unexpected fault';
}
