import { execFile } from 'node:child_process';
import { Terminal } from './terminal';
import type { Way } from './wire-path';

/** The result of a run of psql. */
export interface PsqlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * Runs psql with libpq's environment variables, as in a user's shell. `input` is its standard input;
 * `onOutput` receives each part of its standard output.
 */
export function psql(
  way: Way,
  args: readonly string[],
  {
    input,
    env,
    onOutput,
  }: { input?: string; env?: Record<string, string>; onOutput?: (piece: string) => void } = {},
): Promise<PsqlResult> {
  return new Promise((resolve) => {
    const options = { env: { ...variables(way), ...env }, maxBuffer: MAX_OUTPUT };
    const child = execFile('psql', ['-X', ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    if (onOutput !== undefined) child.stdout?.on('data', onOutput);
    child.stdin?.on('error', () => undefined).end(input ?? '');
  });
}

export function variables({ host, port, user, password, database }: Way): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    LC_ALL: 'C.UTF-8',
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGCONNECT_TIMEOUT: '80',
  };
}

/** psql on a pseudo-terminal, as a person uses it. */
export class PsqlTerminal extends Terminal {
  constructor(way: Way, env: Record<string, string> = {}) {
    super('psql -X -A -t -n -P pager=off -v PROMPT1=ready\\> -v PROMPT2=more\\>', {
      ...variables(way),
      ...env,
    });
  }

  async leave(): Promise<void> {
    this.type('\\q\n');
    await this.ended();
  }
}
