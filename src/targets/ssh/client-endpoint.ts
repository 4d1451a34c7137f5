import { connect, isIPv6 } from 'node:net';
import type { ClientPort, PortEndpoint } from '../contract/client-endpoint';

const ANSWER_WITHIN_MS = 2_000;

/** Clients of the SSH protocol, such as ssh and scp, at `SSH_PROXY_PORT`. */
export const sshClients: PortEndpoint = {
  at: 'port',
  protocol: 'ssh',
  clients: 'SSH',
  port: ({ sshProxy: { host, port } }) => ({
    variable: 'SSH_PROXY_PORT',
    hostVariable: 'SSH_PROXY_HOST',
    host,
    port,
    isTls: false,
  }),
  urlTemplate,
  isSpokenAt,
};

/** Without the password: `ssh` takes such an address, and refuses one with a password. */
function urlTemplate({ host: name, port }: ClientPort): string {
  const host = isIPv6(name) ? `[${name}]` : name;
  return `ssh://{username}@${host}:${port}`;
}

/** A server sends its identification without being asked: RFC 4253, section 4.2. */
function isSpokenAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString('latin1').startsWith('SSH-2.0-'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
