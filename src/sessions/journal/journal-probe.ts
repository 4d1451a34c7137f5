import { randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { resultWithin } from '../../kernel/async/timeout';
import { journalFault } from './journal-fault';

/** Maximum duration of a probe. It is limited, because an unreachable network file system hangs. */
const WITHIN_MS = 2_000;
const PROBE = Buffer.alloc(4_096, 'probe');

/**
 * Checks that a journal can be written: writes a file in the folder, syncs it and removes it. Returns the
 * reason if that fails.
 */
export async function probeJournal(folder: string): Promise<string | undefined> {
  const tried = tryFolder(folder).then(
    () => ({ fault: undefined }),
    (error: unknown) => ({ fault: journalFault(error) }),
  );
  const result = await resultWithin(tried, WITHIN_MS);
  return result === undefined ? 'the journal cannot be written: its disk does not answer' : result.fault;
}

async function tryFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `.probe-${randomBytes(8).toString('hex')}`);
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(PROBE);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(file, { force: true });
  }
}
