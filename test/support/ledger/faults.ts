import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually';
import { volume } from '../volume';
import { type LedgerWorld, STARTS_WITHIN_MS, isReady } from './ledger-world';
import type { Random } from './random';

/** The number of answers to the clients so far. */
interface Acknowledgements {
  readonly acknowledged: number;
}

/** Fraction of the gateways that are killed while they still start and replay journals. */
const KILLED_EARLY = 1 / 4;
const EARLY_MS = 1_500;
/**
 * Maximum delay from the first acknowledged script to the next fault. Runs that set LEDGER_KILLS, such as
 * `npm run test:faults`, use the full delay.
 */
const LIVES_AT_MOST_MS = process.env['LEDGER_KILLS'] === undefined ? volume(600, 2_500) : 2_500;

/**
 * Kills the gateway repeatedly. After each kill, immediately starts a new gateway with the same folders; the
 * last one is not killed.
 */
export async function killGateways(
  world: LedgerWorld,
  ledger: Acknowledgements,
  times: number,
  random: Random,
): Promise<void> {
  for (let kill = 0; kill < times; kill++) {
    // Never kills the first gateway early, because it has no journals to replay.
    if (kill > 0 && random.next() < KILLED_EARLY) await delay(random.between(0, EARLY_MS));
    else await workFor(world, ledger, random);
    world.gateway().kill('SIGKILL');
    const { signal } = await world.gateway().exited;
    if (signal !== 'SIGKILL') throw new Error(`the gateway ended by itself: ${lastWords(world)}`);
    await world.startGateway();
  }
  await workFor(world, ledger, random);
}

/** Kills the gateway's database server repeatedly, and restarts it at once, while the gateway runs. */
export async function killDatabases(
  world: LedgerWorld,
  ledger: Acknowledgements,
  times: number,
  random: Random,
): Promise<void> {
  for (let kill = 0; kill < times; kill++) {
    await workFor(world, ledger, random);
    await world.database.fail(random.pick({ kill: 2, immediate: 1 }));
    await world.database.startAgain();
  }
  await workFor(world, ledger, random);
}

/** Waits until something was acknowledged since the last fault, and then for a random time. */
async function workFor(world: LedgerWorld, ledger: Acknowledgements, random: Random): Promise<void> {
  await isReady(world.gateway());
  const before = ledger.acknowledged;
  await eventually('a script is run', async () => ledger.acknowledged > before, STARTS_WITHIN_MS);
  await delay(random.between(0, LIVES_AT_MOST_MS));
}

function lastWords(world: LedgerWorld): string {
  const { stdout, stderr } = world.gateway();
  return `${stdout}${stderr}`.slice(-2_000);
}

const SETTLES_WITHIN_MS = 480_000;
const LOOKS_EVERY_MS = 1_000;

/**
 * Waits until no session is open, nothing runs on the target, and two successive polls find the same counts.
 * Returns without an error when a time limit is over.
 */
export async function settled(world: LedgerWorld): Promise<void> {
  let before = '';
  for (const limit = Date.now() + SETTLES_WITHIN_MS; Date.now() < limit; await delay(LOOKS_EVERY_MS)) {
    const { open, ...rest } = await world.database.connected(async (client) => {
      const { rows } = await client.query<{ open: number; sessions: number; chunks: number }>(
        `SELECT (SELECT count(*)::int FROM sessions WHERE status <> 'done') AS open,
           (SELECT count(*)::int FROM sessions) AS sessions, (SELECT count(*)::int FROM session_chunks) AS chunks`,
      );
      return rows[0] ?? { open: -1, sessions: 0, chunks: 0 };
    });
    const running = await world.target.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND (application_name = 'access-gateway' OR starts_with(application_name, 'wire-'))`,
    );
    const seen = JSON.stringify(rest);
    if (open === 0 && running.length === 0 && seen === before) return;
    before = seen;
  }
}
