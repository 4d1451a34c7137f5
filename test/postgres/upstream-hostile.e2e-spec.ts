import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { cancelUpstream, dialUpstream, type Upstream } from '../../src/proxies/postgres/upstream';
import { UpstreamRefused } from '../../src/proxies/postgres/upstream-refused';
import { connectPostgres } from '../../src/targets/postgres/postgres-connect';
import { connectionFault } from '../../src/targets/postgres/postgres-faults';

const NOT_POSTGRES = 'The database answered with something that is not the PostgreSQL protocol.';
const CLOSED = 'The database closed the connection.';
const TIMED_OUT = 'The database could not be reached: it did not answer in time.';

const message = (type: string, ...body: (Buffer | number)[]): Buffer => {
  const bytes = Buffer.concat(body.map((part) => (typeof part === 'number' ? int32(part) : part)));
  return Buffer.concat([Buffer.from(type), int32(bytes.length + 4), bytes]);
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string): Buffer => Buffer.from(`${value}\0`);

const OK = message('R', 0);
const KEY = message('K', 7, -8);
const LONG_KEY = Buffer.alloc(32, 0xab);
const READY = message('Z', Buffer.from('I'));
const SASL = message('R', 10, text('SCRAM-SHA-256'), text(''));

async function dribble(socket: Socket, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    socket.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  socket.end();
}

/**
 * Tests broken servers, and programs that are no PostgreSQL server. Each must cause one refusal, and must not
 * end the gateway's process.
 */
