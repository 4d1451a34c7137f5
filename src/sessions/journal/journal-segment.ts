import { ftruncateSync, writeSync } from 'node:fs';
import { type FileHandle, unlink } from 'node:fs/promises';

/**
 * Size at which a journal file is full and a new file begins. A full file is removed once all its records are
 * stored in the database.
 */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/**
 * A journal file. If writing a batch fails, its bytes are cut off, so that they are never read as records.
 */
export class JournalSegment {
  size = 0;
  private isTorn = false;
  /** Number of the last batch in the file. */
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

  /** Writes into the page cache on the event loop, which for small data is faster than a thread. */
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

  /** Writes in a thread. With `isSync`, waits until the data is on the disk. */
  async writeBatch(bytes: Buffer, isSync: boolean): Promise<void> {
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

  /**
   * Removes the file. If that fails, the next start reads the file and finds that its records are stored
   * already.
   */
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
