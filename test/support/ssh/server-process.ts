import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Ids of the processes that serve clients of a server: its child processes (Linux only). */
export function servingProcesses({ pid }: ChildProcess): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid);
  } catch {
    // It has ended.
  }
}

/** Ends a server, and not the processes that serve its clients: they have its standard error still open. */
export async function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}
