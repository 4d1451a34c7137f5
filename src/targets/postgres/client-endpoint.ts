import { connect, isIPv6 } from 'node:net';
import type { ClientPort, PortEndpoint } from '../contract/client-endpoint';

const ANSWER_WITHIN_MS = 2_000;
/** Length and code of an SSLRequest: PostgreSQL documentation, "Message Formats". */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

/** Clients of PostgreSQL's own protocol, such as psql, at `POSTGRES_PROXY_PORT`. */
export const postgresClients: PortEndpoint = {
  at: 'port',
  protocol: 'postgresql',
  clients: 'PostgreSQL',
  port: ({ postgresProxy: { host, port }, tls }) => ({
    variable: 'POSTGRES_PROXY_PORT',
    hostVariable: 'POSTGRES_PROXY_HOST',
    host,
    port,
    isTls: tls.cert !== undefined && tls.ports.includes('postgres'),
  }),
  urlTemplate,
  isSpokenAt,
};

function urlTemplate({ host: name, port, isTls }: ClientPort): string {
  const host = isIPv6(name) ? `[${name}]` : name;
  // Not `prefer`, because drivers interpret it differently, and the gateway knows whether it uses TLS.
  const sslmode = isTls ? 'require' : 'disable';
  return `postgres://{username}:{password}@${host}:${port}/{database}?sslmode=${sslmode}`;
}

/** Sends an SSLRequest. A PostgreSQL server answers one letter: `S` (it has TLS) or `N` (it has none). */
function isSpokenAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(SSL_REQUEST));
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.length === 1 && 'SN'.includes(bytes.toString('latin1')));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
