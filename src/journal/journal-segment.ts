import { ftruncateSync, writeSync } from 'node:fs';
import { type FileHandle, unlink } from 'node:fs/promises';

/** A file is left behind when it is this large, and removed once all of it is stored. */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** A file of a journal. What was written of a batch that failed was promised to nobody, and must not be taken for records later. */
export class JournalSegment {
  private size = 0;
  private isTorn = false;
  /** Number of the last batch in it. */
  last = 0;

  constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  get isFull(): boolean {
    return this.isTorn || this.size >= SEGMENT_BYTES;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Into the page cache: what is small is there sooner than a thread begins. */
  putNow(bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length;)
        done += writeSync(this.handle.fd, bytes, done, bytes.length - done, this.size + done);
    } catch (error) {
      this.mend();
      throw error;
    }
    this.size += bytes.length;
  }

  /** By a thread; with `isSync` onto the disk. */
  async put(bytes: Buffer, isSync: boolean): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, this.size + done);
        done += bytesWritten;
      }
      if (isSync) await this.handle.datasync();
    } catch (error) {
      this.mend();
      throw error;
    }
    this.size += bytes.length;
  }

  empty(): void {
    ftruncateSync(this.handle.fd, 0);
    this.size = 0;
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /** What cannot be removed is read at the next start, and found to be stored. */
  async remove(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await unlink(this.file).catch(() => undefined);
  }

  private mend(): void {
    try {
      ftruncateSync(this.handle.fd, this.size);
    } catch {
      this.isTorn = true;
    }
  }
}
