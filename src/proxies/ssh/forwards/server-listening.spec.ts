import { once } from 'node:events';
import type { Connection } from 'ssh2';
import { type PlayedServer, playServer } from '../../../../test/support/ssh/played-server';
import { type OpenSsh, openSsh } from '../../../targets/ssh/open-ssh';
import { ServerListening } from './server-listening';
import { unlessStopped } from './unless-stopped';

const END = { kind: 'tcp', host: 'localhost', port: 8_080 } as const;
const ANY = { ...END, port: 0 };
/** The port that the server chooses. */
const CHOSEN = 40_000;

interface Asked {
  readonly name: string;
  readonly port: number;
  readonly accept: ((port?: number) => void) | undefined;
  readonly reject: (() => void) | undefined;
}

// promises: SSHFORWARD-4
describe('the listening of a server', () => {
  let server: PlayedServer;
  let ssh: OpenSsh;
  let connection: Connection;
  let asked: Asked[];
  let heard: () => void;

  beforeEach(async () => {
    asked = [];
    server = await playServer({
      connected: (each) => {
        connection = each;
        each.on('request', (accept: Asked['accept'], reject: Asked['reject'], name: string, info: object) => {
          asked.push({ name, port: (info as { bindPort: number }).bindPort, accept, reject });
          heard();
        });
      },
    });
    ssh = await openSsh(server.secret());
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    ssh.close(0);
    await ssh.ended;
    await server.close();
  });

  /** Resolves with the next request that the server gets after `work`. */
  const next = async (work: () => unknown = () => undefined): Promise<Asked> => {
    const request = new Promise<void>((resolve) => (heard = resolve));
    work();
    await request;
    return asked.at(-1) as Asked;
  };
  /** Begins to listen. The promise is in an object, because it waits for the server. */
  const begin = async (end: typeof END | typeof ANY, offered: (reject: () => void) => void) => {
    const listening = new ServerListening(ssh, end, (stream) => offered(() => stream.reject()));
    let begun: Promise<ServerListening> | undefined;
    const request = await next(() => (begun = listening.begin()));
    return { listening, request, begun: begun as Promise<ServerListening> };
  };
  /** The server has answered whatever was sent to it before. */
  const inStep = (): Promise<unknown> =>
    new Promise((resolve) => ssh.client.forwardOut('a', 1, 'b', 1, resolve));
  const offer = (port: number): Promise<Error | undefined> =>
    new Promise((resolve) =>
      connection.forwardOut('localhost', port, '127.0.0.1', 1, (error) => resolve(error)),
    );

  it('goes on when the server refuses another request for the same end', async () => {
    const got: string[] = [];
    const take = (name: string) => (reject: () => void) => {
      got.push(name);
      reject();
    };
    const first = await begin(END, take('first'));
    first.request.accept?.();
    await first.begun;
    const second = await begin(END, take('second'));
    // Until the server answers, its streams are those of the first.
    expect(await offer(END.port)).toBeInstanceOf(Error);
    second.request.reject?.();
    await expect(second.begun).rejects.toThrow('The server refused to listen there.');
    second.listening.close();
    await inStep();
    expect(asked.map(({ name }) => name)).toEqual(['tcpip-forward', 'tcpip-forward']);
    expect(await offer(END.port)).toBeInstanceOf(Error);
    expect(got).toEqual(['first', 'first']);
    const { name, port } = await next(() => first.listening.close());
    expect([name, port]).toEqual(['cancel-tcpip-forward', END.port]);
  });

  it('ends at the port that a server chose after the time, or after it was stopped', async () => {
    const timeout = globalThis.setTimeout;
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void, ms: number) =>
        timeout(work, ms === 15_000 ? 1 : ms)) as typeof setTimeout);
    const slow = await begin(ANY, () => undefined);
    await expect(slow.begun).rejects.toThrow('The server did not answer a request in time.');
    jest.restoreAllMocks();
    const cancelled = await next(() => slow.request.accept?.(CHOSEN));
    expect([cancelled.name, cancelled.port]).toEqual(['cancel-tcpip-forward', CHOSEN]);
    cancelled.accept?.();

    const stop = new AbortController();
    const stopped = await begin(ANY, () => undefined);
    const waiting = unlessStopped(stopped.begun, [stop.signal]);
    stop.abort(new Error('killed'));
    await expect(waiting).rejects.toThrow('killed');
    const late = await next(() => stopped.request.accept?.(CHOSEN + 1));
    expect([late.name, late.port]).toEqual(['cancel-tcpip-forward', CHOSEN + 1]);
  });

  it('takes no stream after its end, and leaves no listener', async () => {
    const before = ssh.client.listenerCount('tcp connection');
    let offered = 0;
    const { listening, request, begun } = await begin(END, () => (offered += 1));
    request.accept?.();
    await begun;
    const cancelled = await next(() => listening.close());
    listening.close();
    expect(await offer(END.port)).toBeInstanceOf(Error);
    expect(offered).toBe(0);
    cancelled.accept?.();
    await inStep();
    expect(ssh.client.listenerCount('tcp connection')).toBe(before);
    expect(asked).toHaveLength(2);
  });

  it('is refused when the server is lost, and has nothing to end', async () => {
    const { listening, begun } = await begin(END, () => undefined);
    const closed = once(ssh.client, 'close');
    server.cut();
    await expect(begun).rejects.toThrow('The connection to the server was lost.');
    await closed;
    listening.close();
  });
});
