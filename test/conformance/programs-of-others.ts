import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port';

const SCRIPTS = join(__dirname, 'python');
/** Time limit of a client, on a slow machine. */
const RUN_MS = 240_000;

/** Results of a client, by check. */
export type Seen = Readonly<Record<string, unknown>>;

/** Returns the command that starts `python/server.py`. */
export function pythonServer(python: string): readonly string[] {
  return [python, join(SCRIPTS, 'server.py')];
}

/** Starts a server. `program` and `args` exclude the port and the options. */
export async function startServer(
  [program = '', ...args]: readonly string[],
  options: readonly string[],
): Promise<{ url: string; close(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(program, [...args, String(port), ...options], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const response = await fetch(url, { method: 'OPTIONS' }).catch(() => undefined);
    await response?.body?.cancel();
    if (response !== undefined) break;
    if (tries > 1_200) throw new Error('the server did not start');
    await pause(100);
  }
  return {
    url,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Runs a client and returns its results. `rest` is the URL and the arguments after it. */
export async function seenBy(
  [program = '', ...args]: readonly string[],
  rest: readonly string[],
  token: string | undefined,
): Promise<Seen> {
  const { stdout } = await promisify(execFile)(program, [...args, ...rest], {
    env: { PATH: process.env['PATH'], ...(token === undefined ? {} : { TOKEN: token }) },
    timeout: RUN_MS,
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Seen;
}

/** Returns the names of the checks with different results through the gateway. */
export function differencesOf(direct: Seen, through: Seen): string[] {
  const names = [...new Set([...Object.keys(direct), ...Object.keys(through)])];
  return names.filter((name) => JSON.stringify(direct[name]) !== JSON.stringify(through[name]));
}

/** Writes a table to standard error, because Jest prints standard error unchanged. */
export function printMatrix(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  process.stderr.write(`\n${rows.map((row) => `  ${line(row)}`).join('\n')}\n`);
}
