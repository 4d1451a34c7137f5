import { DataSource, type EntityManager } from 'typeorm';
import { AuditLine } from '../../platform/audit/audit-log.entity';
import { AuditService } from '../../platform/audit/audit.service';
import { ConfigurationError, readEnvironment } from '../../platform/config/environment';
import type { SealingSettings } from '../../platform/config/groups';
import { dataSourceOptions } from '../../platform/database/pools/data-source-options';
import { messageOf } from '../../kernel/app-error';
import { SystemClock } from '../../kernel/async/clock';
import { KeyRing } from '../../platform/keys/key-ring';
import { PublishedKeys } from '../../platform/keys/published-keys';
import { checkSecretKey, forgetCheckValues } from './key-check';
import { type Progress, Rotation } from './rotation';

export const DONE = 0;
/** Exit code if some rows are still sealed by other keys. */
export const ROWS_LEFT = 1;
export const FAILED = 2;
export const STOPPED = 130;

/** Maximum number of runs over all data. Each run seals again what gateways wrote during the previous run. */
const MAX_ROUNDS = 10;
const VARIABLES = ['DATABASE_URL', 'DATABASE_URL_FILE', 'SECRET_KEY', 'SECRET_KEY_FILE'];

/**
 * Seals everything with the first key of `SECRET_KEY`, and prints the progress. Returns the exit code.
 * @param signal stops after the current batch; running the command again continues.
 */
export function rotateCommand(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<number> {
  return onDatabase(env, print, (database, sealing) => rotate(database, sealing, signal, print));
}

/**
 * Does work on the database of the gateways with their keys, once it is clear that the keys open it. Prints
 * the message of a fault. Returns the exit code.
 */
export async function onDatabase(
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
  work: (database: DataSource, sealing: SealingSettings) => Promise<number>,
): Promise<number> {
  let database: DataSource | undefined;
  try {
    const { databaseUrl, sealing } = settingsIn(env);
    await checkSecretKey(databaseUrl, sealing);
    const options = { ...dataSourceOptions(databaseUrl, 2), entities: [AuditLine] };
    database = await new DataSource(options).initialize();
    return await work(database, sealing);
  } catch (error) {
    print(messageOf(error));
    return FAILED;
  } finally {
    await database?.destroy();
  }
}

async function rotate(
  database: DataSource,
  sealing: SealingSettings,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<number> {
  const { current, all } = new KeyRing(sealing.keys);
  print(`Everything will be sealed by key ${current.id}, the first of ${all.length} in SECRET_KEY.`);
  // Signatures that old keys made are verified with the public keys of these old keys. The new key signs
  // these public keys now, so that they stay trusted.
  await new PublishedKeys(database, sealing).publish();
  const tell = ({ what, done, total }: Progress): void =>
    print(`${what}: ${done} of ${Math.max(total, done)} sealed anew`);
  const rotation = new Rotation(database, sealing, signal, tell);
  const rounds: Progress[][] = [];
  const isAllDone = (): boolean => rounds.at(-1)?.every(({ done }) => done === 0) === true;
  while (rounds.length < MAX_ROUNDS && !signal.aborted && !isAllDone()) rounds.push(await rotation.run());
  await noteOnAuditLog(database, current.id, rounds.flat());
  if (signal.aborted) {
    print('Stopped. Finished work is kept; run the command again to continue.');
    return STOPPED;
  }
  const last = rounds.at(-1) ?? [];
  for (const { broken } of last)
    if (broken > 0) print(`${broken} recordings have an invalid seal, which was left unchanged.`);
  for (const { what, lost } of last)
    if (lost > 0)
      print(`${what}: ${lost} cannot be opened by any key in SECRET_KEY. Add the key that sealed them.`);
  if (!isAllDone())
    print('A gateway still seals with another key. Restart all gateways with the new key first.');
  if (!isAllDone() || last.some(({ lost }) => lost > 0)) return ROWS_LEFT;
  await forgetCheckValues(database, sealing);
  print(`Done. Everything is sealed by key ${current.id}; all other keys can be removed from SECRET_KEY.`);
  return DONE;
}

/** Reads only the settings of this command, so that the other settings of a gateway are not needed. */
function settingsIn(env: NodeJS.ProcessEnv): { databaseUrl: string; sealing: SealingSettings } {
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => VARIABLES.includes(name)));
  const { DATABASE_URL, SECRET_KEY } = readEnvironment(given);
  if (DATABASE_URL === undefined || SECRET_KEY === undefined)
    throw new ConfigurationError(['DATABASE_URL and SECRET_KEY are needed; SECRET_KEY=<new key>,<old key>']);
  return { databaseUrl: DATABASE_URL, sealing: { keys: SECRET_KEY } };
}

async function noteOnAuditLog(
  database: DataSource,
  keyId: string,
  rounds: readonly Progress[],
): Promise<void> {
  const done: Record<string, number> = {};
  for (const progress of rounds)
    if (progress.done > 0) done[progress.what] = (done[progress.what] ?? 0) + progress.done;
  if (Object.keys(done).length === 0) return;
  await database.transaction((db) =>
    noteKeyChange(db, { type: 'sealing-keys', id: keyId, after: { sealed_anew: done } }),
  );
}

/** Writes a line to the audit log of each organization, because all of them use the key. */
export async function noteKeyChange(
  db: EntityManager,
  { type, id: keyId, after }: { type: string; id: string; after: Record<string, unknown> },
): Promise<void> {
  const audit = new AuditService(db.getRepository(AuditLine), new SystemClock());
  const organizations = await db.query<{ id: string }[]>('SELECT id FROM organizations');
  for (const { id } of organizations)
    await audit.ownChange(id).record(db, { type, id: keyId, action: 'update', before: null, after });
}
