import type { Secret, TargetKind } from '../contract/kind';
import { portNumber } from '../contract/secret-schema';
import { askTouched } from './ask-touched';
import { postgresClients } from './client-endpoint';
import { postgresTables } from './list-tables';
import { closePostgres, connectPostgres } from './postgres-connect';
import { connectionFault } from './postgres-faults';
import { PostgresScripts } from './run-script';
import { asPerson, roleTemplateFault } from './target-role';

/** PostgreSQL databases. */
export const postgres: TargetKind = {
  type: 'database',
  subtype: 'postgres',
  title: 'PostgreSQL',
  secret: {
    fields: {
      HOST: { label: 'Host name or IP address', required: true, placeholder: 'db.internal' },
      PORT: { label: 'Port', description: 'Not set: 5432.', placeholder: '5432', check: portNumber },
      USER: { label: 'Login role', required: true },
      PASS: { label: 'Password of the login role', isConfidential: true },
      DB: { label: 'Name of the database', required: true },
      SSLMODE: {
        label: 'TLS, in the words of libpq',
        choices: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'],
      },
      SSLROOTCERT: {
        label: 'Certificate authorities of the server, in PEM',
        description: 'Certificates of the authorities that sign the server’s one.',
        isMultiline: true,
        placeholder: '-----BEGIN CERTIFICATE-----',
      },
      ROLE: {
        label: 'Role as which each session acts',
        description:
          'Not set: all people act with the rights of USER. Set: each session acts as this role; {group:PREFIX} is the rest of the name of the person’s group that begins so, {subject} the person’s subject.',
        check: roleTemplateFault,
      },
    },
  },
  language: 'postgresql',
  client: postgresClients,
  hasQueries: true,
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
    await closePostgres(client);
    return undefined;
  } catch (error) {
    return connectionFault(error);
  }
}
