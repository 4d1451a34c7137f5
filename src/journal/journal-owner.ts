import { readFileSync } from 'node:fs';

export const OWNER_FILE = 'owner.json';

/** Who writes a journal. */
export interface JournalOwner {
  readonly gatewayId: string;
  readonly pid: number;
  /** When that process started, as Linux tells it: another one may have its number by now. Null elsewhere. */
  readonly started: string | null;
}

export function ownerOf(gatewayId: string): JournalOwner {
  return { gatewayId, pid: process.pid, started: startOf(process.pid) };
}

/** Whether that process still runs on this machine. One of our own number is gone: we are not it (a container's first process). */
export function isRunning({ pid, started }: JournalOwner): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === null || started === startOf(pid);
}

/** The boot and the tick since then (proc(5), field 22; the name before it may hold anything but ends at the last bracket). */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1)?.trim().split(' ') ?? [];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[19]}`;
  } catch {
    return null;
  }
}
