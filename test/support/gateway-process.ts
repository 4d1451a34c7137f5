import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DevelopmentIdentityProvider } from '../../src/development/identity-provider/identity-provider';
import { developmentUsers } from '../../src/development/users';
import { once } from '../../src/kernel/async/once';
import { freePort, passwordToken } from './gateway';
import { startIdentityProvider } from './identity-provider';
import { watchAnswers } from './watched-answers';
import { ROOT } from './root';

const CLIENT_SECRET = 'canary-client-secret';

/** An upper bound for all waits on a slow and busy machine; a wait that reaches it has failed. */
const PATIENCE_MS = 80_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The options of Node.js with which `npm start` runs a gateway. */
export const START_OPTIONS = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));

/**
 * The built app as a separate process, started as an operator does: `node .` with its options and variables.
 */
export class GatewayProcess {
  stdout = '';
  stderr = '';
  readonly exited: Promise<Exit>;

  private constructor(
    private readonly child: ChildProcess,
    readonly api: string,
  ) {
    child.stdout?.on('data', (data: Buffer) => (this.stdout += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (this.stderr += data.toString()));
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  static async spawn(
    environment: Record<string, string>,
    [command, ...args]: [string, ...string[]] = [process.execPath, ...START_OPTIONS, '.'],
    folder = ROOT,
  ): Promise<GatewayProcess> {
    const port = environment['PORT'] ?? String(await freePort());
    const postgresPort = String(await freePort());
    const child = spawn(command, args, {
      cwd: folder,
      // Does not inherit this process's variables, because Jest sets NODE_ENV and a developer may set others.
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: port,
        POSTGRES_PROXY_PORT: postgresPort,
        DEV_IDP_PORT: '0',
        // Caches compiled code, because tests start many gateways and each runs for a short time.
        NODE_COMPILE_CACHE: join(ROOT, 'dist', '.compile-cache'),
        // High limits, because tests send many requests in parallel as one person.
        SCRIPTS_PER_USER: '1000',
        SCRIPTS_PER_CONNECTION: '1000',
        POSTGRES_PROXY_CLIENTS_PER_USER: '1000',
        POSTGRES_PROXY_CLIENTS_PER_CONNECTION: '1000',
        PENDING_REQUESTS: '10000',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const api = `http://127.0.0.1:${port}/api`;
    // Checks answers of this version only, because another version has its own API description.
    if (folder === ROOT) watchAnswers(api);
    return new GatewayProcess(child, api);
  }

  /**
   * Starts a gateway. Resolves when it listens; in development, when it has printed what to try.
   * @param folder folder of a built gateway; default: this checkout
   */
  static async start(environment: Record<string, string>, folder?: string): Promise<GatewayProcess> {
    const gateway = await GatewayProcess.spawn(environment, undefined, folder);
    const isDevelopment = environment['DATABASE_URL'] === undefined;
    await gateway.says(isDevelopment ? 'Approve it.' : '"listening on');
    return gateway;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get origin(): string {
    return new URL(this.api).origin;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Describes the state of the process and the end of its output, for the error messages of tests. */
  describe(): string {
    const { exitCode, signalCode } = this.child;
    const end = this.hasEnded ? `ended with ${signalCode ?? exitCode}` : 'runs';
    return `the gateway at ${this.api} ${end}:\n${`${this.stdout}${this.stderr}`.slice(-4_000)}`;
  }

  /** @throws an error with the end of the output, if the process has ended */
  mustRun(): void {
    if (this.hasEnded) throw new Error(this.describe());
  }

  /** Waits until standard output has the text. */
  async says(text: string): Promise<void> {
    await until(() => {
      if (this.stdout.includes(text)) return true;
      this.mustRun();
      return false;
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends SIGTERM, and waits for the end of the process. */
  async stop(): Promise<Exit> {
    this.kill('SIGTERM');
    return this.exited;
  }

  get(path: string, token?: string): Promise<Response> {
    return fetch(`${this.api}${path}`, token === undefined ? {} : { headers: bearer(token) });
  }

  post(path: string, token: string, body?: unknown): Promise<Response> {
    return fetch(`${this.api}${path}`, {
      method: 'POST',
      headers: { ...bearer(token), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Returns the JSON lines of the log. Throws if a line is not JSON. */
  logLines(): Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

/** Waits until the condition is true; fails after a while. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + PATIENCE_MS; Date.now() < limit; await delay(50)) {
    if (await isSo()) return;
  }
  throw new Error(`still not so after ${PATIENCE_MS} ms: ${isSo.toString()}`);
}

export interface Folder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a folder for one spec file, in memory if the test server's folder is. `remove` deletes it. */
export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-process-'));
  // If root starts PostgreSQL, the server runs as another user. Without access to this folder, the server
  // would store its data in /var/lib, and the data would stay there.
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

export interface Production {
  readonly provider: DevelopmentIdentityProvider;
  readonly variables: Record<string, string>;
  /** Returns an access token of the user admin. */
  token(): Promise<string>;
}

/** An identity provider in the test process, and the variables that make a gateway in production use it. */
export async function productionEnvironment(databaseUrl: string): Promise<Production> {
  const port = await freePort();
  const provider = await startIdentityProvider({
    port: 0,
    clientId: 'access-gateway',
    clientSecret: CLIENT_SECRET,
    redirectUris: [`http://127.0.0.1:${port}/api/callback`],
    audience: 'access-gateway',
    users: [...developmentUsers],
  });
  return {
    provider,
    variables: {
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: 'access-gateway',
      IDP_CLIENT_SECRET: CLIENT_SECRET,
      IDP_SCOPES: 'openid email profile groups',
      // The tokens of this provider are JWTs.
      IDP_OPAQUE_TOKENS: 'refused',
      IDP_TIMEOUT_SECONDS: '60',
      SECRET_KEY: randomBytes(32).toString('base64'),
      // The tests have no load balancer, so a stop needs no delay.
      SHUTDOWN_DELAY_SECONDS: '0',
    },
    token: () => passwordToken(provider.issuer, 'admin'),
  };
}

/**
 * Builds the app if its sources are newer than dist/, so that these specs also run without `npm test`. Runs
 * once for each worker, because checking all sources takes a third of a second.
 */
export const buildIfNeeded = once(async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'build-if-needed.mjs')]);
});

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
