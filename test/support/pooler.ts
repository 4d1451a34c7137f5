import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually';
import { freePort } from './free-port';
import { temporaryFolder } from './gateway-process';

/** PgBouncer in transaction mode, in front of one database. */
export interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

const PROGRAM = 'pgbouncer';
/** The user that runs the pooler if the tests run as root, because PgBouncer does not run as root. */
const ACCOUNT = 'postgres';

/** Returns the reason why PgBouncer cannot run here; undefined if it can. */
export function whyWithoutPooler(): string | undefined {
  try {
    execFileSync(PROGRAM, ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return `${PROGRAM} is not installed here`;
  }
}

/** @param ignored names of start-up parameters that the pooler accepts but ignores */
export async function startPooler(databaseUrl: string, ignored: readonly string[]): Promise<Pooler> {
  const folder = await temporaryFolder();
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const port = await freePort();
  const [settings, users] = [join(folder.path, 'pooler.ini'), join(folder.path, 'users.txt')];
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
ignore_startup_parameters = ${['extra_float_digits', ...ignored].join(',')}
`,
  );
  await Promise.all([settings, users].map((file) => chmod(file, 0o644)));
  const asAccount = process.getuid?.() === 0 ? ['-u', ACCOUNT] : [];
  const child = spawn(PROGRAM, ['-q', ...asAccount, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
  const url = new URL(databaseUrl);
  url.port = String(port);
  await eventually('the pooler answers', async () => {
    if (child.exitCode !== null) throw new Error(`the pooler ended: ${complaints}`);
    return answers(url.href);
  });
  return {
    url: url.href,
    close: async () => {
      await ended(child);
      await folder.remove();
    },
  };
}

async function answers(address: string): Promise<boolean> {
  const client = new Client({ connectionString: address });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await gone;
}
