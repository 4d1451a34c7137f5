import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type SshWay, variablesOf } from './ways';

/** Time limit of a program, on a slow machine. */
const RUN_MS = 180_000;

/** Versions of a program, and what it saw, by check. */
export interface Outcome {
  readonly versions: Readonly<Record<string, string>>;
  readonly seen: Readonly<Record<string, unknown>>;
}

/** The end of a program. */
export interface Ended {
  readonly code: number | string | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly input?: string | Buffer;
  readonly environment?: Record<string, string>;
}

/** Runs a program of this machine to its end, with the way in its environment. */
export async function run(
  way: SshWay,
  [program = '', ...args]: readonly string[],
  { input = '', environment = {} }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: way.local,
    env: { ...variablesOf(way), ...environment },
    // A group of its own, so that a program that hangs is ended with those that it has started.
    detached: true,
  });
  const limit = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, RUN_MS);
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(limit);
  const text = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString('latin1');
  return { code: code ?? signal, out: text(out), err: text(err) };
}

/** Runs a program that prints its outcome as JSON in its last line. */
export async function outcomeOf(
  way: SshWay,
  command: readonly string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const { code, out, err } = await run(way, command, { environment });
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${out}${err}`);
  // The output of `run` has a character for each byte.
  const line = Buffer.from(out, 'latin1').toString().trim().split('\n').at(-1) ?? '';
  // Errors name files, which differ between both ways.
  return JSON.parse(line.replaceAll(way.remote, 'REMOTE')) as Outcome;
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

export function sumOf(file: string): string {
  try {
    return sha256(readFileSync(file));
  } catch {
    return 'no file';
  }
}

/** The version in what a program prints. */
export async function versionOf(way: SshWay, command: readonly string[]): Promise<string> {
  const { out, err } = await run(way, command);
  return /\d+(\.\d+)+\w*/.exec(`${out}${err}`)?.[0] ?? 'unknown';
}
