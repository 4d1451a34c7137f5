import { randomBytes } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { Client } from 'pg';
import { AuditService } from '../audit/audit.service';
import { OrganizationsService } from '../auth/organizations.service';
import { ConnectionChangesService } from '../connections/connection-changes.service';
import { ConnectionsService } from '../connections/connections.service';
import { GuardrailsService } from '../guardrails/guardrails.service';
import { EVERYBODY } from '../kernel/access-groups';

export const DEMO_CONNECTION = 'demo';
const DEMO_ROLE = 'demo';

/** The address of the demo. Plain data, because the process that registers the demo may not be the one that runs the server. */
export interface DemoDatabase {
  readonly port: number;
  /** Connection URL of the superuser for the demo's database, which exists. It contains the password, so it must not be logged. */
  readonly url: string;
}

/**
 * A connection to try: a small database on the embedded server, with a guardrail that protects its tables.
 * The server's port may change at each start, so the connection's secret is updated each time.
 */
export async function seedDemo(app: INestApplication, demo: DemoDatabase): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  await fill(demo.url, password);

  const connections = app.get(ConnectionsService, { strict: false });
  const changes = app.get(ConnectionChangesService, { strict: false });
  const { id: orgId } = await app.get(OrganizationsService, { strict: false }).defaultOrganization();
  const secret = {
    HOST: '127.0.0.1',
    PORT: String(demo.port),
    USER: DEMO_ROLE,
    PASS: password,
    DB: DEMO_CONNECTION,
    SSLMODE: 'disable',
  };
  const change = app.get(AuditService, { strict: false }).ownChange(orgId);
  if ((await connections.findByName(orgId, DEMO_CONNECTION)) !== null) {
    await changes.patch(change, DEMO_CONNECTION, undefined, { secret });
    return;
  }
  const { view: connection } = await changes.create(change, {
    name: DEMO_CONNECTION,
    type: 'database',
    subtype: 'postgres',
    description: 'A small database to try the gateway on.',
    access_groups: [EVERYBODY],
    secret,
  });
  await app.get(GuardrailsService, { strict: false }).create(change, {
    name: 'demo-keep-tables',
    description: 'Tables of the demo are not dropped.',
    input: {
      rules: [
        {
          type: 'deny_words_list',
          words: ['DROP TABLE'],
          pattern_regex: '',
          message: 'Tables of the demo are not dropped.',
        },
      ],
    },
    connection_ids: [connection.id],
  });
}

async function fill(url: string, password: string): Promise<void> {
  const client = new Client({ connectionString: url });
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
