import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServer, processIsAlive } from '../../src/development/embedded-postgres/postmaster-pid';

/** File system in memory on Linux. In a container it may be too small. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;
const NAME = /^gateway-test-(\d+)-/;

export interface ServerFolder {
  readonly path: string;
  readonly isInMemory: boolean;
}

/**
 * Creates a folder for the data of tests. It is in memory if enough is free, because creating hundreds of
 * databases writes much data.
 */
export async function serverFolder(): Promise<ServerFolder> {
  const isInMemory = await hasMemory();
  if (isInMemory) await removeForgotten(MEMORY);
  const path = await mkdtemp(join(isInMemory ? MEMORY : tmpdir(), `gateway-test-${process.pid}-`));
  // If root starts PostgreSQL, the server runs as another user. Without access to this folder, the server
  // would store its data in /var/lib, where nothing removes the data.
  await chmod(path, 0o711);
  return { path, isInMemory };
}

async function hasMemory(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const found = await statfs(MEMORY).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= ENOUGH_BYTES && freemem() >= ENOUGH_BYTES;
}

/** Removes servers and folders of killed runs, because they occupy memory. */
export async function removeForgotten(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    if (pid === 0 || processIsAlive(pid)) continue;
    const server = await findServer(join(base, name, 'postgres'));
    if (server.state === 'running') process.kill(server.pid, 'SIGQUIT');
    // Ignores a folder that belongs to another user.
    await rm(join(base, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }).catch(
      () => undefined,
    );
  }
}
