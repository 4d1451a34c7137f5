import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries';
import { findServer, isServerOf } from './postmaster-pid';
import { run, spawnOptions, type Account } from './run-as';

/** All that is needed to start a server, except the cluster's password. */
export interface ServerPlan {
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly cluster: string;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * A started server. `undefined`: the caller must try again, because another start was faster, or a dying
 * server still uses the port or its shared memory.
 */
export type Launched = { readonly pid: number; readonly port: number } | undefined;

// The limit is high because a server that recovers from a crash may first read a large log. Meanwhile
// `postmaster.pid` has the state "starting".
const START_LIMIT_MS = 120_000;
const FAST_LIMIT_MS = 20_000;
const IMMEDIATE_LIMIT_MS = 10_000;
const LOG_LIMIT_BYTES = 10_000_000;
const WORTH_ANOTHER_LOOK =
  /lock file "postmaster\.pid" (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets/;

/**
 * Starts a server and waits until it is ready. @throws with the last lines of its log if it does not start
 */
export async function launch(plan: ServerPlan, stalePid: number | undefined): Promise<Launched> {
  const port = await freePort();
  const logStart = await trimLog(plan.logFile);
  const server = await spawnServer(plan, port, stalePid);
  const limit = Date.now() + START_LIMIT_MS;
  while (server.exitCode === null && server.signalCode === null && Date.now() < limit) {
    const seen = await findServer(plan.cluster);
    if (seen.state === 'running' && seen.pid === server.pid && seen.phase === 'ready')
      return { pid: seen.pid, port };
    await delay(20);
  }
  if (server.exitCode === null && server.signalCode === null) server.kill('SIGQUIT');
  const said = (await readFile(plan.logFile)).subarray(logStart).toString('utf8').trim();
  if (WORTH_ANOTHER_LOOK.test(said)) return undefined;
  throw new Error(
    `PostgreSQL did not start. The end of ${plan.logFile}:\n${said.split('\n').slice(-12).join('\n')}`,
  );
}

async function spawnServer(plan: ServerPlan, port: number, stalePid?: number): Promise<ChildProcess> {
  const settings = {
    ...plan.settings,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // If a live process has the pid of the dead server, PostgreSQL takes it for that server and never starts.
  // With this variable, PostgreSQL ignores the process. It still checks the shared memory of the dead server.
  const extra = stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) };
  const log = await open(plan.logFile, 'a', 0o600);
  try {
    // Detached, in a session of its own, so that Ctrl-C in the terminal
    // reaches the gateway and not the server.
    const server = spawn(plan.binaries.postgres, ['-D', plan.cluster, ...args], {
      ...spawnOptions(plan.account, extra),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise((resolve, reject) => server.once('spawn', resolve).once('error', reject));
    server.unref();
    return server;
  } finally {
    await log.close();
  }
}

/**
 * Stops the server by a fast shutdown, or, if that hangs, by an immediate one. The next start then needs a
 * recovery, but no committed data are lost.
 */
export async function stopServer(plan: ServerPlan, pid: number): Promise<void> {
  await signal(plan, pid, 'INT');
  if (await gone(plan, pid, FAST_LIMIT_MS)) return;
  await signal(plan, pid, 'QUIT');
  if (await gone(plan, pid, IMMEDIATE_LIMIT_MS)) return;
  throw new Error(`PostgreSQL (process ${pid}) does not stop. See ${plan.logFile}`);
}

async function signal(plan: ServerPlan, pid: number, name: 'INT' | 'QUIT'): Promise<void> {
  // Windows has no signals. PostgreSQL reads them from a pipe there, and `pg_ctl` writes them to it.
  if (process.platform === 'win32') return void (await run(plan.binaries.pgCtl, ['kill', name, String(pid)]));
  try {
    process.kill(pid, `SIG${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function gone(plan: ServerPlan, pid: number, limitMs: number): Promise<boolean> {
  for (const limit = Date.now() + limitMs; Date.now() < limit; await delay(20)) {
    if (!(await isServerOf(plan.cluster, pid))) return true;
  }
  return false;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Renames a large log, and keeps one old log. Returns the offset at which the lines of this start begin. */
async function trimLog(file: string): Promise<number> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size < LOG_LIMIT_BYTES) return size;
  await rename(file, `${file}.1`);
  return 0;
}
