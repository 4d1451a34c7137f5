import { readFile, readlink, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { run } from './run-as';

/** The state of `postmaster.pid`, checked against the processes of this machine. */
export type Sighting =
  | { readonly state: 'none' }
  /** The file is being written at this moment. */
  | { readonly state: 'unclear' }
  /** The server died and left its file. Its pid is free, or belongs to a zombie or another program. */
  | { readonly state: 'stale'; readonly pid: number }
  | { readonly state: 'running'; readonly pid: number; readonly port: number; readonly phase: Phase };

export type Phase = 'starting' | 'ready' | 'stopping';

const REMNANT_AFTER_MS = 3_000;

/** Looks for a server on the cluster. */
export async function findServer(cluster: string): Promise<Sighting> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { state: 'none' };
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0) || !(port > 0)) return unfinishedFile(file);
  if (!(await isServerOf(cluster, pid))) return { state: 'stale', pid };
  return { state: 'running', pid, port, phase: phaseOf(lines[7]) };
}

/** Removes an old empty file that a crash left, because PostgreSQL would never start with it. */
async function unfinishedFile(file: string): Promise<Sighting> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || Date.now() - found.mtimeMs < REMNANT_AFTER_MS) return { state: 'unclear' };
  await rm(file, { force: true });
  return { state: 'none' };
}

function phaseOf(word: string | undefined): Phase {
  if (word === 'ready' || word === 'stopping') return word;
  return 'starting';
}

/** Whether a process with this number exists, a zombie included. */
export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process is the PostgreSQL server of this cluster, and not a zombie or a program that got the
 * pid of a dead server. On Windows this is true for every live process, and PostgreSQL itself checks it.
 */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (!processIsAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  return process.platform === 'linux' ? onLinux(cluster, pid) : byPs(cluster, pid);
}

async function onLinux(cluster: string, pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [command = '', ...args] = commandLine.split('\0'); // a zombie's is empty
  if (basename(command) !== 'postgres') return false;
  if (args.includes(cluster)) return true;
  // A server that was started by hand with a relative path or PGDATA works in the folder of its cluster.
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster;
}

async function byPs(cluster: string, pid: number): Promise<boolean> {
  const { output } = await run('ps', ['-ww', '-o', 'stat=,command=', '-p', String(pid)]);
  return !output.trim().startsWith('Z') && output.includes('postgres') && output.includes(cluster);
}
