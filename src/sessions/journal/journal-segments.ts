import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWNER_FILE, ownerOf } from './journal-owner';
import { JournalSegment } from './journal-segment';

/** Suffix of a journal's files. Their names sort in the order of their creation. */
export const SEGMENT_SUFFIX = '.journal';

/** Files of a journal, in a folder that belongs to one gateway. Only the gateway's OS user can read it. */
export class JournalSegments {
  private readonly left = new Set<JournalSegment>();
  private begun = 0;
  /** The file in use; undefined when the next write must begin a new one. */
  current: JournalSegment | undefined;

  constructor(
    private readonly folder: string,
    private readonly gatewayId: string,
  ) {}

  get bytes(): number {
    return [...this.left].reduce((sum, { size }) => sum + size, this.current?.size ?? 0);
  }

  /** Returns the current file, or a new one when it is full. */
  async open(): Promise<JournalSegment> {
    if (this.current?.isFull === true) {
      this.left.add(this.current);
      this.current = undefined;
    }
    this.current ??= await this.begin();
    return this.current;
  }

  /** Removes the full files whose records are all from batches before `batch`. */
  removeBefore(batch: number): void {
    for (const segment of this.left) {
      if (segment.last >= batch) continue;
      this.left.delete(segment);
      void segment.remove();
    }
  }

  async close(isStored: boolean): Promise<void> {
    const all = [...this.left, ...(this.current === undefined ? [] : [this.current])];
    this.left.clear();
    this.current = undefined;
    await Promise.all(all.map((segment) => segment.close()));
    if (isStored) await rm(this.folder, { recursive: true, force: true });
  }

  private async begin(): Promise<JournalSegment> {
    if (this.begun === 0) {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(join(this.folder, OWNER_FILE), JSON.stringify(ownerOf(this.gatewayId)), {
        mode: 0o600,
      });
      await syncFolder(dirname(this.folder));
    }
    const file = join(this.folder, `${String(this.begun + 1).padStart(8, '0')}${SEGMENT_SUFFIX}`);
    const handle = await open(file, 'wx', 0o600);
    this.begun += 1;
    await syncFolder(this.folder).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
    return new JournalSegment(file, handle);
  }
}

/**
 * Syncs a folder. Without it, a power failure can lose the directory entry of a new file, and with it the
 * file, even if its content was synced.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
