import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { EXIT_OK, EXIT_TARGET_LOST } from '../contract/script-runner';
import { onCatalog } from './on-catalog';
import { PostgresScripts } from './run-script';

const message = (type: string, body: string | Buffer, length?: number): Buffer => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(length ?? bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
/** The server's messages AuthenticationOk, BackendKeyData (process id 7) and ReadyForQuery. */
const GREETING = Buffer.from('5200000008000000004b0000000c00000007000000015a0000000549', 'hex');
const DONE = Buffer.concat([message('C', 'DO\0'), message('Z', 'I')]);
const MEBIBYTE = 1024 * 1024;
/** A row with a single NULL column, and a row with a single large column. */
const ROW = message('D', Buffer.from('0001ffffffff', 'hex'));
const LARGE_ROW = message(
  'D',
  Buffer.concat([Buffer.from('000100100000', 'hex'), Buffer.alloc(MEBIBYTE, 'x')]),
);
const COLUMN = message('T', Buffer.from('00016100000000000000000000190000000000000000', 'hex'));
const ENDLESS = Buffer.concat([COLUMN, ROW, message('D', 'x', 0x7fffffff)]);

/** Hostile targets sign the gateway in, and then try to harm it by the answers to its own queries. */
describe('questions of the gateway to a hostile target', () => {
  let server: Server;
  const sockets: Socket[] = [];
  /** Answers one message of a signed-in connection; `at` counts connections from 0. */
  let answer: (socket: Socket, text: string, at: number) => void;

  beforeEach(async () => {
    sockets.length = 0;
    // The target keeps its end of the connection open, even after the gateway has closed its own end.
    server = createServer({ allowHalfOpen: true }, (socket) => {
      const at = sockets.push(socket) - 1;
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.write(GREETING);
          socket.on('data', (bytes: Buffer) => answer(socket, bytes.toString('latin1'), at));
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    jest.useRealTimers();
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });

  const secret = (): Record<string, string> => ({
    HOST: '127.0.0.1',
    PORT: String((server.address() as AddressInfo).port),
    USER: 'somebody',
    PASS: 'canary',
    DB: 'somewhere',
    SSLMODE: 'disable',
  });
  const asked = (): Promise<unknown> =>
    onCatalog(secret(), 'catalog', new AbortController().signal, (client) => client.query('SELECT 1'));
  const fakeTimers = (): void => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  };
  /** Runs a script and returns its exit code. */
  const run = (script: string, signal = new AbortController().signal): Promise<number> =>
    new PostgresScripts().run(
      secret(),
      script,
      () => Promise.resolve(true),
      signal,
      () => undefined,
    );
  /** Resolves when the gateway has ended or destroyed the connection. */
  const ended = async (socket: Socket | undefined): Promise<void> => {
    if (socket === undefined || socket.readableEnded || socket.destroyed) return;
    await new Promise<void>((closed) => socket.once('end', closed).once('close', () => closed()));
  };

  it('end at a message without an end', async () => {
    answer = (socket) => void socket.write(ENDLESS);
    await expect(asked()).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('end at rows without an end', async () => {
    answer = (socket, text) => {
      if (text.startsWith('Q')) socket.write(Buffer.concat([COLUMN, ...Array(40).fill(LARGE_ROW), DONE]));
    };
    await expect(asked()).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('end at small messages without an end', async () => {
    answer = (socket, text) => {
      if (text.startsWith('Q')) socket.write(Buffer.concat([COLUMN, ...Array(300_000).fill(ROW), DONE]));
    };
    await expect(asked()).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('cancel a script; rows without an end close that connection', async () => {
    const stop = new AbortController();
    fakeTimers();
    answer = (socket, text, at) => {
      if (at === 0 && text.includes('DO 1')) stop.abort();
      if (at === 1)
        socket.write(Buffer.concat([message('1', ''), message('2', ''), COLUMN, LARGE_ROW, LARGE_ROW]));
    };
    const running = run('DO 1', stop.signal);
    const opened = async (): Promise<void> => {
      while (sockets.length < 2) await once(server, 'connection');
    };
    await opened();
    await ended(sockets[1]);
    // The script itself has got no answer from the target yet.
    sockets[0]?.destroy();
    expect(await running).toBe(EXIT_TARGET_LOST);
  });

  it('and their connection end at a target that does not close it', async () => {
    fakeTimers();
    const left = new Promise<void>((heard) => {
      answer = (socket, text) => (text.startsWith('X') ? heard() : void socket.write(DONE));
    });
    const running = run('DO 1');
    await left;
    jest.advanceTimersByTime(1_000);
    expect(await running).toBe(EXIT_OK);
  });
});
