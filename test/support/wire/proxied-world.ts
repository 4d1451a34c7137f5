import type { ClientConfig } from 'pg';
import { freshDatabase } from '../database';
import { freePort } from '../gateway';
import { GatewayProcess, buildIfNeeded, productionEnvironment, temporaryFolder } from '../gateway-process';
import { isReady } from '../ledger/ledger-world';
import { secretOf } from '../target';
import { makeCertificate, whyWithout } from '../tls';
import { type TwinDatabases, twinDatabases } from './twin-databases';
import type { WireConfig } from './wire-client';

/** A built gateway that runs as its own process, in front of the second of two equal databases. */
export interface ProxiedWorld {
  readonly twins: TwinDatabases;
  readonly gateway: GatewayProcess;
  /** Port of the PostgreSQL proxy. */
  readonly port: number;
  /** Whether the proxy supports TLS. It does if `openssl` is installed, which makes the certificate. */
  readonly tls: boolean;
  /** Creates a connection to the second database with these rules. Returns settings with a new credential. */
  open(name: string, more?: object, rules?: object): Promise<ClientConfig>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** URL of the server of the two databases; default: the server of the tests. */
  readonly serverUrl?: string;
  /** TLS mode of the gateway's connections to the second database. */
  readonly sslmode?: 'disable' | 'require';
}

export async function startProxiedWorld({
  serverUrl = process.env['TEST_POSTGRES_URL'] ?? '',
  sslmode = 'disable',
}: WorldOptions = {}): Promise<ProxiedWorld> {
  await buildIfNeeded();
  const certificate = whyWithout('openssl') === undefined ? makeCertificate() : undefined;
  const [folder, database, twins, port] = await Promise.all([
    temporaryFolder(),
    freshDatabase(),
    twinDatabases(serverUrl),
    freePort(),
  ]);
  const production = await productionEnvironment(database.url);
  const gateway = await GatewayProcess.spawn({
    ...production.variables,
    POSTGRES_PROXY_PORT: String(port),
    LOG_LEVEL: 'warn',
    DATA_DIR: folder.path,
    FAILED_CREDENTIALS_PER_MINUTE: '1000000',
    ...(certificate && {
      TLS_CERT: certificate.cert,
      TLS_KEY: certificate.key,
      TLS_PORTS: 'postgres',
    }),
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
    tls: certificate !== undefined,
    open: async (name, connection = {}, rules) => {
      const secret = { ...secretOf({ url: twins.urls[1] }), SSLMODE: sslmode };
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

/** Returns settings for clients in plain text and in TLS, with both versions of the protocol. */
export function waysOf(config: ClientConfig, { tls }: ProxiedWorld): readonly [WireConfig, ...WireConfig[]] {
  const secure = { ...config, ssl: { rejectUnauthorized: false } };
  return [
    config,
    { ...config, protocolMinor: 2 },
    ...(tls
      ? ([
          secure,
          { ...secure, protocolMinor: 2, enableChannelBinding: true },
          { ...secure, sslnegotiation: 'direct' },
        ] as const)
      : []),
  ];
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
