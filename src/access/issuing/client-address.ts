import { isIPv6 } from 'node:net';
import type { PostgresProxySettings, TlsSettings } from '../../platform/config/groups';
import type { ConnectionCredentialsView } from '../credentials/credential.dto';

/**
 * How a client connects to the gateway's own port; in parts, and as an address that libpq and drivers take.
 */
export function clientAddress(
  settings: Pick<PostgresProxySettings, 'host' | 'port'>,
  tls: Pick<TlsSettings, 'cert' | 'ports'>,
  { username, password, database }: { username: string; password: string; database: string },
): ConnectionCredentialsView {
  const { host: hostname, port } = settings;
  const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
  // Drivers differ in what `prefer` means to them; the gateway knows whether it speaks TLS.
  const isTls = tls.cert !== undefined && tls.ports.includes('postgres');
  const sslmode = isTls ? 'require' : 'disable';
  return {
    hostname,
    port,
    username,
    password,
    database_name: database,
    connection_string: `postgres://${username}:${password}@${host}:${port}/${quotable(database)}?sslmode=${sslmode}`,
  };
}

/**
 * Percent-encoded, also the marks that a shell would read: people paste the address between quotes.
 * `@` needs no encoding in a path, and some drivers do not decode it (node-postgres, SQLAlchemy).
 */
function quotable(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@');
}
