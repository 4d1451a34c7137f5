// A built gateway in production mode, with a real PostgreSQL and a real identity provider, on loopback only.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onEnd } from './kit/ends.mjs';
import { freePort } from './kit/ports.mjs';

const ROOT = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
/** The options of Node.js with which `npm start` runs a gateway. */
const USUAL = require(join(ROOT, 'package.json'))
  .scripts.start.split(' ')
  .filter((word) => word.startsWith('--'));
const development = (file) => require(join(ROOT, 'dist', 'src', 'development', file));

/**
 * Starts a gateway with its database server and identity provider. All of them stop when the bench ends, also
 * when the bench or the start fails.
 * @param nodeOptions added to the usual options of Node.js; for profiling, `--cpu-prof` and related ones
 * @param variables added to the gateway's environment. The gateway listens for PostgreSQL clients only if one
 * of them names a port.
 */
export async function startGateway(nodeOptions = [], variables = {}) {
  const { COMMAND_LINE_CLIENT_ID, startDevelopmentIdentityProvider } = development(
    'identity-provider/identity-provider.js',
  );
  const { developmentUsers } = development('users.js');

  const { folder, postgres } = await startDatabaseServer();
  await postgres.createDatabase('gateway');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const client = { clientId: 'access-gateway', clientSecret: randomBytes(16).toString('hex') };
  const provider = await startDevelopmentIdentityProvider({
    ...client,
    port: 0,
    redirectUris: [`${origin}/api/callback`],
    audience: client.clientId,
    users: developmentUsers,
  });
  onEnd(() => provider.close());
  const child = spawn(process.execPath, [...USUAL, ...nodeOptions, ROOT], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...allocator(),
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: postgres.url('gateway'),
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: client.clientId,
      IDP_CLIENT_SECRET: client.clientSecret,
      SECRET_KEY: randomBytes(32).toString('base64'),
      // Limits are high, because all load comes from one user.
      SCRIPTS_PER_USER: '1000',
      SCRIPTS_PER_CONNECTION: '1000',
      POSTGRES_PROXY_CLIENTS: '2000',
      POSTGRES_PROXY_CLIENTS_PER_USER: '2000',
      POSTGRES_PROXY_CLIENTS_PER_CONNECTION: '2000',
      SHUTDOWN_DELAY_SECONDS: '0',
      POSTGRES_PROXY_PORT: '0',
      METRICS_PORT: process.env.BENCH_METRICS_PORT ?? '0',
      ...variables,
    },
    // The log is written as in production, to a file.
    stdio: ['ignore', openSync(join(folder, 'gateway.log'), 'w'), 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = onEnd(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const gateway = {
    origin,
    pid: child.pid,
    postgres,
    folder,
    token: await token(provider.issuer, COMMAND_LINE_CLIENT_ID),
    async call(method, path, body) {
      const response = await fetch(`${origin}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    },
    stop,
  };
  await ready(`${origin}/api/readyz`, child);
  return gateway;
}

/** Starts a real PostgreSQL in a folder of its own. It is stopped and deleted when the bench ends. */
export async function startDatabaseServer() {
  const { startEmbeddedPostgres } = development('embedded-postgres/embedded-postgres.js');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  // When root starts it, PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
  onEnd(() => postgres.stop());
  return { folder, postgres };
}

async function ready(url, child) {
  for (let attempt = 0; attempt < 1_200 && child.exitCode === null; attempt++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await delay(50);
  }
  throw new Error('the gateway does not start');
}

async function token(issuer, clientId) {
  const form = { grant_type: 'password', client_id: clientId, username: 'admin', password: 'admin' };
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(form) });
  return (await answer.json()).access_token;
}

/**
 * Returns variables that replace the malloc of the gateway: `BENCH_PRELOAD` is the path of a library, and
 * `BENCH_MALLOC_CONF` has settings of jemalloc.
 */
function allocator() {
  const { BENCH_PRELOAD, BENCH_MALLOC_CONF = '' } = process.env;
  return BENCH_PRELOAD === undefined ? {} : { LD_PRELOAD: BENCH_PRELOAD, MALLOC_CONF: BENCH_MALLOC_CONF };
}
