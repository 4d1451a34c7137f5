import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { type AheadOfScript, EXIT_OK, EXIT_TARGET_LOST } from '../contract/script-runner';
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
const REFUSED = 'SERROR\0VERROR\0C42501\0Mpermission denied\0\0';
const FATAL = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
const ENDLESS = Buffer.concat([COLUMN, ROW, message('D', 'x', 0x7fffffff)]);

/** Hostile targets sign the gateway in, and then try to harm it by the answers to its own queries. */
describe('questions of the gateway to a hostile target', () => {
  let server: Server;
  const sockets: Socket[] = [];
  /** Answers one message of a signed-in connection; `at` counts connections from 0. */
  let answer: (socket: Socket, text: string, at: number) => void;
  /** Answers the start-up message of a connection. */
  let greet: (socket: Socket, at: number) => void;
  let runs: PostgresScripts;

  beforeEach(async () => {
    runs = new PostgresScripts();
    sockets.length = 0;
    greet = (socket) => void socket.write(GREETING);
    // The target keeps its end of the connection open, even after the gateway has closed its own end.
    server = createServer({ allowHalfOpen: true }, (socket) => {
      const at = sockets.push(socket) - 1;
      socket
        .on('error', () => undefined)
        .once('data', () => {
          greet(socket, at);
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
  /** Runs a script and returns its exit code. Adds all reports and all output to `told`. */
  const run = (
    script: string,
    told: unknown[] = [],
    ahead: AheadOfScript = { ready: undefined, noteRoom: (room) => told.push(room) },
    signal = new AbortController().signal,
  ): Promise<number> =>
    runs.run(
      secret(),
      script,
      async (_type, text) => told.push(text) > 0,
      signal,
      (isReachable) => told.push(isReachable),
      ahead,
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    );
  /** Answers scripts, and anything else by `otherwise`. */
  const scriptsOr = (otherwise: typeof answer): typeof answer => {
    return (socket, text, at) => {
      if (text.includes('DO 1')) socket.write(DONE);
      else if (text.startsWith('X')) socket.end();
      else otherwise(socket, text, at);
    };
  };
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

  it.each([
    ['an endless message', ENDLESS],
    ['rows of more than 1 MiB', Buffer.concat([COLUMN, LARGE_ROW, LARGE_ROW])],
    ['the end of the connection', FATAL],
  ])('before a script end there, too, and the script runs on another connection: %s', async (_, bytes) => {
    const told: unknown[] = [];
    fakeTimers();
    answer = scriptsOr((socket) => void (bytes === FATAL ? socket.end(bytes) : socket.write(bytes)));
    expect(await run('DO 1', told)).toBe(EXIT_OK);
    expect(told).toEqual([0, true, 'DO\n']);
    await ended(sockets[0]);
  });

  it('before a script may be refused, and then the script runs on the same connection', async () => {
    const told: unknown[] = [];
    answer = scriptsOr((socket, text) => {
      if (text.includes('room')) socket.write(Buffer.concat([message('E', REFUSED), message('Z', 'I')]));
      else if (text.startsWith('Q')) socket.write(Buffer.concat([message('I', ''), message('Z', 'I')]));
    });
    expect(await run('DO 1', told)).toBe(EXIT_OK);
    expect(told).toEqual([0, true, 'DO\n']);
    expect(sockets).toHaveLength(1);
  });

  it('name a connection that is ready; rows without an end close it', async () => {
    const told: unknown[] = [];
    const ready = await runs.dial(secret());
    answer = scriptsOr((socket) => void socket.write(Buffer.concat([COLUMN, LARGE_ROW, LARGE_ROW])));
    expect(await run('DO 1', told, { ready })).toBe(EXIT_OK);
    expect(told).toEqual([true, 'DO\n']);
    await ended(sockets[0]);
  });

  it('name a connection that is ready within a second', async () => {
    const told: unknown[] = [];
    const ready = await runs.dial(secret());
    fakeTimers();
    const stalled = new Promise<void>((heard) => {
      answer = scriptsOr((_socket, text, at) => {
        if (at === 0 && text.includes('application_name')) heard();
      });
    });
    const running = run('DO 1', told, { ready });
    await stalled;
    jest.advanceTimersByTime(1_000);
    expect(await running).toBe(EXIT_OK);
    expect(told).toEqual([true, 'DO\n']);
  });

  const refusalOf = (code: string) => (socket: Socket) =>
    void socket.end(message('E', `SFATAL\0VFATAL\0C${code}\0Mno\0\0`));

  it.each<[string, (socket: Socket) => void]>([
    ['has no other connection', refusalOf('53300')],
    ['is behind a pooler that has none', refusalOf('08P01')],
    ['is starting up', refusalOf('57P03')],
    ['hangs up', (socket) => void socket.destroy()],
  ])('wait for a late answer where the target %s', async (_, refuse) => {
    const told: unknown[] = [];
    fakeTimers();
    const stalled = new Promise<void>((heard) => {
      answer = scriptsOr(() => heard());
    });
    greet = (socket, at) => {
      if (at === 0) return void socket.write(GREETING);
      refuse(socket);
      sockets[0]?.write(Buffer.concat([COLUMN, ROW, message('C', 'SELECT 1\0'), message('Z', 'I')]));
    };
    const running = run('DO 1', told);
    await stalled;
    jest.advanceTimersByTime(1_000);
    expect(await running).toBe(EXIT_OK);
    expect(told).toEqual([0, true, 'DO\n']);
  });

  it('before a script end with its session', async () => {
    const stop = new AbortController();
    fakeTimers();
    answer = () => stop.abort();
    const told: unknown[] = [];
    const ahead = { ready: undefined, noteRoom: (room: number) => told.push(room) };
    expect(await run('DO 1', told, ahead, stop.signal)).toBe(EXIT_TARGET_LOST);
    expect(told).toEqual([0]);
    await ended(sockets[0]);
  });

  it('cancel a script; rows without an end close that connection', async () => {
    const stop = new AbortController();
    fakeTimers();
    answer = (socket, text, at) => {
      if (at === 0 && text.includes('DO 1')) stop.abort();
      if (at === 1)
        socket.write(Buffer.concat([message('1', ''), message('2', ''), COLUMN, LARGE_ROW, LARGE_ROW]));
    };
    const running = run('DO 1', [], { ready: undefined }, stop.signal);
    const opened = async (): Promise<void> => {
      while (sockets.length < 2) await once(server, 'connection');
    };
    await opened();
    await ended(sockets[1]);
    // The script itself has got no answer from the target yet.
    sockets[0]?.destroy();
    expect(await running).toBe(EXIT_TARGET_LOST);
  });

  it('before a script have a second, and then the script runs on a connection of its own', async () => {
    const told: unknown[] = [];
    fakeTimers();
    const stalled = new Promise<void>((heard) => {
      answer = (socket, text, at) => {
        if (at === 0) return heard();
        if (text.includes('DO 1')) socket.write(DONE);
        else socket.destroy();
      };
    });
    const running = run('DO 1', told);
    await stalled;
    jest.advanceTimersByTime(1_000);
    expect(await running).toBe(EXIT_OK);
    expect(told).toEqual([0, true, 'DO\n']);
    const [first] = sockets as [Socket];
    if (!first.readableEnded) await once(first, 'end');
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
