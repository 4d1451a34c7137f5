import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import type { ServerChannel } from 'ssh2';
import { type PlayedServer, pemKey, playServer } from '../support/ssh/played-server';
import { eventually } from '../support/eventually';
import { openSsh } from '../../src/targets/ssh/open-ssh';
import { SshScripts } from '../../src/targets/ssh/run-script';
import { serverFault } from '../../src/targets/ssh/ssh-faults';

/** Servers that misbehave. Each ends with a sentence, and holds neither the caller nor the memory. */
// promises: SSH-10
describe('a server that misbehaves', () => {
  const closing: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const open of closing.splice(0)) await open.close();
  });

  /** A server whose bytes the test sends. */
  const raw = async (connected: (socket: Socket) => void): Promise<Record<string, string>> => {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      connected(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push({
      close: () =>
        new Promise<void>((resolve) => {
          for (const socket of sockets) socket.destroy();
          server.close(() => resolve());
        }),
    });
    const { port } = server.address() as AddressInfo;
    return {
      HOST: '127.0.0.1',
      PORT: String(port),
      USER: 'a',
      PASS: 'b',
      HOST_KEY: `SHA256:${'A'.repeat(43)}`,
    };
  };
  const played = async (...given: Parameters<typeof playServer>): Promise<PlayedServer> => {
    const server = await playServer(...given);
    closing.push(server);
    return server;
  };
  const faultOf = async (secret: Record<string, string>, signal?: AbortSignal): Promise<string> => {
    try {
      const ssh = await openSsh(secret, { signal });
      ssh.close(0);
      return 'none';
    } catch (error) {
      return serverFault(error);
    }
  };
  const run = async (secret: Record<string, string>, signal = new AbortController().signal) => {
    const output: [string, string][] = [];
    const dialled: boolean[] = [];
    const exitCode = await new SshScripts().run(
      secret,
      'echo',
      async (type, text) => output.push([type, text]) > 0,
      signal,
      (isReachable) => dialled.push(isReachable),
    );
    return { exitCode, output, dialled };
  };

  /** Makes the time limit of one step a hundredth. */
  const shorten = (limit: number): void => {
    jest.restoreAllMocks();
    const timeout = globalThis.setTimeout;
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void, ms: number) =>
        timeout(work, ms === limit ? ms / 100 : ms)) as typeof setTimeout);
  };
  afterEach(() => jest.restoreAllMocks());

  it.each<[string, (socket: Socket) => void, string]>([
    ['closes at once', (socket) => void socket.end(), 'The server closed the connection.'],
    ['resets', (socket) => void socket.resetAndDestroy(), 'The server closed the connection.'],
    [
      'speaks HTTP',
      (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'The server answered with something that is not the SSH protocol.',
    ],
    [
      'speaks version 1',
      (socket) => void socket.write('SSH-1.5-old\r\n'),
      'The server speaks version 1 of the SSH protocol only, which is not secure.',
    ],
    [
      'sends lines without end before its name',
      (socket) => {
        const more = (): void => {
          if (!socket.destroyed) socket.write(`${'x'.repeat(1_000)}\r\n`, () => setImmediate(more));
        };
        more();
      },
      'The server answered with something that is not the SSH protocol.',
    ],
    [
      'sends one line without end',
      (socket) => {
        const more = (): void => {
          if (!socket.destroyed) socket.write('SSH-2.0-'.padEnd(1_000, 'x'), () => setImmediate(more));
        };
        more();
      },
      'The server answered with something that is not the SSH protocol.',
    ],
    [
      'sends a packet of 4 GB',
      (socket) => void socket.write(Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(64, 0xff)])),
      'The key exchange with the server failed.',
    ],
    [
      'sends something else after its name',
      (socket) => void socket.write('SSH-2.0-x\r\nHello, who are you and what do you want from me?\r\n'),
      'The key exchange with the server failed.',
    ],
    [
      'closes in the key exchange',
      (socket) => {
        socket.write('SSH-2.0-x\r\n');
        socket.once('data', () => socket.destroySoon());
      },
      'The server closed the connection.',
    ],
  ])('%s', async (_, connected, sentence) => {
    expect(await faultOf(await raw(connected))).toBe(sentence);
  });

  it('says nothing, neither at first nor in the key exchange nor at the sign-in', async () => {
    shorten(10_000);
    expect(await faultOf(await raw(() => undefined))).toBe(
      'The server could not be reached: it did not answer in time.',
    );
    expect(await faultOf(await raw((socket) => void socket.write('SSH-2.0-x\r\n')))).toBe(
      'The server did not finish the key exchange in time.',
    );
    shorten(20_000);
    const silent = await played({ signIn: () => undefined });
    expect(await faultOf(silent.secret())).toBe('The server did not answer the sign-in in time.');
    expect(await run(silent.secret())).toEqual({
      exitCode: 2,
      output: [['e', 'The server did not answer the sign-in in time.\n']],
      dialled: [false],
    });
  });

  it('is silent after the sign-in', async () => {
    shorten(15_000);
    const server = await played({
      connected: (connection) =>
        void connection.once('ready', () =>
          connection.removeAllListeners('session').on('session', () => undefined),
        ),
    });
    expect(await run(server.secret())).toEqual({
      exitCode: 2,
      output: [['e', 'The server did not answer a request in time.\n']],
      dialled: [true],
    });
  });

  it('is left at once by a session that ends', async () => {
    const ending = new AbortController();
    const secret = await raw(() => ending.abort());
    expect(await run(secret, ending.signal)).toEqual({ exitCode: 2, output: [], dialled: [] });
    expect(await faultOf(secret, AbortSignal.abort())).toBe('The session ended before the server answered.');
  });

  it('refuses the session, the command, or asks for something that the secret does not have', async () => {
    const shy = await played({
      connected: (connection) =>
        void connection.once('ready', () =>
          connection.removeAllListeners('session').on('session', (_, reject) => reject()),
        ),
    });
    expect((await run(shy.secret())).output).toEqual([['e', 'The server refused to open a session.\n']]);
    const strict = await played({
      connected: (connection) =>
        void connection.once('ready', () =>
          connection
            .removeAllListeners('session')
            .on('session', (accept) => accept().on('exec', (_, reject) => reject())),
        ),
    });
    expect((await run(strict.secret())).output).toEqual([['e', 'The server refused to run a command.\n']]);
    const keys = await played({ signIn: (attempt) => attempt.reject(['publickey']) });
    expect(await faultOf(keys.secret())).toBe('The server accepts no passwords; it asks for a key.');
    const second = await played({ signIn: (attempt) => attempt.reject(['keyboard-interactive'], true) });
    expect(await faultOf(second.secret())).toBe(
      'The server asks for a second factor, which is not supported.',
    );
  });

  it('gets a password once, and never the answer to a question that is shown', async () => {
    const seen: string[] = [];
    const server = await played({
      signIn: (attempt) => {
        seen.push(attempt.method);
        if (attempt.method !== 'keyboard-interactive') return attempt.reject(['keyboard-interactive']);
        attempt.prompt([{ prompt: 'Token: ', echo: true }], (answers) => {
          seen.push(...answers);
          attempt.prompt([{ prompt: 'Password: ', echo: false }], (again) => {
            seen.push(...again);
            attempt.reject(['keyboard-interactive']);
          });
        });
      },
    });
    expect(await faultOf(server.secret())).toBe(
      'The server refused the user, the password or the key of this connection.',
    );
    expect(seen).toEqual(['password', 'keyboard-interactive', '', '']);
  });

  it('takes a password as the answer to its question', async () => {
    const server = await played({
      signIn: (attempt) => {
        if (attempt.method !== 'keyboard-interactive') return attempt.reject(['keyboard-interactive']);
        attempt.prompt([{ prompt: 'Password: ', echo: false }], ([answer]) =>
          answer === 'right' ? attempt.accept() : attempt.reject(),
        );
      },
    });
    expect(await faultOf(server.secret())).toBe('none');
  });

  // promises: SSH-3
  it('offers weak algorithms only, or a short key', async () => {
    const pin = { HOST_KEY: `SHA256:${'A'.repeat(43)}` };
    for (const algorithms of [
      { kex: ['diffie-hellman-group14-sha1' as const] },
      { cipher: ['aes128-cbc' as const] },
      { cipher: ['chacha20-poly1305@openssh.com' as const] },
      { cipher: ['aes128-ctr' as const], hmac: ['hmac-sha1' as const] },
    ]) {
      const server = await played({ config: { algorithms } });
      expect(await faultOf(server.secret(pin))).toBe(
        'The server and the gateway have no secure algorithm in common.',
      );
    }
    const short = await played({ config: { hostKeys: [pemKey('rsa', 1_024)] } });
    const shown = await faultOf(short.secret(pin));
    const [fingerprint = ''] = /SHA256:\S{43}/.exec(shown) ?? [];
    expect(await faultOf(short.secret({ HOST_KEY: fingerprint }))).toBe(
      'The host key of the server is an RSA key of less than 2048 bits, which is not secure.',
    );
  });

  it('breaks off in the middle, or closes without an exit code', async () => {
    const lost = await played({
      exec: (channel) => channel.write('begun', () => lost.cut()),
    });
    expect(await run(lost.secret())).toEqual({
      exitCode: 2,
      output: [
        ['o', 'begun'],
        ['e', 'The connection to the server was lost while the script ran.\n'],
      ],
      dialled: [true],
    });
    const mute = await played({ exec: (channel) => void channel.end('done') });
    expect(await run(mute.secret())).toMatchObject({
      exitCode: 2,
      output: [
        ['o', 'done'],
        ['e', 'The server closed the session without an exit code.\n'],
      ],
    });
  });

  it('ignores every request to stop', async () => {
    const ending = new AbortController();
    const server = await played({ exec: (channel) => void channel.write('begun', () => ending.abort()) });
    const { exitCode, output } = await run(server.secret(), ending.signal);
    expect([exitCode, output.filter(([type]) => type === 'e')]).toEqual([2, []]);
  });

  it('names a signal and an exit code as it likes', async () => {
    const signal = await played({
      exec: (channel) => {
        channel.exit('KILL', true, 'canary');
        channel.end();
      },
    });
    expect(await run(signal.secret())).toMatchObject({
      exitCode: 137,
      output: [['e', 'The script was ended by the signal KILL.\n']],
    });
    const large = await played({
      exec: (channel) => {
        channel.exit(0xc000013a);
        channel.end();
      },
    });
    expect((await run(large.secret())).exitCode).toBe(-1_073_741_510);
  });

  it('sends no more than was granted while nobody reads, and all of it later', async () => {
    const total = 50 * 1024 * 1024;
    const piece = Buffer.alloc(32 * 1024, 'x');
    let sent = 0;
    const fill = (channel: ServerChannel): void => {
      const more = (): void => {
        if (sent === total) return void (channel.exit(0), channel.end());
        sent += piece.length;
        if (channel.write(piece)) setImmediate(more);
        else channel.once('drain', more);
      };
      more();
    };
    const server = await played({ exec: fill });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let received = 0;
    const running = new SshScripts().run(
      server.secret(),
      'echo',
      async (_, text) => {
        await held;
        received += text.length;
        return true;
      },
      new AbortController().signal,
      () => undefined,
    );
    let last = -1;
    await eventually('the server waits', () => {
      const isSame = sent > 0 && sent === last;
      last = sent;
      return isSame;
    });
    // The server itself holds a part, beside that what the gateway granted.
    expect(sent).toBeLessThan(10 * 1024 * 1024);
    release();
    expect(await running).toBe(0);
    expect(received).toBe(total);
  });

  it('sends more than was granted: it loses the connection, and memory stays flat', async () => {
    const server = await played({
      exec: (channel) => {
        const { outgoing } = channel as unknown as { outgoing: { window: number } };
        const more = (): void => {
          if (lostAt > 0) return;
          outgoing.window = 2 ** 31;
          sent += 30_000;
          channel.write(Buffer.alloc(30_000));
          setImmediate(more);
        };
        more();
      },
      connected: (connection) =>
        void connection.once('close', () => {
          lostAt = sent;
        }),
    });
    let [sent, lostAt] = [0, 0];
    const ssh = await openSsh(server.secret());
    await ssh.open((opened) => ssh.client.exec('flood', opened));
    expect(serverFault(await ssh.ended)).toBe('The server sent more than was asked for.');
    await eventually('the server notices', () => lostAt > 0);
    expect(lostAt).toBeLessThan(64 * 1024 * 1024);
  });
});
