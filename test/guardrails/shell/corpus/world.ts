import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SHELLS = ['bash', 'dash'] as const;
export type ShellName = (typeof SHELLS)[number];

/** The file that forms of the corpus remove. */
export const VICTIM = 'victim';

const TIME_LIMIT_MS = 10_000;

/** Result of a script: its exit code, and what it wrote. */
export interface Ran {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * Runs a script as a shell's only text. The script is no file that its own commands could read, and their
 * standard input is empty: otherwise a command such as `read` could take a line of the script for itself, and
 * the shell would read the rest in another way than the rules.
 */
export async function runScript(shell: ShellName, script: string, folder: string): Promise<Ran> {
  const child = spawn(`/bin/${shell}`, ['-c', script], {
    cwd: folder,
    // A process group of its own, so that what the script leaves behind can be ended.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' },
  });
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece));
  const limit = setTimeout(() => end(child.pid), TIME_LIMIT_MS);
  const closed = once(child, 'close');
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(limit);
  // Programs in the background keep the output open.
  end(child.pid);
  await closed;
  const exitCode = code ?? 1;
  return { exitCode, output: Buffer.concat(pieces).toString() };
}

function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

/**
 * Makes a folder with the files that forms name: the victim, and two files to read. A form names no file
 * outside of it, because some pass all their arguments to `rm`.
 */
export async function makePlace(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, VICTIM), 'precious');
  await writeFile(join(folder, 'one.txt'), 'one line\n');
  await writeFile(join(folder, 'many.txt'), 'first line\nsecond line\nthird line\n');
}

/** Folders in which scripts run, each with a victim. */
export class World {
  private count = 0;

  private constructor(readonly folder: string) {}

  static async create(): Promise<World> {
    return new World(await mkdtemp(join(tmpdir(), 'shell-world-')));
  }

  /** Makes a new folder with a victim. */
  async place(): Promise<string> {
    const folder = join(this.folder, String((this.count += 1)));
    await makePlace(folder);
    return folder;
  }

  /** Whether the script removes the victim when nothing stops it. */
  async hasEffect(shell: ShellName, script: string): Promise<boolean> {
    const folder = await this.place();
    await runScript(shell, script, folder);
    return !existsSync(join(folder, VICTIM));
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
