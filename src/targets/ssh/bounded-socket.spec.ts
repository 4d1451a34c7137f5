import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import { BoundedSocket, WRITE_ON_BYTES } from './bounded-socket';
import type { SshFault } from './ssh-faults';

describe('a bounded socket', () => {
  let near: Socket;
  let far: Socket;
  let faults: SshFault[];
  let bounded: BoundedSocket;

  beforeEach(async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    [far] = (await once(server, 'connection')) as [Socket];
    server.close();
    far.pause();
    faults = [];
    bounded = new BoundedSocket(near, (fault) => faults.push(fault));
  });

  afterEach(() => [near, far].forEach((socket) => socket.destroy()));

  const hears = async (): Promise<void> => {
    far.write('x');
    await once(near, 'data');
  };
  /** A channel in which so many bytes wait for a reader. */
  const waiting = (output: number, errors: number): ClientChannel => {
    const [channel, stderr] = [output, errors].map((bytes) => {
      const stream = new PassThrough({ highWaterMark: 2 ** 30 });
      stream.write(Buffer.alloc(bytes));
      return stream;
    });
    return Object.assign(channel as PassThrough, { stderr }) as never;
  };

  it('ends when the server does not read', async () => {
    near.write(Buffer.alloc(4 * 1024 * 1024));
    await hears();
    expect(faults).toEqual([]);
    near.write(Buffer.alloc(20 * 1024 * 1024));
    await hears();
    expect(faults.map(({ code }) => code)).toEqual(['NOT_READING']);
  });

  it('ends when more than was granted waits in a channel, until the channel is closed', async () => {
    bounded.add(waiting(5 * 1024 * 1024, 2 * 1024 * 1024));
    await hears();
    expect(faults).toEqual([]);
    const over = waiting(5 * 1024 * 1024, 4 * 1024 * 1024);
    bounded.add(over);
    await hears();
    expect(faults.map(({ code }) => code)).toEqual(['TOO_MUCH']);
    over.emit('close');
    await hears();
    expect(faults).toHaveLength(1);
  });

  it('lets a writer go on when little is left, or the connection is gone', async () => {
    await bounded.drained();
    near.write(Buffer.alloc(20 * 1024 * 1024));
    expect(near.writableLength).toBeGreaterThan(WRITE_ON_BYTES);
    const drained = bounded.drained();
    far.resume();
    await drained;
    expect(near.writableLength).toBeLessThanOrEqual(WRITE_ON_BYTES);
    far.pause();
    near.write(Buffer.alloc(20 * 1024 * 1024));
    const gone = bounded.drained();
    near.destroy();
    await gone;
  });

  it('has one listener for all writers that wait', async () => {
    const count = (): number[] => ['drain', 'close'].map((event) => near.listenerCount(event));
    near.write(Buffer.alloc(20 * 1024 * 1024));
    const before = count();
    const waiting = Array.from({ length: 50 }, () => bounded.drained());
    expect(count().map((listeners, at) => listeners - (before[at] ?? 0))).toEqual([1, 1]);
    far.resume();
    await Promise.all(waiting);
    expect(count()[0]).toBe(before[0]);
  });
});
