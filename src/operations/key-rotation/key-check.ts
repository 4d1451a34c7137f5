import { DataSource } from 'typeorm';
import type { SealingSettings } from '../../platform/config/groups';
import { SecretBox } from '../../platform/keys/secret-box';
import { dataSourceOptions } from '../../platform/database/pools/data-source-options';
import { KeyRing } from '../../platform/keys/key-ring';
import { sealedSecrets } from './sealed-secrets';

interface CheckValue {
  key_id: string;
  check_value: Buffer;
}

/**
 * Refuses keys that open none of the stored secrets: a gateway with such keys would fail at every connection,
 * and would seal new secrets with a wrong key. If the keys open only some of the secrets, the gateway
 * starts. Called before anything is served, once for all workers.
 *
 * @throws Error with a message for the operator.
 */
export async function checkSecretKey(databaseUrl: string, sealing: SealingSettings): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions(databaseUrl, 1)).initialize();
  try {
    const { opensSome, sealing: stored, given } = await surveyKeys(dataSource, sealing);
    if (opensSome) return await keepCheckValues(dataSource, sealing);
    throw new Error(
      `SECRET_KEY opens none of the secrets that are stored in this database. They were sealed by key ${stored.join(', ')}, ` +
        `but SECRET_KEY has key ${given.join(', ')}. Set SECRET_KEY to the key that sealed them. To change keys, put the new one ` +
        `first (SECRET_KEY=<new>,<old>) and run npm run rotate-keys.`,
    );
  } finally {
    await dataSource.destroy();
  }
}

/** Ids of the keys that sealed the stored data, and ids of the keys in `SECRET_KEY`. */
export interface KeySurvey {
  /** Keys that sealed the stored secrets. Without stored secrets: keys that sealed the check values. */
  readonly sealing: readonly string[];
  readonly given: readonly string[];
  /** Whether a gateway with these keys starts. True if nothing was ever sealed. */
  readonly opensSome: boolean;
}

/** Compares the keys of the stored data with the given keys. Only reads. */
export async function surveyKeys(db: DataSource, settings: SealingSettings): Promise<KeySurvey> {
  const used = await keysOfSecrets(db);
  const given = new KeyRing(settings.keys).all.map(({ id }) => id);
  if (used.length > 0) return { sealing: used, given, opensSome: used.some((id) => given.includes(id)) };
  // No secret is stored before the first connection is created or after the last is deleted. Then the keys
  // are compared with the check values, which are known texts that each key has sealed.
  const checked = (await checkValues(db)).map(({ key_id }) => key_id);
  return { sealing: checked, given, opensSome: await opensCheckValue(db, settings) };
}

/** Ids of the keys that sealed the stored secrets. */
async function keysOfSecrets(db: DataSource): Promise<string[]> {
  const all = sealedSecrets.map(({ table }) => `SELECT secret FROM ${table}`).join(' UNION ALL ');
  const rows = await db.query<{ key_id: string }[]>(
    `SELECT DISTINCT encode(substring(secret FROM 2 FOR 4), 'hex') AS key_id FROM (${all}) AS sealed ORDER BY 1`,
  );
  return rows.map(({ key_id }) => key_id);
}

function checkValues(db: DataSource): Promise<CheckValue[]> {
  return db.query('SELECT key_id, check_value FROM key_checks ORDER BY created_at');
}

/**
 * Whether one of the given keys opens a check value. True if there are none, because then nothing was sealed.
 */
async function opensCheckValue(db: DataSource, settings: SealingSettings): Promise<boolean> {
  const values = await checkValues(db);
  const box = new SecretBox(settings);
  return values.length === 0 || values.some((value) => opens(box, value));
}

function opens(box: SecretBox, { key_id, check_value }: CheckValue): boolean {
  try {
    box.open(check_value, contextOf(key_id));
    return true;
  } catch {
    return false;
  }
}

/** Stores a check value for each given key: a known text, sealed by the key. */
async function keepCheckValues(db: DataSource, settings: SealingSettings): Promise<void> {
  for (const { id, key } of new KeyRing(settings.keys).all) {
    const value = new SecretBox({ keys: [key] }).seal({ CHECK: id }, contextOf(id));
    await db.query('INSERT INTO key_checks (key_id, check_value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      id,
      value,
    ]);
  }
}

/**
 * Removes the check values of all keys except the current key. Call it when no other key seals any data.
 */
export async function forgetCheckValues(db: DataSource, settings: SealingSettings): Promise<void> {
  const { current } = new KeyRing(settings.keys);
  await db.query('DELETE FROM key_checks WHERE key_id <> $1', [current.id]);
}

function contextOf(keyId: string): string {
  return `key-check:${keyId}`;
}
