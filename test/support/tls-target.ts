import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/development/embedded-postgres/embedded-postgres';

/** A separate PostgreSQL server with TLS and all sign-in methods. Each role has the name of its method. */
export interface TlsTarget {
  readonly port: number;
  /** The server's certificate as PEM: self-signed, and valid only for `localhost`. */
  readonly certificate: string;
  /** A certificate as PEM that this server does not use. */
  readonly otherCertificate: string;
  /** Runs SQL as the superuser. */
  query<T extends object>(sql: string): Promise<T[]>;
  stop(): Promise<void>;
}

export const ROLE_PASSWORD = 'pässwörd of the role';

/** Content of pg_hba.conf. `tls_only` and `plain_only` sign in by SCRAM. Unlisted roles are refused. */
const HBA = `
host      all  gateway     127.0.0.1/32  scram-sha-256
host      all  by_scram    127.0.0.1/32  scram-sha-256
host      all  by_md5      127.0.0.1/32  md5
host      all  by_password 127.0.0.1/32  password
host      all  by_trust    127.0.0.1/32  trust
hostssl   all  tls_only    127.0.0.1/32  scram-sha-256
hostnossl all  plain_only  127.0.0.1/32  scram-sha-256
`;

const ROLES = ['by_scram', 'by_password', 'by_trust', 'tls_only', 'plain_only'];

export async function startTlsTarget(): Promise<TlsTarget> {
  const folder = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-tls-target-'));
  // If root starts PostgreSQL, the server runs as another user, who needs access to the folder.
  await chmod(folder, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: folder, durable: false, log: () => undefined });
  const query = async <T extends object>(sql: string): Promise<T[]> => {
    const client = new Client({ connectionString: server.url('postgres') });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  for (const role of ROLES) await query(`CREATE ROLE ${role} LOGIN PASSWORD '${ROLE_PASSWORD}'`);
  await query(`SET password_encryption = md5; CREATE ROLE by_md5 LOGIN PASSWORD '${ROLE_PASSWORD}'`);
  const [own, other] = [await makeCertificate(folder), await makeCertificate(folder)];
  const [{ data_directory: home }] = (await query('SHOW data_directory')) as [{ data_directory: string }];
  const { uid, gid } = await stat(home);
  for (const [name, text] of [
    ['server.crt', own.cert],
    ['server.key', own.key],
    ['pg_hba.conf', HBA],
  ] as const) {
    await writeFile(join(home, name), text, { mode: 0o600 });
    await chown(join(home, name), uid, gid);
  }
  await query('ALTER SYSTEM SET ssl = on');
  await query('SELECT pg_reload_conf()');
  return {
    port: server.port,
    certificate: own.cert,
    otherCertificate: other.cert,
    query,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeCertificate(folder: string): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  });
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
}

/** Returns the reason why this machine cannot run a `TlsTarget`; undefined if it can. */
export function whyNoTlsTarget(): string | undefined {
  try {
    execFileSync('openssl', ['version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'openssl is not installed here';
  }
}
