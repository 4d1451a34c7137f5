import { readFileSync } from 'node:fs';

export const OWNER_FILE = 'owner.json';

/** The process that writes a journal. */
export interface JournalOwner {
  readonly gatewayId: string;
  readonly pid: number;
  /**
   * Start time of the process on Linux, because another process may have its
   * number by now. Null on other systems.
   */
  readonly started: string | null;
}

export function ownerOf(gatewayId: string): JournalOwner {
  return { gatewayId, pid: process.pid, started: startOf(process.pid) };
}

/**
 * Whether that process still runs on this machine. A process with our own number does not: in a container,
 * every first process has the same.
 */
export function isRunning({ pid, started }: JournalOwner): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === null || started === startOf(pid);
}

/**
 * Boot id and start tick of a process (proc(5), field 22; the name before it may contain anything, and ends
 * at the last bracket).
 */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1)?.trim().split(' ') ?? [];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[19]}`;
  } catch {
    return null;
  }
}
