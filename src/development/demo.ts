import { randomBytes } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { Client } from 'pg';
import { AuditService } from '../platform/audit/audit.service';
import { OrganizationsService } from '../identity/auth/organization/organizations.service';
import { ConnectionChangesService } from '../connections/registry/connection-changes.service';
import type { ConnectionBody } from '../connections/registry/connection.dto';
import { ConnectionsService } from '../connections/registry/connections.service';
import { GuardrailsService } from '../guardrails/rules/guardrails.service';
import { EVERYBODY } from '../connections/registry/fields/access-groups';
import { DEMO_COMMAND, DEMO_USER } from './ssh-server/demo-ssh-server';

export const DEMO_CONNECTION = 'demo';
export const DEMO_MCP_CONNECTION = 'demo-mcp';
export const DEMO_SERVER_CONNECTION = 'demo-server';
const DEMO_ROLE = 'demo';

/**
 * Addresses and keys of the demo servers. They are plain data, because one process may create the demo's
 * connections while another process runs the servers.
 */
export interface Demo {
  readonly database: {
    readonly port: number;
    /**
     * Connection URL of the superuser for the demo's database, which must already exist. The URL contains the
     * password, so it must not be logged.
     */
    readonly url: string;
  };
  readonly mcpServer: {
    readonly url: string;
    /** The bearer token that the server requires. */
    readonly key: string;
  };
  readonly sshServer: {
    readonly port: number;
    readonly password: string;
    /** Public host key, as a line of known_hosts. */
    readonly hostKey: string;
  };
}

/**
 * Creates connections to try: a small database on the embedded server and an SSH server, each with a
 * guardrail, and an MCP server with a tool that needs an approval. The ports of the servers may change at
 * each start, so each start updates the secrets; other changes by people are kept.
 */
export async function seedDemo(app: INestApplication, demo: Demo): Promise<void> {
  const { id: orgId } = await app.get(OrganizationsService, { strict: false }).defaultOrganization();
  await seedDatabase(app, orgId, demo.database);
  await seedServer(app, orgId, demo.sshServer);
  await ensureConnection(app, orgId, {
    name: DEMO_MCP_CONNECTION,
    type: 'application',
    subtype: 'mcpproxy',
    description: 'An MCP server with a few customers, to try the gateway on. Deletions wait for an approval.',
    access_groups: [EVERYBODY],
    mcp_policy: { tools: { approval: ['delete_*'] } },
    secret: {
      REMOTE_URL: demo.mcpServer.url,
      MCP_TRANSPORT: 'streamable-http',
      MCP_AUTH: 'static',
      HEADER_AUTHORIZATION: `Bearer ${demo.mcpServer.key}`,
    },
  });
}

async function seedDatabase(app: INestApplication, orgId: string, database: Demo['database']): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  await fill(database.url, password);
  const created = await ensureConnection(app, orgId, {
    name: DEMO_CONNECTION,
    type: 'database',
    subtype: 'postgres',
    description: 'A small database to try the gateway on.',
    access_groups: [EVERYBODY],
    secret: {
      HOST: '127.0.0.1',
      PORT: String(database.port),
      USER: DEMO_ROLE,
      PASS: password,
      DB: DEMO_CONNECTION,
      SSLMODE: 'disable',
    },
  });
  if (created !== undefined)
    await denyWords(app, orgId, created, {
      name: 'demo-keep-tables',
      words: ['DROP TABLE'],
      message: 'Tables of the demo are not dropped.',
    });
}

async function seedServer(app: INestApplication, orgId: string, server: Demo['sshServer']): Promise<void> {
  const created = await ensureConnection(app, orgId, {
    name: DEMO_SERVER_CONNECTION,
    type: 'application',
    subtype: 'ssh',
    description: 'An SSH server with a few files, to try the gateway on. It runs no programs.',
    access_groups: [EVERYBODY],
    secret: {
      HOST: '127.0.0.1',
      PORT: String(server.port),
      USER: DEMO_USER,
      PASS: server.password,
      HOST_KEY: server.hostKey,
      SHELL_COMMAND: DEMO_COMMAND,
    },
  });
  if (created !== undefined)
    await denyWords(app, orgId, created, {
      name: 'demo-keep-files',
      words: ['rm -rf'],
      message: 'Files of the demo are not removed with rm -rf.',
    });
}

/** Creates a guardrail that blocks scripts with these words on a connection. */
async function denyWords(
  app: INestApplication,
  orgId: string,
  connectionId: string,
  { name, words, message }: { name: string; words: string[]; message: string },
): Promise<void> {
  const change = app.get(AuditService, { strict: false }).ownChange(orgId);
  await app.get(GuardrailsService, { strict: false }).create(change, {
    name,
    description: message,
    input: { rules: [{ type: 'deny_words_list', words, pattern_regex: '', message }] },
    connection_ids: [connectionId],
  });
}

/**
 * Creates the connection and returns its id. If the connection exists, changes only its secret and returns
 * undefined.
 */
async function ensureConnection(
  app: INestApplication,
  orgId: string,
  body: ConnectionBody & { readonly secret: Record<string, string> },
): Promise<string | undefined> {
  const changes = app.get(ConnectionChangesService, { strict: false });
  const change = app.get(AuditService, { strict: false }).ownChange(orgId);
  const { name, secret } = body;
  if ((await app.get(ConnectionsService, { strict: false }).findByName(orgId, name)) === null)
    return (await changes.create(change, body)).view.id;
  await changes.patch(change, name, undefined, { secret });
  return undefined;
}

async function fill(url: string, password: string): Promise<void> {
  const client = new Client({ connectionString: url });
  // Ignored, because the query rejects too when the connection fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`
      DO $$ BEGIN CREATE ROLE ${DEMO_ROLE} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      ALTER ROLE ${DEMO_ROLE} PASSWORD '${password}';
      GRANT CREATE ON SCHEMA public TO ${DEMO_ROLE};
      SET ROLE ${DEMO_ROLE};
      CREATE TABLE IF NOT EXISTS customers (id int PRIMARY KEY, name text NOT NULL, email text NOT NULL);
      INSERT INTO customers VALUES
        (1, 'Grace Hopper', 'grace@example.com'),
        (2, 'Edsger Dijkstra', 'edsger@example.com'),
        (3, 'Barbara Liskov', 'barbara@example.com')
      ON CONFLICT DO NOTHING;
    `);
  } finally {
    await client.end();
  }
}
