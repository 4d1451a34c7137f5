import type { Secret, TargetKind } from '../contract/kind';
import { oneOf, portNumber } from '../contract/secret-schema';
import { askTouched } from './ask-touched';
import { postgresTables } from './list-tables';
import { connectPostgres } from './postgres-connect';
import { connectionFault } from './postgres-faults';
import { PostgresScripts } from './run-script';
import { asPerson, roleTemplateFault } from './target-role';

/** PostgreSQL databases. */
export const postgres: TargetKind = {
  type: 'database',
  subtype: 'postgres',
  secret: {
    fields: {
      HOST: { required: true },
      PORT: { check: portNumber },
      USER: { required: true },
      PASS: {},
      DB: { required: true },
      SSLMODE: { check: oneOf('disable', 'prefer', 'require', 'verify-ca', 'verify-full') },
      SSLROOTCERT: {},
      ROLE: { check: roleTemplateFault },
    },
  },
  language: 'postgresql',
  clientProtocol: 'postgresql',
  databaseName: ({ DB }) => DB,
  asPerson,
  probe,
  scripts: new PostgresScripts(),
  tables: postgresTables,
  askCatalog: askTouched,
};

async function probe(secret: Secret): Promise<string | undefined> {
  try {
    const client = await connectPostgres(secret);
    await client.end();
    return undefined;
  } catch (error) {
    return connectionFault(error);
  }
}
