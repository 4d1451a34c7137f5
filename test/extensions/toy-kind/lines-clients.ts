import { once } from 'node:events';
import { connect } from 'node:net';
import type { PortEndpoint } from '../../../src/targets/contract/client-endpoint';

/** Port for the clients. It is no setting, because only shipped kinds have settings. */
export const linesPort = { port: 0 };

/** Clients that send lines. The first line has the id and the password of a credential. */
export const linesClients: PortEndpoint = {
  at: 'port',
  protocol: 'lines',
  clients: 'line',
  port: () => ({
    variable: 'LINES_PORT',
    hostVariable: 'LINES_HOST',
    host: '127.0.0.1',
    port: linesPort.port,
    isTls: false,
  }),
  urlTemplate: ({ host, port }) => `lines://{username}:{password}@${host}:${port}/{database}`,
  async isSpokenAt(host, port) {
    const socket = connect(port, host);
    try {
      await once(socket, 'connect');
      socket.write('hello\n');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return answer.toString() === 'no: sign in\n';
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  },
};
