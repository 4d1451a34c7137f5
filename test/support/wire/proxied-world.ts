import type { ClientConfig } from 'pg';
import { freshDatabase } from '../database';
import { freePort } from '../gateway';
import { GatewayProcess, buildIfNeeded, productionEnvironment, temporaryFolder } from '../gateway-process';
import { isReady } from '../ledger/ledger-world';
import { secretOf } from '../target';
import { type TwinDatabases, twinDatabases } from './twin-databases';

/** A built gateway as a process of its own, before the second of two databases that are equal. */
export interface ProxiedWorld {
  readonly twins: TwinDatabases;
  readonly gateway: GatewayProcess;
  /** Of the PostgreSQL proxy. */
  readonly port: number;
  /** A connection to the second database, under these rules, and a credential for it. */
  open(name: string, more?: object, rules?: object): Promise<ClientConfig>;
  close(): Promise<void>;
}

export async function startProxiedWorld(more: Record<string, string> = {}): Promise<ProxiedWorld> {
  await buildIfNeeded();
  const [folder, database, twins, port] = await Promise.all([
    temporaryFolder(),
    freshDatabase(),
    twinDatabases(process.env['TEST_POSTGRES_URL'] ?? ''),
    freePort(),
  ]);
  const production = await productionEnvironment(database.url);
  const gateway = await GatewayProcess.spawn({
    ...production.variables,
    POSTGRES_PROXY_PORT: String(port),
    LOG_LEVEL: 'warn',
    DATA_DIR: folder.path,
    FAILED_CREDENTIALS_PER_MINUTE: '1000000',
    ...more,
  });
  await isReady(gateway);
  const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await gateway.post(path, await production.token(), body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  return {
    twins,
    gateway,
    port,
    open: async (name, connection = {}, rules) => {
      const secret = secretOf({ url: twins.urls[1] });
      const made = { name, type: 'database', subtype: 'postgres', secret, ...connection };
      const { id } = await post('/connections', made);
      if (rules !== undefined) await post('/guardrails', { name, ...rules, connection_ids: [id] });
      const issued = await post(`/connections/${name}/credentials`, {});
      return configOf(issued['connection_credentials'] as Record<string, string>, port);
    },
    close: async () => {
      gateway.kill('SIGTERM');
      await gateway.exited;
      await production.provider.close();
      await twins.drop();
      await database.drop();
      await folder.remove();
    },
  };
}

function configOf(credentials: Record<string, string>, port: number): ClientConfig {
  return {
    host: '127.0.0.1',
    port,
    user: credentials['username'],
    password: credentials['password'],
    database: credentials['database_name'],
  };
}
