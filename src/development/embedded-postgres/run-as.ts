import { execFile } from 'node:child_process';
import { parse } from 'node:path';

/** An OS user to whom PostgreSQL is handed when the gateway runs as root: PostgreSQL refuses to be root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface RunResult {
  readonly ok: boolean;
  /** What the program printed, both streams; or why it could not be run at all. */
  readonly output: string;
  /** `EACCES`, `ENOENT`, …: the program was not even started. */
  readonly errno?: string;
}

/**
 * The part of the spawn options that every program of PostgreSQL gets.
 *
 * The environment is a short list, not ours: PGPORT, PGDATA or a broken LANG would bend the server, and the
 * gateway's secrets would be readable in it. The working folder is the root, since ours may be closed to
 * the account.
 */
export function spawnOptions(account: Account | undefined, extra: Record<string, string> = {}) {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE'];
  const env: Record<string, string> = { LC_ALL: 'C', TZ: 'UTC', ...extra };
  for (const name of kept) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  const identity = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  return { ...identity, env, cwd: parse(__dirname).root, windowsHide: true };
}

/** Runs a short program to its end, as the account when there is one. Never rejects. */
export function run(command: string, args: readonly string[], account?: Account): Promise<RunResult> {
  return new Promise((resolve) => {
    const done = (error: Error | null, stdout: string, stderr: string): void => {
      if (error === null) return resolve({ ok: true, output: (stdout + stderr).trim() });
      const output = (stdout + stderr).trim() || error.message;
      const code = (error as { code?: unknown }).code;
      resolve(typeof code === 'string' ? { ok: false, output, errno: code } : { ok: false, output });
    };
    try {
      execFile(command, args, { ...spawnOptions(account), encoding: 'utf8' }, done);
    } catch (error) {
      done(error as Error, '', '');
    }
  });
}
