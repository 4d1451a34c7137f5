import { type ChildProcess, execFile, spawn } from 'node:child_process';
import type { Way } from './wire-path';

/** The result of a run of psql. */
export interface PsqlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_OUTPUT = 256 * 1024 * 1024;

/** Runs psql with libpq's own variables, as in a user's shell; `input` is its standard input. */
export function psql(
  way: Way,
  args: readonly string[],
  { input, env }: { input?: string; env?: Record<string, string> } = {},
): Promise<PsqlResult> {
  return new Promise((resolve) => {
    const options = { env: { ...variables(way), ...env }, maxBuffer: MAX_OUTPUT };
    const child = execFile('psql', ['-X', ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.on('error', () => undefined).end(input ?? '');
  });
}

function variables({ host, port, user, password, database }: Way): Record<string, string> {
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
export class PsqlTerminal {
  private readonly child: ChildProcess;
  private seen = '';
  private wake: () => void = () => undefined;
  private hasEnded = false;

  constructor(way: Way, env: Record<string, string> = {}) {
    const command = 'psql -X -A -t -n -P pager=off -v PROMPT1=ready\\> -v PROMPT2=more\\>';
    this.child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...variables(way), TERM: 'dumb', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (data: Buffer) => {
      this.seen += data.toString();
      this.wake();
    });
    this.child.once('close', () => {
      this.hasEnded = true;
      this.wake();
    });
  }

  /** Types the text unchanged. */
  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Waits for this text. Returns the terminal's output since the last call. */
  async until(shown: string): Promise<string> {
    for (;;) {
      const at = this.seen.indexOf(shown);
      if (at !== -1) {
        const text = this.seen.slice(0, at);
        this.seen = this.seen.slice(at + shown.length);
        return text;
      }
      if (this.hasEnded) throw new Error(`psql ended, and showed only: ${this.seen}`);
      await new Promise<void>((woken) => {
        this.wake = woken;
      });
    }
  }

  async leave(): Promise<void> {
    this.type('\\q\n');
    while (!this.hasEnded) {
      await new Promise<void>((woken) => {
        this.wake = woken;
      });
    }
  }

  /** Kills psql. */
  kill(): void {
    this.child.kill('SIGKILL');
  }
}
