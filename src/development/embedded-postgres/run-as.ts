import { execFile } from 'node:child_process';
import { parse } from 'node:path';

/** The OS user that runs PostgreSQL when the gateway runs as root: PostgreSQL refuses to run as root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface RunResult {
  readonly ok: boolean;
  /** Output of the program on stdout and stderr, or the reason why it could not be started. */
  readonly output: string;
  /** Set if the program could not be started: `EACCES`, `ENOENT`, … */
  readonly errno?: string;
}

/**
 * Returns the spawn options that are common to all programs of PostgreSQL.
 *
 * The programs do not get the environment of the gateway, because PGPORT, PGDATA or a broken LANG would
 * change the server, and the gateway's secrets would be readable in it. They get a short list of variables.
 * The working folder is `/`, because the account may have no access to the gateway's working folder.
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

/** Runs a short program until it exits, as the account if one is given. Never rejects. */
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
