import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ResolvedEnvironment, apiUrl } from '../platform/config/resolve';
import type { Settings } from '../platform/config/settings';
import type { Environment } from '../platform/config/variables';
import { DEMO_CONNECTION, type Demo } from './demo';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres/embedded-postgres';
import {
  type DevelopmentIdentityProvider,
  startDevelopmentIdentityProvider,
} from './identity-provider/identity-provider';
import { type DemoMcpServer, startDemoMcpServer } from './mcp-server/demo-server';
import { type DemoSshServer, startDemoSshServer } from './ssh-server/demo-ssh-server';
import { developmentUsers } from './users';
import { welcomeText } from './welcome';

/** Development services, for a machine that has only Node.js. */
export interface DevelopmentServices {
  /** Values of environment variables that are absent, or that the demo has to change. */
  readonly provided: Partial<ResolvedEnvironment>;
  /** The demo, to be created once the gateway listens; undefined if the database is not the embedded one. */
  readonly demo: Demo | undefined;
  /** Prints the first steps. Called when the demo exists. */
  welcome(settings: Settings): void;
  /** Stops the services. Called last. */
  stop(): Promise<void>;
}

/**
 * Starts an embedded PostgreSQL with a demo, starts an identity provider, and creates a sealing key. Skips
 * each of them that the environment already configures.
 */
export async function startDevelopmentServices(environment: Environment): Promise<DevelopmentServices> {
  const dataDir = resolve(environment.DATA_DIR);
  const log = (line: string): void => void process.stdout.write(`${line}\n`);
  await mkdir(dataDir, { recursive: true });
  let demo: DemoServices | undefined;
  let provider: DevelopmentIdentityProvider | undefined;
  const stop = async (): Promise<void> => {
    await provider?.close();
    await demo?.stop();
  };
  try {
    if (environment.DATABASE_URL === undefined) demo = await startDemoServices(dataDir, log);
    const identity =
      environment.IDP_ISSUER === undefined ? await startIdentityProvider(environment, dataDir) : undefined;
    provider = identity?.provider;
    const provided = {
      ...(demo && { DATABASE_URL: demo.database.url('gateway') }),
      ...identity?.provided,
      ...(demo && { MCP_ALLOWED_HOSTS: withHostOf(demo.mcpServer, environment) }),
      SECRET_KEY: environment.SECRET_KEY ?? [await secretKey(join(dataDir, 'secret-key'))],
    };
    return {
      provided,
      stop,
      demo: demo && {
        database: { port: demo.database.port, url: demo.database.url(DEMO_CONNECTION) },
        mcpServer: { url: demo.mcpServer.url, key: demo.mcpServer.key },
        sshServer: {
          port: demo.sshServer.port,
          password: demo.sshServer.password,
          hostKey: demo.sshServer.hostKey,
        },
      },
      welcome: (settings) => {
        const users = [...(provider?.users.values() ?? [])];
        log(welcomeText(settings, { demo: demo !== undefined, users }));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Services that the demo uses: databases of one embedded PostgreSQL, an MCP server and an SSH server. */
interface DemoServices {
  readonly database: EmbeddedPostgres;
  readonly mcpServer: DemoMcpServer;
  readonly sshServer: DemoSshServer;
  stop(): Promise<void>;
}

async function startDemoServices(dataDir: string, log: (line: string) => void): Promise<DemoServices> {
  const database = await startEmbeddedPostgres({ dataDir, log });
  let mcpServer: DemoMcpServer | undefined;
  let sshServer: DemoSshServer | undefined;
  const stop = async (): Promise<void> => {
    await sshServer?.close();
    await mcpServer?.close();
    await database.stop();
  };
  try {
    await database.createDatabase('gateway');
    await database.createDatabase(DEMO_CONNECTION);
    mcpServer = await startDemoMcpServer();
    sshServer = await startDemoSshServer();
    return { database, mcpServer, sshServer, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startIdentityProvider(environment: Environment, dataDir: string) {
  const clientId = environment.IDP_CLIENT_ID ?? 'access-gateway';
  const clientSecret = randomBytes(32).toString('base64url');
  const audience = environment.IDP_AUDIENCE ?? clientId;
  const provider = await startDevelopmentIdentityProvider({
    port: environment.DEV_IDP_PORT,
    clientId,
    clientSecret,
    redirectUris: [`${apiUrl(environment)}${environment.API_PREFIX}/callback`],
    audience,
    users: developmentUsers,
    keysFile: join(dataDir, 'identity-provider-keys.json'),
  });
  const provided = {
    IDP_ISSUER: provider.issuer,
    IDP_CLIENT_ID: clientId,
    IDP_CLIENT_SECRET: clientSecret,
    IDP_AUDIENCE: audience,
    // The development identity provider issues JWTs, so refuse opaque tokens.
    IDP_OPAQUE_TOKENS: 'refused' as const,
    IDP_SCOPES: 'openid email profile groups',
  };
  return { provider, provided };
}

/**
 * Adds the host of the demo server to the allowed hosts, because the gateway refuses targets with private
 * addresses unless their host is listed. Called only with the demo, so never in production.
 */
function withHostOf({ url }: DemoMcpServer, { MCP_ALLOWED_HOSTS }: Environment): string[] {
  return [...new Set([...MCP_ALLOWED_HOSTS, new URL(url).hostname])];
}

/** Creates the sealing key once and stores it, because stored secrets can be opened only with this key. */
async function secretKey(file: string): Promise<Buffer> {
  try {
    await writeFile(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
    await chmod(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return Buffer.from(await readFile(file, 'utf8'), 'base64');
}
