import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Client, Server, type ServerChannel } from 'ssh2';
import { reliedOn } from '../../../../test/support/relied-on';
import { freshHostKey } from '../../../platform/keys/fresh-host-key';
import { forgetSent } from './channel-parts';

const relied = reliedOn('ssh2', 'src/proxies/ssh/driver/channel-parts.ts');

/** More than the window that a client grants for one channel. */
const MORE_THAN_WINDOW = 3 * 1024 * 1024;

/**
 * Writes output, and then error output, each larger than the window. Returns how many bytes of output the
 * client gets.
 */
async function received(before: (channel: ServerChannel) => void): Promise<number> {
  const { key } = freshHostKey();
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const server = new Server({ hostKeys: [key] }, (connection) => {
    connection.on('error', () => undefined);
    connection.on('authentication', (attempt) => attempt.accept());
    connection.on('session', (accept) =>
      accept().on('exec', (acceptExec) => {
        const channel = acceptExec();
        before(channel);
        channel.write(Buffer.alloc(MORE_THAN_WINDOW), () => {
          before(channel);
          channel.stderr.write(Buffer.alloc(MORE_THAN_WINDOW), () => channel.end());
        });
      }),
    );
  });
  listener.on('connection', (socket) => server.injectSocket(socket));
  const client = new Client();
  const ready = once(client, 'ready');
  client.connect({ sock: connect((listener.address() as AddressInfo).port, '127.0.0.1'), username: 'x' });
  await ready;
  let bytes = 0;
  await new Promise<void>((resolve, reject) =>
    client.exec('x', (error, channel) => {
      if (error) return reject(error);
      channel.on('data', (chunk: Buffer) => (bytes += chunk.length));
      channel.stderr.resume();
      channel.on('close', () => resolve());
    }),
  );
  client.end();
  await once(client, 'close');
  await new Promise((resolve) => listener.close(resolve));
  return bytes;
}

describe('a channel whose window was exhausted', () => {
  it('sends each byte once, if what was sent is forgotten', async () => {
    expect(await received(forgetSent)).toBe(MORE_THAN_WINDOW);
  });

  it('sends bytes twice otherwise, so that the file is needed', async () => {
    const bytes = await received(() => undefined);
    relied('whether each byte is sent once', bytes === MORE_THAN_WINDOW, false);
  });
});
