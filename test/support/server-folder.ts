import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServer, processIsAlive } from '../../src/development/embedded-postgres/postmaster-pid';

/** A file system in memory, on Linux. Containers may have one that is too small. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;
const NAME = /^gateway-test-(\d+)-/;

export interface ServerFolder {
  readonly path: string;
  readonly isInMemory: boolean;
}

/**
 * A folder for what tests store: in memory where there is enough, because
 * creating hundreds of databases writes much.
 */
export async function serverFolder(): Promise<ServerFolder> {
  const isInMemory = await hasMemory();
  if (isInMemory) await removeForgotten(MEMORY);
  const path = await mkdtemp(join(isInMemory ? MEMORY : tmpdir(), `gateway-test-${process.pid}-`));
  // When root starts it, PostgreSQL runs as another user: without access to the folder, the data would be in
  // /var/lib and stay there.
  await chmod(path, 0o711);
  return { path, isInMemory };
}

async function hasMemory(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const found = await statfs(MEMORY).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= ENOUGH_BYTES && freemem() >= ENOUGH_BYTES;
}

/**
 * A run that was killed leaves its server and folder behind, which hold memory until a later run removes
 * them.
 */
export async function removeForgotten(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    if (pid === 0 || processIsAlive(pid)) continue;
    const server = await findServer(join(base, name, 'postgres'));
    if (server.state === 'running') process.kill(server.pid, 'SIGQUIT');
    // The folder of another user is theirs to remove.
    await rm(join(base, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }).catch(
      () => undefined,
    );
  }
}
