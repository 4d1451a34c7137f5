import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { readEnvironment } from '../../src/platform/config/environment';
import { completeSettings } from '../../src/platform/config/settings';
import { createApp } from '../../src/process/create-app';
import {
  COMMAND_LINE_CLIENT_ID,
  type DevelopmentIdentityProvider,
  type DevelopmentIdentityProviderOptions,
} from '../../src/development/identity-provider/identity-provider';
import { developmentUsers } from '../../src/development/users';
import { Connections } from '../../src/process/shutdown';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { type TestDatabase, freshDatabase } from './database';
import { freePort } from './free-port';
import { startIdentityProvider } from './identity-provider';
import { watchAnswers } from './watched-answers';
import { gatewayOpened } from './open-gateways';

export { freePort } from './free-port';

/** The people of the development identity provider; see src/development/users.ts. */
export type Person = 'admin' | 'auditor' | 'alice' | 'bob';

/** A whole gateway in this process: real HTTP, a database of its own, a real identity provider. */
export interface TestGateway {
  /** `http://127.0.0.1:<port>/api` */
  readonly api: string;
  readonly app: NestExpressApplication;
  readonly database: TestDatabase;
  readonly provider: DevelopmentIdentityProvider;
  /** The environment variables with which the gateway was started. */
  readonly variables: Readonly<Record<string, string>>;
  token(person: Person): Promise<string>;
  /** Sends a request as the person; null sends no credential. */
  call(
    person: Person | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests look into answers of every shape; each expectation is its own type check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface GatewayOptions {
  readonly environment?: Record<string, string>;
  readonly provider?: Partial<DevelopmentIdentityProviderOptions> | undefined;
  /** Another gateway, with which the new gateway shares the database and the identity provider. */
  readonly beside?: TestGateway;
}

/** Time after which `close` cuts unanswered requests. Most tests have no open request when they end. */
const CLOSES_WITHIN_MS = 8_000;
const SHARED_KEY = randomBytes(32).toString('base64');

export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const database = options.beside?.database ?? (await freshDatabase());
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const clientSecret = 'test-secret';
  const provider =
    options.beside?.provider ??
    (await startIdentityProvider({
      port: 0,
      clientId: 'access-gateway',
      clientSecret,
      redirectUris: [`${apiUrl}/api/callback`],
      audience: 'access-gateway',
      users: developmentUsers.map((user) => ({ ...user, groups: [...user.groups] })),
      ...options.provider,
    }));
  // Tests use a shorter heartbeat than the configuration allows.
  const { HEARTBEAT_SECONDS = '1', ...environment } = options.environment ?? {};
  // A journal folder belongs to one process. Each gateway gets its own, because they share this process.
  const journals = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'journals-'));
  const variables = {
    NODE_ENV: 'test',
    PORT: String(port),
    POSTGRES_PROXY_PORT: String(await freePort()),
    API_URL: apiUrl,
    DATABASE_URL: database.url,
    IDP_ISSUER: provider.issuer,
    IDP_CLIENT_ID: 'access-gateway',
    IDP_CLIENT_SECRET: clientSecret,
    IDP_SCOPES: 'openid email profile groups',
    SECRET_KEY: SHARED_KEY,
    JOURNAL_DIR: journals,
    // A long time-out, because only tests of an unresponsive provider need a short one. They set their own.
    IDP_TIMEOUT_SECONDS: '60',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    SHUTDOWN_GRACE_SECONDS: '2',
    // High limits, because tests send many requests in parallel. Tests of limits set their own.
    SCRIPTS_PER_USER: '1000',
    SCRIPTS_PER_CONNECTION: '1000',
    POSTGRES_PROXY_CLIENTS_PER_USER: '1000',
    POSTGRES_PROXY_CLIENTS_PER_CONNECTION: '1000',
    FAILED_CREDENTIALS_PER_MINUTE: '10000',
    LOGINS_PER_MINUTE: '10000',
    ...environment,
  };
  const settings = completeSettings(readEnvironment(variables));
  Object.assign(settings.access, { heartbeatSeconds: Number(HEARTBEAT_SECONDS) });
  const app = await createApp(settings);
  const connections = new Connections(app.getHttpServer());
  const { master } = app.get(DataSource).driver as PostgresDriver;
  // On a slow machine, many concurrent requests must not get "the database cannot be reached".
  (master as Pool).options.connectionTimeoutMillis = 60_000;
  await app.listen(port, '127.0.0.1');
  const closed = gatewayOpened(() => app.close());
  const api = `${apiUrl}${settings.http.apiPrefix}`;
  watchAnswers(api);
  const tokens = new Map<Person, Promise<string>>();
  const token = (person: Person): Promise<string> => {
    const known = tokens.get(person) ?? passwordToken(provider.issuer, person);
    tokens.set(person, known);
    return known;
  };
  return {
    api,
    app,
    database: heardOf(database, app.get(ChangeFeed)),
    provider,
    variables,
    token,
    call: async (person, method, path, body, headers = {}) => {
      const response = await fetch(`${api}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(person === null ? {} : { authorization: `Bearer ${await token(person)}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return answerOf(response);
    },
    close: async () => {
      closed();
      // Closes like serve.ts. A client that leaves a stream may keep its connection open without a request.
      // Without `drain`, the server would wait a minute for this connection.
      connections.drain(CLOSES_WITHIN_MS);
      await app.close();
      await rm(journals, { recursive: true, force: true });
      if (options.beside !== undefined) return;
      await provider.close();
      await database.drop();
    },
  };
}

/**
 * Returns the database with a different `query`. After a statement that changes data, it resolves only when
 * the gateway has received the change. Otherwise, a cache would use the old state for a moment.
 */
function heardOf(database: TestDatabase, feed: ChangeFeed): TestDatabase {
  return {
    ...database,
    query: async (sql, values) => {
      const rows = await database.query<never>(sql, values);
      if (/^\s*(?:UPDATE|DELETE|INSERT|WITH)\b/i.test(sql)) await feed.caughtUp();
      return rows;
    },
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** A fresh access token from the provider's token endpoint (RFC 6749, section 4.3). */
export async function passwordToken(issuer: string, username: string, scope?: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: COMMAND_LINE_CLIENT_ID,
      username,
      password: username,
      ...(scope === undefined ? {} : { scope }),
    }),
  });
  const { access_token } = (await response.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`no token for ${username}`);
  return access_token;
}
