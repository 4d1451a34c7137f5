import { readFileSync } from 'node:fs';

export const OWNER_FILE = 'owner.json';

/** The process that writes a journal. */
export interface JournalOwner {
  readonly gatewayId: string;
  readonly pid: number;
  /**
   * Start time of the process. It distinguishes the process from a later process with the same process id.
   * Null on systems other than Linux.
   */
  readonly started: string | null;
}

export function ownerOf(gatewayId: string): JournalOwner {
  return { gatewayId, pid: process.pid, started: startOf(process.pid) };
}

/**
 * Whether the owner process still runs on this machine. False if the owner has the process id of this
 * process, because that owner was an earlier process. For example, the first process of every container has
 * the same process id.
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
 * Returns the boot id of the machine and the start time of a process in clock ticks (proc(5), field 22).
 * Splits the line at the last closing parenthesis, which ends the process name, because the name may contain
 * any character.
 */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1)?.trim().split(' ') ?? [];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[19]}`;
  } catch {
    return null;
  }
}
