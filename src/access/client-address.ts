import { isIPv6 } from 'node:net';
import type { Settings } from '../config/settings';
import type { ConnectionCredentialsView } from '../credentials/credential.dto';

/** How a client connects to the gateway's own port; in parts, and as an address that libpq and drivers take. */
export function clientAddress(
  settings: Settings,
  { username, password, database }: { username: string; password: string; database: string },
): ConnectionCredentialsView {
  const { POSTGRES_PROXY_HOST: hostname, POSTGRES_PROXY_PORT: port } = settings;
  const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
  // Drivers differ in what `prefer` means to them; the gateway knows whether it speaks TLS.
  const sslmode = settings.TLS_CERT === undefined ? 'disable' : 'require';
  return {
    hostname,
    port,
    username,
    password,
    database_name: database,
    connection_string: `postgres://${username}:${password}@${host}:${port}/${encodeURIComponent(database)}?sslmode=${sslmode}`,
  };
}
