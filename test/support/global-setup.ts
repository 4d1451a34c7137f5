import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/database/migrate';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/development/embedded-postgres/embedded-postgres';
import { TEMPLATE } from './database';

declare global {
  var testServer: { server: EmbeddedPostgres; folder: string } | undefined;
}

/** One real PostgreSQL for all test files, with a migrated template that each file clones. */
export default async function globalSetup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  // As root, PostgreSQL runs as another user: closed to it, the data would go to /var/lib and stay there.
  await chmod(folder, 0o711);
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    durable: false,
    settings: { max_connections: '300' },
    log: () => undefined,
  });
  globalThis.testServer = { server, folder };
  await server.createDatabase(TEMPLATE);
  await migrate(server.url(TEMPLATE));
  process.env['TEST_POSTGRES_URL'] = server.url('postgres');
}

export async function stopTestServer(): Promise<void> {
  await globalThis.testServer?.server.stop();
  if (globalThis.testServer) await rm(globalThis.testServer.folder, { recursive: true, force: true });
}
