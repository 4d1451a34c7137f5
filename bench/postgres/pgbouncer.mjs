// PgBouncer in session mode in front of the target, as Debian packages it. Like the other columns, it uses
// SCRAM on both sides and no TLS.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEnd } from '../kit/ends.mjs';
import { answers, freePort } from '../kit/ports.mjs';
import { find } from './tools.mjs';

/** Starts PgBouncer; returns undefined if it is not installed. */
export async function startPgBouncer(target) {
  const program = find('pgbouncer');
  if (program === undefined) return undefined;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-pgbouncer-'));
  const account = accountFor(folder);
  const config = writeConfig(folder, account, port, new URL(target));
  const child = spawn(program, ['-q', config], { ...account, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onEnd(async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await answers(port, () => child.exitCode === null);
  const url = new URL(target);
  url.port = String(port);
  return { url: url.href, pid: child.pid };
}

/**
 * Returns another account if the bench runs as root, because PgBouncer refuses root: Debian's `postgres`, or
 * `nobody`.
 */
function accountFor(folder) {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag, user) =>
    Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const user of ['postgres', 'nobody']) {
    try {
      const account = { uid: idOf('-u', user), gid: idOf('-g', user) };
      chownSync(folder, account.uid, account.gid);
      return account;
    } catch {
      // There is no such user. Tries the next one.
    }
  }
  throw new Error('PgBouncer needs a user other than root');
}

function writeConfig(folder, account, port, target) {
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${target.username}" "${target.password}"\n`);
  const config = join(folder, 'pgbouncer.ini');
  const database = target.pathname.slice(1);
  writeFileSync(
    config,
    `[databases]
${database} = host=${target.hostname} port=${target.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = session
default_pool_size = 64
max_client_conn = 128
server_tls_sslmode = disable
ignore_startup_parameters = extra_float_digits
logfile = ${join(folder, 'pgbouncer.log')}
log_connections = 0
log_disconnections = 0
log_stats = 0
`,
  );
  chmodSync(users, 0o600);
  if (account.uid !== undefined)
    for (const file of [users, config]) chownSync(file, account.uid, account.gid);
  return config;
}
