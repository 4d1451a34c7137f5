import { isIPv6 } from 'node:net';
import type { PostgresProxySettings } from '../config/groups';
import type { ConnectionCredentialsView } from '../credentials/credential.dto';

/** How a client connects to the gateway's own port; in parts, and as an address that libpq and drivers take. */
export function clientAddress(
  settings: PostgresProxySettings,
  { username, password, database }: { username: string; password: string; database: string },
): ConnectionCredentialsView {
  const { host: hostname, port, tlsCert } = settings;
  const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
  // Drivers differ in what `prefer` means to them; the gateway knows whether it speaks TLS.
  const sslmode = tlsCert === undefined ? 'disable' : 'require';
  return {
    hostname,
    port,
    username,
    password,
    database_name: database,
    connection_string: `postgres://${username}:${password}@${host}:${port}/${encodeURIComponent(database)}?sslmode=${sslmode}`,
  };
}