describe('an upstream that breaks the protocol', () => {
  let server: Server;
  let serve: (socket: Socket) => void;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      serve(socket);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });

  afterEach(() => {
    jest.useRealTimers();
    for (const socket of sockets) socket.destroy();
  });

  afterAll(() => new Promise((closed) => server.close(closed)));

  const secretWith = (sslmode: string): Record<string, string> => ({
    HOST: '127.0.0.1',
    PORT: String((server.address() as AddressInfo).port),
    USER: 'somebody',
    PASS: 'canary',
    DB: 'somewhere',
    SSLMODE: sslmode,
  });
  const dial = (
    sslmode = 'disable',
    signal = new AbortController().signal,
    protocolMinor: 0 | 2 = 0,
  ): Promise<Upstream> => dialUpstream(secretWith(sslmode), { parameters: [], protocolMinor }, signal);
  const messageOf = async (dialling: Promise<unknown>): Promise<string> => {
    const error = await dialling.then(
      () => undefined,
      (refused: unknown) => refused,
    );
    if (!(error instanceof UpstreamRefused)) throw new Error('was not refused');
    return error.message;
  };
  /** Returns a server that sends these bytes as soon as it receives anything. */
  const saying =
    (...said: Buffer[]) =>
    (socket: Socket): void =>
      void socket.once('data', () => socket.write(Buffer.concat(said)));

  it('keeps bytes after ReadyForQuery, in one piece or byte by byte', async () => {
    const notice = message('N', text('SNOTICE'), text('MHi'), Buffer.alloc(1));
    const behind = Buffer.concat([message('S', text('a'), text('c')), Buffer.from('half a mess')]);
    const said = Buffer.concat([OK, message('S', text('a'), text('b')), notice, KEY, READY]);
    serve = saying(said, behind);
    const upstream = await dial();
    expect(upstream).toMatchObject({
      rest: behind,
      processId: 7,
      secretKey: Buffer.from('fffffff8', 'hex'),
      transactionStatus: 'I',
    });
    expect([[...upstream.parameters], upstream.notices]).toEqual([[['a', 'b']], [notice]]);
    upstream.socket.destroy();

    serve = (socket) => {
      socket.setNoDelay(true).once('data', () => void dribble(socket, Buffer.concat([said, behind])));
    };
    const slow = await dial();
    const later: Buffer[] = [slow.rest];
    for await (const chunk of slow.socket) later.push(chunk as Buffer);
    expect(Buffer.concat(later)).toEqual(behind);
  });

  it('works without a cancel key, and then cancels nothing', async () => {
    let dials = 0;
    serve = (socket) => {
      dials += 1;
      saying(OK, READY)(socket);
    };
    const upstream = await dial();
    expect(upstream).toMatchObject({ processId: 0, secretKey: Buffer.alloc(0) });
    await cancelUpstream(secretWith('disable'), upstream);
    expect(dials).toBe(1);
    upstream.socket.destroy();
  });

  it('uses and reports the version of the server', async () => {
    const asked: string[] = [];
    const offer = (version?: number): void => {
      serve = (socket) =>
        void socket.once('data', (bytes: Buffer) => {
          asked.push(bytes.toString('hex', 4, 8));
          const lower = version === undefined ? [] : [message('v', version, 0)];
          socket.write(Buffer.concat([...lower, OK, message('K', 7, LONG_KEY), READY]));
        });
    };
    const minorOf = async (minor: 0 | 2): Promise<number> => {
      const { socket, protocolMinor, secretKey } = await dial('disable', undefined, minor);
      expect(secretKey).toEqual(LONG_KEY);
      socket.destroy();
      return protocolMinor;
    };
    offer();
    expect([await minorOf(0), await minorOf(2)]).toEqual([0, 2]);
    // PostgreSQL documents the minor version alone here, but servers send the full version number.
    for (const version of [0, 1, 3 << 16, (3 << 16) | 1]) {
      offer(version);
      expect(await minorOf(2)).toBe(0);
    }
    expect(asked.slice(0, 2)).toEqual(['00030000', '00030002']);
  });

  it.each<[string, (socket: Socket) => void]>([
    [
      'refuses',
      (socket) =>
        void socket.end(message('E', text('SFATAL'), text('C0A000'), text('Munsupported'), Buffer.alloc(1))),
    ],
    ['hangs up on', (socket) => void socket.end()],
    ['does not understand', (socket) => void socket.write('what?')],
  ])('asks once more in protocol 3.0 a server that %s 3.2', async (_what, refuses) => {
    serve = (socket) => {
      socket.once('data', (bytes: Buffer) => {
        if (bytes[7] === 2) refuses(socket);
        else socket.write(Buffer.concat([OK, KEY, READY]));
      });
    };
    const upstream = await dial('disable', undefined, 2);
    expect(upstream.protocolMinor).toBe(0);
    upstream.socket.destroy();
  });

  it('cancels with a long key', async () => {
    const said: Buffer[] = [];
    serve = (socket) => {
      socket.once('data', (bytes: Buffer) => {
        said.push(bytes);
        if (said.length === 1) socket.write(Buffer.concat([OK, message('K', 7, LONG_KEY), READY]));
        else socket.end();
      });
    };
    const upstream = await dial('disable', undefined, 2);
    await cancelUpstream(secretWith('disable'), upstream);
    expect(said[1]).toEqual(Buffer.concat([int32(44), int32(80_877_102), int32(7), LONG_KEY]));
    upstream.socket.destroy();
  });

  it.each<[string, Buffer]>([
    ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['an unknown message', Buffer.concat([OK, message('T', 0)])],
    ['a length of 3', Buffer.from([0x52, 0, 0, 0, 3, 0, 0, 0])],
    ['a claimed gigabyte', Buffer.from([0x53, 0x40, 0, 0, 0, 0x61])],
    ['a negative length', Buffer.from([0x53, 0xff, 0xff, 0xff, 0xff, 0x61])],
    ['an authentication without a kind', message('R', Buffer.alloc(2))],
    ['an error without an end', message('E', text('SFATAL'), text('C28000'))],
    ['an error that is cut', message('E', Buffer.from('SFATAL'))],
    ['an error without anything', message('E')],
    ['a notice without an end', message('N', text('SNOTICE'))],
    ['a key of 257 bytes', Buffer.concat([OK, message('K', 7, Buffer.alloc(257)), READY])],
    ['a version that is cut', message('v', Buffer.alloc(2))],
    ['a key that is cut', Buffer.concat([OK, message('K', 7), READY])],
    ['a parameter without a value', Buffer.concat([OK, message('S', Buffer.from('name')), READY])],
    ['a status that is none', Buffer.concat([OK, message('Z', Buffer.from('?'))])],
    ['no status', Buffer.concat([OK, message('Z')])],
    ['parameters without end', Buffer.alloc(300_000, message('S', text('a'), text('b')))],
  ])('refuses %s', async (_what, said) => {
    serve = saying(said);
    expect(await messageOf(dial())).toBe(NOT_POSTGRES);
    // Sessions that the gateway opens with the driver use the same checks.
    expect(await connectPostgres(secretWith('disable')).catch(connectionFault)).toBe(NOT_POSTGRES);
  });

  it.each([
    ['client_encoding', 'LATIN1', 'The database does not use UTF8 for the gateway.'],
    [
      'standard_conforming_strings',
      'off',
      'The database does not read strings as the SQL standard does, though the gateway asked for it.',
    ],
  ])('refuses a target that insists on %s %s', async (name, value, told) => {
    serve = saying(OK, message('S', text(name), text(value)), KEY, READY);
    expect(await messageOf(dial())).toBe(told);
    expect(await connectPostgres(secretWith('disable')).catch(connectionFault)).toBe(told);
    for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close');
  });

  it('reports an authentication method that is not supported', async () => {
    for (const kind of [2, 7, 9, 99]) {
      serve = saying(message('R', kind));
      expect(await messageOf(dial())).toBe(
        'The database requires an authentication method other than SCRAM, MD5 or a password.',
      );
    }
  });

  it('refuses a server that does not prove that it knows the password', async () => {
    serve = (socket) => {
      socket.once('data', () => {
        socket.write(SASL);
        socket.once('data', () => socket.write(Buffer.concat([OK, KEY, READY])));
      });
    };
    expect(await messageOf(dial())).toBe(NOT_POSTGRES);
  });

  it('refuses a server whose proof is wrong, also when all the rest follows in the same packet', async () => {
    const forged = message('R', 12, Buffer.from(`v=${Buffer.alloc(32).toString('base64')}`));
    serve = (socket) => {
      socket.once('data', () => {
        socket.write(SASL);
        socket.once('data', (response: Buffer) => {
          const nonce = /r=(.*)$/.exec(response.toString('latin1'))?.[1] ?? '';
          socket.write(message('R', 11, Buffer.from(`r=${nonce}more,s=c2FsdA==,i=4096`)));
          socket.once('data', () => socket.write(Buffer.concat([forged, OK, KEY, READY])));
        });
      });
    };
    expect(await messageOf(dial())).toMatch(/refused the user or the password/);
  });

  it.each([
    ['no mechanism that we know', message('R', 10, text('PLAIN'), text(''))],
    ['an answer to nothing', message('R', 11, Buffer.from('r=x,s=eA==,i=4096'))],
    ['a proof of nothing', message('R', 12, Buffer.from('v=eA=='))],
  ])('refuses SASL with %s', async (_what, said) => {
    serve = saying(said);
    expect(await messageOf(dial())).toMatch(/refused the user or the password|could not be reached/);
  });

  it.each([
    ['at once', (socket: Socket) => void socket.end(), 'disable'],
    ['by a reset', (socket: Socket) => void socket.resetAndDestroy(), 'disable'],
    ['before it says whether it speaks TLS', (socket: Socket) => void socket.end(), 'require'],
    ['in the middle of a message', (socket: Socket) => void socket.end(KEY.subarray(0, 7)), 'disable'],
  ])('says so when the server hangs up %s', async (_what, ending, mode) => {
    serve = ending;
    expect(await messageOf(dial(mode))).toBe(CLOSED);
  });

  it.each<[string, Buffer, string]>([
    [
      'an error instead of an answer',
      message('E', text('SFATAL'), text('MNo.'), Buffer.alloc(1)),
      NOT_POSTGRES,
    ],
    ['plain text slipped in behind it', Buffer.concat([Buffer.from('S'), OK, KEY, READY]), NOT_POSTGRES],
    ['more than a no', Buffer.concat([Buffer.from('N'), OK, KEY, READY]), NOT_POSTGRES],
    ['a yes, and no TLS', Buffer.from('S'), 'TLS with the database could not be established.'],
  ])('is asked for TLS and answers with %s', async (_what, said, refused) => {
    serve = (socket) => {
      socket.once('data', () => {
        socket.write(said);
        socket.once('data', () => socket.end('no TLS at all'));
      });
    };
    expect(await messageOf(dial('require'))).toBe(refused);
  });

  it('is connected to in plain text when its TLS fails and sslmode allows that', async () => {
    let dials = 0;
    serve = (socket) => {
      dials += 1;
      if (dials === 1) saying(Buffer.from('S'))(socket);
      else saying(OK, KEY, READY)(socket);
      if (dials === 1) socket.once('data', () => socket.once('data', () => socket.end('no TLS at all')));
    };
    (await dial('prefer')).socket.destroy();
    expect(dials).toBe(2);
  });

  it('may be lost before the gateway listens for errors', async () => {
    serve = saying(OK, KEY, READY);
    const { socket } = await dial();
    for (const one of sockets) one.resetAndDestroy();
    await new Promise((closed) => socket.on('close', closed).resume());
    expect(socket.destroyed).toBe(true);
  });

  it('is not waited for when the session ends first', async () => {
    const stopping = new AbortController();
    serve = () => setImmediate(() => stopping.abort());
    const refused = await dial('disable', stopping.signal).catch((error: UpstreamRefused) => error.fields);
    expect(refused).toMatchObject({
      code: '57P01',
      message: 'The session ended before the database answered.',
    });
    await Promise.all(
      [...sockets].map((socket) => new Promise((closed) => socket.once('close', closed).resume())),
    );
    serve = () => expect(false).toBe(true);
    expect(await dial('disable', stopping.signal).catch((error: UpstreamRefused) => error.fields)).toEqual(
      refused,
    );
  });

  it.each([
    ['before TLS', 'require'],
    ['before it signs anybody in', 'disable'],
  ])('is waited for 10 s in all when it says nothing: %s', async (_what, mode) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const asked = new Promise<void>((heard) => {
      serve = (socket) => void socket.once('data', () => heard());
    });
    const refused = messageOf(dial(mode));
    await asked;
    jest.advanceTimersByTime(9_999);
    await new Promise(setImmediate);
    expect(sockets.size).toBe(1);
    jest.advanceTimersByTime(1);
    expect(await refused).toBe(TIMED_OUT);
  });

  it('has 5 s to cancel', async () => {
    serve = saying(OK, KEY, READY);
    const upstream = await dial();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const request = new Promise<Buffer>((heard) => {
      serve = (socket) => void socket.once('data', heard);
    });
    const cancelling = cancelUpstream(secretWith('disable'), upstream);
    expect((await request).toString('hex')).toBe('0000001004d2162e00000007fffffff8');
    jest.advanceTimersByTime(5_000);
    await expect(cancelling).resolves.toBeUndefined();
    upstream.socket.destroy();
  });
});
