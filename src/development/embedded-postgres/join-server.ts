import { setTimeout as delay } from 'node:timers/promises';
import { findServer, type Sighting } from './postmaster-pid';
import { ServerHold } from './server-hold';
import { launch, stopServer, type ServerPlan } from './server-process';

/** A server that answers, and the lock by which this process keeps it running (`ServerHold`). */
export interface Joined {
  readonly pid: number;
  readonly port: number;
  readonly hold: ServerHold;
}

export type UrlOn = (port: number) => string;
type Log = (line: string) => void;
type Running = Extract<Sighting, { state: 'running' }>;

const JOIN_LIMIT_MS = 180_000;
const ADOPT_LIMIT_MS = 15_000;

/**
 * Adopts the server that runs on the cluster, or starts one. Parallel starts need no lock, because PostgreSQL
 * allows one server per folder: a start that loses the race tries again and finds the server of the winner.
 */
export async function joinServer(plan: ServerPlan, urlOn: UrlOn, log: Log): Promise<Joined> {
  for (const limit = Date.now() + JOIN_LIMIT_MS; Date.now() < limit; await delay(100)) {
    const joined = await tryToJoin(await findServer(plan.cluster), plan, urlOn, log);
    if (joined !== undefined) return joined;
  }
  throw new Error(
    `PostgreSQL on ${plan.cluster} does not answer, and no other server can be started there. See ${plan.logFile}`,
  );
}

async function tryToJoin(
  seen: Sighting,
  plan: ServerPlan,
  urlOn: UrlOn,
  log: Log,
): Promise<Joined | undefined> {
  if (seen.state === 'unclear') return undefined;
  if (seen.state === 'running') return adopt(seen, plan, urlOn, log);
  if (seen.state === 'none') return start(plan, undefined, urlOn, log);
  log(`the database server was not shut down the last time (process ${seen.pid} is gone)`);
  return start(plan, seen.pid, urlOn, log);
}

async function start(
  plan: ServerPlan,
  stalePid: number | undefined,
  urlOn: UrlOn,
  log: Log,
): Promise<Joined | undefined> {
  const launched = await launch(plan, stalePid);
  if (launched === undefined) return undefined;
  const hold = await tryToHold(plan, urlOn(launched.port), log).catch(async (error: unknown) => {
    await stopServer(plan, launched.pid);
    throw error;
  });
  if (hold === undefined) return undefined;
  log(`started ${plan.binaries.version} on 127.0.0.1:${launched.port}, data in ${plan.cluster}`);
  return { ...launched, hold };
}

async function adopt(seen: Running, plan: ServerPlan, urlOn: UrlOn, log: Log): Promise<Joined | undefined> {
  const { pid, port } = seen;
  if (seen.phase === 'starting') return undefined;
  for (const limit = Date.now() + ADOPT_LIMIT_MS; Date.now() < limit; await delay(100)) {
    const now = await findServer(plan.cluster);
    if (now.state !== 'running' || now.pid !== pid) return undefined;
    const hold = now.phase === 'ready' ? await tryToHold(plan, urlOn(port), log) : undefined;
    if (hold === undefined) continue;
    log(
      `adopted the PostgreSQL server that runs on 127.0.0.1:${port} (process ${pid}), data in ${plan.cluster}`,
    );
    return { pid, port, hold };
  }
  log(`the PostgreSQL server on the data (process ${pid}) does not answer: stopping it`);
  await stopServer(plan, pid);
  return undefined;
}

/**
 * Takes the lock that keeps the server running; returns undefined if a later try may succeed. Throws if the
 * password is refused, because no later try can succeed; the caller then does not stop a running server.
 */
async function tryToHold(plan: ServerPlan, url: string, log: Log): Promise<ServerHold | undefined> {
  const onLost = (): void => log(`the database server is gone or was restarted; see ${plan.logFile}`);
  try {
    return await ServerHold.takeHold(url, plan.cluster, onLost);
  } catch (error) {
    if ((error as { code?: unknown }).code !== '28P01') return undefined;
    throw new Error(`The database in ${plan.cluster} refuses the password in postgres.password.`, {
      cause: error,
    });
  }
}

/** Releases this process's lock, and stops the server if no other process holds one. */
export async function leaveServer(plan: ServerPlan, { pid, hold }: Joined, log: Log): Promise<void> {
  try {
    if (!(await hold.isLast())) return log('another process uses the database server: it stays');
    const seen = await findServer(plan.cluster);
    if (seen.state !== 'running' || seen.pid !== pid) return;
    await stopServer(plan, pid);
    log('stopped PostgreSQL');
  } finally {
    await hold.release();
  }
}
