import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../platform/database/pools/data-source-options';
import { databaseOutage, poolerAdvice } from '../../platform/database/faults/outage';
import { messageOf } from '../../kernel/app-error';
import { checkMigrations, checkServer, checkTables } from './database-check';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';
import { checkOrganization, organizationEntities } from './organization-check';
import { checkChangeFeed } from './pooler-check';
import { checkServedDatabase } from './ports-check';
import { checkReplica } from './replica-check';
import { checkKeys } from './secret-key-check';
import { checkTargets, targetEntities } from './targets-check';

const report = new Reporter('database');
const ANSWER_WITHIN_MS = 5_000;

/** Runs all checks that need the database. If the database cannot be reached, reports only that. */
export async function checkDatabase(examined: Examined, withTargets: boolean): Promise<Diagnosis[]> {
  const { url, replicaUrl } = examined.settings.database;
  const clients = [clientOf(url), clientOf(url)] as const;
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const [first, second] = clients;
    const found = [
      ...(await checkServer(first, examined)),
      ...(replicaUrl === undefined ? [] : await checkReplica(clientOf(replicaUrl), first)),
      ...(await checkMigrations(first, examined)),
      ...(await checkChangeFeed(first, second)),
    ];
    const isMigrated = !found.some(
      ({ check, message }) => check === 'migrations' && /have not run yet/.test(message),
    );
    if (!isMigrated) return found;
    const tables = await checkTables(first);
    // If the role cannot use the tables, their contents are not checked.
    if (tables.some(({ state }) => state === 'fault')) return [...found, ...tables];
    return [
      ...found,
      ...tables,
      ...(await checkServedDatabase(first, examined)),
      ...(await checkContents(examined, withTargets)),
    ];
  } catch (error) {
    return [notReached(error)];
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/**
 * Checks the contents of the tables: sealed secrets, the targets of connections, and settings of admins that
 * give too many people access.
 */
async function checkContents(examined: Examined, withTargets: boolean): Promise<Diagnosis[]> {
  if (!examined.given('SECRET_KEY')) return [];
  const entities = [...new Set([...targetEntities, ...organizationEntities])];
  const options = { ...dataSourceOptions(examined.settings.database.url, 2), entities };
  const db = await new DataSource(options).initialize();
  try {
    return [
      ...(await checkKeys(db, examined)),
      ...(withTargets ? await checkTargets(db, examined) : []),
      ...(await checkOrganization(db, examined)),
    ];
  } finally {
    await db.destroy();
  }
}

function clientOf(url: string): Client {
  const client = new Client({
    connectionString: url,
    application_name: 'access-gateway doctor',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    // The gateway sets this parameter too. The check sets it to find a pooler that refuses it.
    idle_in_transaction_session_timeout: 30_000,
  });
  // Ignored, because the query that fails reports the error.
  client.on('error', () => undefined);
  return client;
}

function notReached(error: unknown): Diagnosis {
  const outage = databaseOutage(error);
  const reason = messageOf(error instanceof AggregateError ? error.errors[0] : error);
  const pooler = poolerAdvice(error);
  if (pooler !== undefined)
    return report.fault(`A pooler in front of the database refuses the gateway (${reason}).`, pooler);
  if (outage === undefined)
    return report.fault(
      `The database of DATABASE_URL could not be examined (${reason}).`,
      'Look at its log.',
    );
  return report.fault(`The database of DATABASE_URL ${outage} (${reason}).`, adviceOn(outage));
}

function adviceOn(outage: string): string {
  if (outage.includes('password'))
    return 'Correct the user and the password in DATABASE_URL (percent-encode special characters), or pg_hba.conf.';
  if (outage.includes('name'))
    return 'Create it (CREATE DATABASE … OWNER …), or correct the name in DATABASE_URL.';
  if (outage.includes('connections left'))
    return 'Raise max_connections of the server, or lower DATABASE_POOL_SIZE.';
  return 'Start it, or correct host and port in DATABASE_URL, the DNS or the firewall.';
}
