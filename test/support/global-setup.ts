import { rm } from 'node:fs/promises';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { migrate } from '../../src/platform/database/schema/migrate';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/development/embedded-postgres/embedded-postgres';
import { TEMPLATE } from './database';
import { serverFolder } from './server-folder';

declare global {
  var testServer: { server: EmbeddedPostgres; folder: string } | undefined;
}

/** One real PostgreSQL for all test files, with a migrated template that each file clones. */
export default async function globalSetup(): Promise<void> {
  const { path: folder, isInMemory } = await serverFolder();
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    durable: false,
    settings: {
      max_connections: '300',
      scram_iterations: '1',
      // Disables I/O workers, because they would be woken for each file, although files are in memory.
      io_method: 'sync',
      ...(isInMemory && { max_wal_size: '256MB' }),
    },
    log: () => undefined,
  });
  globalThis.testServer = { server, folder };
  await signInCheaply(server.url('postgres'));
  await server.createDatabase(TEMPLATE);
  await migrate(server.url(TEMPLATE));
  await keepAccessControlOff(server.url(TEMPLATE));
  process.env['TEST_POSTGRES_URL'] = server.url('postgres');
  // Copying a template's files is four times faster than writing their content to the write-ahead log, but
  // only if the files are in memory.
  process.env['TEST_POSTGRES_STRATEGY'] = isInMemory ? 'FILE_COPY' : 'WAL_LOG';
  process.env['TEST_FOLDER'] = folder;
}

/**
 * Gives the superuser a password with a fast hash, because tests make thousands of connections. A slow hash
 * is not needed: the password is random and lasts only as long as the server.
 */
async function signInCheaply(url: string): Promise<void> {
  const { username, password } = new URL(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER ROLE ${escapeIdentifier(username)} PASSWORD ${escapeLiteral(password)}`);
  await client.end();
}

/**
 * Disables access control in the template, because most tests are not about it. New organizations have it
 * on, which `access-control-on.e2e-spec.ts` tests.
 */
async function keepAccessControlOff(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`UPDATE organizations SET features = features || '{"access_control": false}'`);
  await client.end();
}

export async function stopTestServer(): Promise<void> {
  await globalThis.testServer?.server.stop();
  if (globalThis.testServer) await rm(globalThis.testServer.folder, { recursive: true, force: true });
}
