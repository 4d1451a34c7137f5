import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import type { AuthHandlerMiddleware } from 'ssh2';
import { execute } from '../support/ssh/ssh-clients';
import {
  MESSAGE,
  RawSshClient,
  channelRequest,
  payloadOf,
  stringField,
  uint32,
} from '../support/ssh/raw-ssh-client';
import { type TestSshProxy, EndingFrontend, signedIn, startSshProxy } from '../support/ssh/ssh-proxy';

/** Sends the same bytes until the server closes the connection. */
async function sendWithoutEnd(port: number, first: string, bytes: Buffer): Promise<void> {
  const socket: Socket = connect(port, '127.0.0.1').resume();
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const more = (): void => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(more));
  };
  socket.write(first, more);
  await closed;
}

// promises: SSHCLIENT-11
describe('SSH clients that keep to no rule', () => {
  let proxy: TestSshProxy;

  beforeAll(async () => {
    proxy = await startSshProxy({}, new EndingFrontend());
  });

  afterEach(async () => {
    const other = await signedIn(proxy.port);
    if (typeof other === 'string') throw new Error(other);
    expect(await (await execute(other, 'true')).ended).toMatchObject({ code: 0 });
    other.end();
    await once(other, 'close');
  });

  afterAll(() => proxy.close());

  it.each<[string, string, Buffer]>([
    ['lines before their name', '', Buffer.from(`${'x'.repeat(1_000)}\r\n`)],
    ['one line without an end', 'SSH-2.0-', Buffer.alloc(10_000, 'x')],
    ['a packet of 4 GB', 'SSH-2.0-x\r\n', Buffer.alloc(10_000, 0xff)],
    ['version 1', 'SSH-1.5-x\r\n', Buffer.alloc(10_000)],
  ])('are disconnected when they send %s', (_, first, bytes) => sendWithoutEnd(proxy.port, first, bytes));

  it('are disconnected when they ask to sign in without a method, again and again', async () => {
    let asked = 0;
    const authHandler: AuthHandlerMiddleware = (_left, _partial, next) => {
      asked += 1;
      next({ type: 'none', username: 'web' });
    };
    expect(await signedIn(proxy.port, { authHandler: authHandler as never })).not.toHaveProperty('exec');
    expect(asked).toBeLessThan(40);
  });

  it('get no answer to requests in a channel that is closed', async () => {
    const client = await RawSshClient.signIn(proxy.port);
    const channel = await client.open(0);
    client.send(channelRequest(channel, 'exec', stringField('true')));
    await client.closeChannel(0, channel);
    for (const late of [
      channelRequest(channel, 'exec', stringField('true')),
      channelRequest(channel, 'signal', stringField('KILL')),
      payloadOf(MESSAGE.CHANNEL_DATA, uint32(channel), stringField('late')),
      payloadOf(MESSAGE.CHANNEL_WINDOW_ADJUST, uint32(channel), uint32(1)),
      payloadOf(MESSAGE.CHANNEL_EOF, uint32(channel)),
      payloadOf(MESSAGE.CHANNEL_CLOSE, uint32(channel)),
    ])
      client.send(late);
    expect(await client.open(1)).toBe(channel + 1);
    client.end();
  });

  it('may close a channel that they let nothing into', async () => {
    const greeting = await startSshProxy();
    const client = await RawSshClient.signIn(greeting.port);
    const channel = await client.open(0, 0);
    client.send(channelRequest(channel, 'exec', stringField('true')));
    await client.closeChannel(0, channel);
    client.end();
    await greeting.close();
  });
});
