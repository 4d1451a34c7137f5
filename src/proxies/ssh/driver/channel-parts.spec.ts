import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Client, type Connection, Server, type ServerChannel, type Session } from 'ssh2';
import { reliedOn } from '../../../../test/support/relied-on';
import { RawSshClient, payloadOf, MESSAGE, uint32 } from '../../../../test/support/ssh/raw-ssh-client';
import { freshSshKey } from '../../../platform/keys/fresh-ssh-key';
import { closeUnstarted, forgetSent } from './channel-parts';

const relied = reliedOn('ssh2', 'src/proxies/ssh/driver/channel-parts.ts');

/** More than the window that a client grants for one channel. */
const MORE_THAN_WINDOW = 3 * 1024 * 1024;

/**
 * Writes output, and then error output, each larger than the window. Returns how many bytes of output the
 * client gets.
 */
async function received(before: (channel: ServerChannel) => void): Promise<number> {
  const { key } = freshSshKey();
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

/**
 * Opens a channel, begins nothing in it, and closes it. Returns whether the server has answered before a
 * later channel is open, and what it still keeps.
 */
async function closedUnstarted(
  closed: (driver: Connection, session: Session) => void,
): Promise<{ readonly isAnswered: boolean; readonly kept: string[] }> {
  const drivers: Connection[] = [];
  const server = new Server({ hostKeys: [freshSshKey().key] }, (driver) => {
    drivers.push(driver);
    driver.on('error', () => undefined);
    driver.on('authentication', (attempt) => attempt.accept());
    driver.on('session', (accept) => {
      const session = accept();
      session.on('close', () => closed(driver, session));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = await RawSshClient.signIn((server.address() as AddressInfo).port);
  const ofServer = await client.open(0);
  let isAnswered = false;
  client.received(/CHANNEL_CLOSE \(r:0\)/).then(
    () => (isAnswered = true),
    () => undefined,
  );
  client.send(payloadOf(MESSAGE.CHANNEL_CLOSE, uint32(ofServer)));
  await client.open(1);
  const [driver] = drivers as unknown as { _chanMgr: { _channels: object } }[];
  const kept = Object.keys(driver?._chanMgr._channels ?? {});
  const gone = client.closed;
  client.end();
  await gone;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return { isAnswered, kept };
}

describe('a channel that is closed before anything was begun in it', () => {
  it('is answered and forgotten', async () => {
    expect(await closedUnstarted(closeUnstarted)).toEqual({ isAnswered: true, kept: ['1'] });
  });

  it('is neither by the driver itself, so that the file is needed', async () => {
    const { isAnswered, kept } = await closedUnstarted(() => undefined);
    relied('whether a closed channel is answered', isAnswered, false);
    relied('which channels are kept', kept, ['0', '1']);
  });
});
