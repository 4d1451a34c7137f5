import { join } from 'node:path';
import type { TestDatabase } from '../database';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { GatewayProcess, buildIfNeeded, productionEnvironment, temporaryFolder } from '../gateway-process';
import { freshTarget, secretOf } from '../target';
import { type FallibleServer, FragilePostgres } from './fragile-postgres';

/** A gateway process with a separate database server, and a target on another server. */
export interface LedgerWorld<Database extends FallibleServer = FallibleServer> {
  readonly api: string;
  /** Port of the PostgreSQL listener; the same for each gateway. */
  readonly postgresPort: number;
  readonly database: Database;
  readonly target: TestDatabase;
  readonly token: () => Promise<string>;
  /** Starts a new gateway with the folders of the previous one. Does not wait until the gateway listens. */
  startGateway(): Promise<GatewayProcess>;
  /** The gateway that was started last. */
  gateway(): GatewayProcess;
  /** Another gateway on the same database, with ports and folders of its own. The caller ends it. */
  startAnother(more?: Record<string, string>): Promise<GatewayProcess>;
  close(): Promise<void>;
}

/** Starts the world. `more` are additional variables of the gateway, such as the recording mode. */
export function startLedgerWorld(more: Record<string, string>): Promise<LedgerWorld> {
  return ledgerWorldOn(
    (folder) => FragilePostgres.start(folder),
    () => more,
  );
}

export async function ledgerWorldOn<Database extends FallibleServer>(
  startDatabase: (folder: string) => Promise<Database>,
  variables: (database: Database) => Record<string, string>,
): Promise<LedgerWorld<Database>> {
  await buildIfNeeded();
  const folder = await temporaryFolder();
  const [database, target] = await Promise.all([startDatabase(folder.path), freshTarget()]);
  await target.query('CREATE TABLE ledger (marker text)');
  const production = await productionEnvironment(database.url);
  const postgresPort = await freePort();
  const environment = {
    POSTGRES_PROXY_PORT: String(postgresPort),
    ...production.variables,
    HEARTBEAT_SECONDS: '1',
    LOG_LEVEL: 'warn',
    DATA_DIR: join(folder.path, 'data'),
    ...variables(database),
  };
  let gateway = await GatewayProcess.spawn(environment);
  await isReady(gateway);
  const connection = { name: 'orders', type: 'database', subtype: 'postgres', secret: secretOf(target) };
  const created = await gateway.post('/connections', await production.token(), connection);
  if (created.status !== 201) throw new Error(`the connection was not created: ${await created.text()}`);
  return {
    api: gateway.api,
    postgresPort,
    database,
    target,
    token: () => production.token(),
    startGateway: async () => (gateway = await GatewayProcess.spawn(environment)),
    gateway: () => gateway,
    startAnother: async (more = {}) => {
      const [PORT, POSTGRES_PROXY_PORT] = [String(await freePort()), String(await freePort())];
      const own = { PORT, POSTGRES_PROXY_PORT, DATA_DIR: join(folder.path, 'other') };
      const another = await GatewayProcess.spawn({ ...environment, ...own, ...more });
      await isReady(another);
      return another;
    },
    close: async () => {
      gateway.kill('SIGKILL');
      await gateway.exited;
      await production.provider.close();
      await database.stop();
      await target.drop();
      await folder.remove();
    },
  };
}

/** Time limit that is much longer than a start of the gateway, or a recovery of the database. */
export const STARTS_WITHIN_MS = 240_000;

/** Resolves when the gateway listens and its database answers. @throws if the gateway has ended */
export async function isReady(gateway: GatewayProcess): Promise<void> {
  const look = async () => {
    gateway.mustRun();
    return (await gateway.get('/readyz').catch(() => undefined))?.ok;
  };
  await eventually('the gateway is ready', look, STARTS_WITHIN_MS);
}
