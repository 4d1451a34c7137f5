import { once } from 'node:events';
import { Client } from 'ssh2';
import { playServer } from '../../../../test/support/ssh/played-server';
import { reliedOn } from '../../../../test/support/relied-on';
import { boundWaitingRequests } from './global-requests';

const relied = reliedOn('ssh2', 'src/proxies/ssh/driver/global-requests.ts');

interface ClientParts {
  readonly _protocol: { ping(): void };
  readonly _callbacks: (() => void)[];
}

/** A client that asks a server to listen, and asks whether it lives until the server answers. */
async function asking(questions: number, isBounded: boolean) {
  let exceeded = 0;
  let answer = (): void => undefined;
  const asked: Promise<void>[] = [];
  const server = await playServer({
    connected: (connection) => {
      if (isBounded) boundWaitingRequests(connection, () => (exceeded += 1));
      asked.push(
        new Promise((resolve) => {
          connection.on('request', (accept: (() => void) | undefined) => {
            answer = () => accept?.();
            resolve();
          });
        }),
      );
    },
  });
  const client = new Client();
  let signs = 0;
  client.connect({
    host: '127.0.0.1',
    port: server.port,
    username: 'alice',
    password: 'right',
    debug: (line) => (signs += Number(line.startsWith('Inbound: GLOBAL_REQUEST (keepalive'))),
  });
  await once(client, 'ready');
  const order: string[] = [];
  client.forwardIn('localhost', 8_080, () => order.push('listens'));
  const { _protocol: protocol, _callbacks: callbacks } = client as unknown as ClientParts;
  const last = new Promise<void>((resolve) => {
    for (let count = 1; count <= questions; count += 1) {
      callbacks.push(() => {
        order.push('lives');
        if (count === questions) resolve();
      });
      protocol.ping();
    }
  });
  await asked[0];
  // The server has read all questions when it refuses the channel.
  await new Promise((resolve) => client.forwardOut('a', 1, 'b', 2, resolve));
  const before = { answers: order.length, signs, exceeded };
  answer();
  await last;
  client.destroy();
  await server.close();
  return { ...before, order };
}

describe('global requests that wait for an answer', () => {
  it('are answered in their order, and have a sign of life meanwhile', async () => {
    const { answers, signs, exceeded, order } = await asking(5, true);
    expect([answers, exceeded]).toEqual([0, 0]);
    relied('the questions of the server', signs, 5);
    expect(order).toEqual(['listens', ...Array(5).fill('lives')]);
  });

  it('are counted, and no longer once they were answered', async () => {
    expect(await asking(1_009, true)).toMatchObject({ answers: 0, exceeded: 10 });
  });

  it('are neither by the driver itself, so that the file is needed', async () => {
    const { answers, signs } = await asking(5, false);
    relied('answers before the first one', [answers, signs], [0, 0]);
  });
});
