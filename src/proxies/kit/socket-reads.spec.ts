import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { reliedOn } from '../../../test/support/relied-on';
import { makeCertificate } from '../../../test/support/tls';
import { onSocketData } from './socket-reads';

const relied = reliedOn('node', 'src/proxies/kit/socket-reads.ts');

/** Returns both ends of a connection: the accepted socket, and the dialed socket. */
async function pair(kind: 'plain' | 'TLS'): Promise<[accepted: Socket, dialed: Socket]> {
  const certificate = makeCertificate();
  const accepting = new Promise<[Socket, () => void]>((resolve) => {
    const accept = (socket: Socket): void => resolve([socket, () => server.close()]);
    const server =
      kind === 'plain'
        ? createServer({ pauseOnConnect: true }, accept)
        : createTlsServer(certificate, accept);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      dial(port);
    });
  });
  let dialed!: Socket;
  const dial = (port: number): void => {
    dialed =
      kind === 'plain'
        ? connect(port, '127.0.0.1')
        : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  };
  const [accepted, close] = await accepting;
  close();
  return [accepted, dialed];
}

describe.each(['plain', 'TLS'] as const)('what comes on a %s socket', (kind) => {
  const sockets: Socket[] = [];
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  async function ends(): Promise<[Socket, Socket]> {
    const both = await pair(kind);
    sockets.push(...both);
    return both;
  }

  it.each(['accepted', 'dialed'])(
    'is heard whole and in order on the end that was %s, however it is paused',
    async (end) => {
      const [accepted, dialed] = await ends();
      const [reader, writer] = end === 'accepted' ? [accepted, dialed] : [dialed, accepted];
      const sent = randomBytes(3_000_000);
      const heard: Buffer[] = [];
      const over = once(reader, 'end');
      onSocketData(reader, (bytes) => {
        heard.push(bytes);
        if (heard.length % 5 !== 0) return;
        reader.pause();
        void turn().then(() => reader.resume());
      });
      reader.resume();
      for (let at = 0, size = 1; at < sent.length; at += size, size = (size * 7) % 65_537) {
        writer.write(sent.subarray(at, at + size));
        if (at % 3 === 0) await turn();
      }
      writer.end();
      await over;
      expect(Buffer.concat(heard).equals(sent)).toBe(true);
    },
  );

  it('is heard by the private parts of Node.js, at half of what `data` costs', async () => {
    for (const socket of await ends()) {
      onSocketData(socket, () => undefined);
      relied(
        'kBuffer, kBufferCb, _handle.useUserBuffer: listeners of `data`',
        socket.listenerCount('data'),
        0,
      );
    }
  });

  it('is not heard while it is paused', async () => {
    const [reader, writer] = await ends();
    const heard: string[] = [];
    onSocketData(reader, (bytes) => heard.push(bytes.toString()));
    reader.pause();
    writer.write('one');
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(heard).toEqual([]);
    reader.resume();
    while (heard.length === 0) await turn();
    expect(heard).toEqual(['one']);
  });

  it('is heard also where it came before, and stays what it is when more comes on another socket', async () => {
    const [[reader, writer], [other, otherWriter]] = [await ends(), await ends()];
    writer.write('before');
    await once(reader, 'readable');
    const heard: Buffer[] = [];
    const take = (bytes: Buffer): unknown => heard.push(bytes);
    onSocketData(reader, take);
    onSocketData(other, take);
    reader.resume();
    other.resume();
    otherWriter.write('xxxxxx');
    while (heard.length < 2) await turn();
    writer.write('behind');
    while (heard.length < 3) await turn();
    expect(heard.map(String)).toEqual(['before', 'xxxxxx', 'behind']);
  });
});

it('is heard by `data` where Node.js has no other way', async () => {
  const [reader, writer] = await pair('plain');
  const { _handle } = reader as unknown as { _handle: object };
  Object.defineProperty(_handle, 'useUserBuffer', { value: undefined });
  const heard: string[] = [];
  onSocketData(reader, (bytes) => heard.push(bytes.toString()));
  reader.resume();
  writer.end('one');
  await once(reader, 'end');
  expect(heard).toEqual(['one']);
  reader.destroy();
});
