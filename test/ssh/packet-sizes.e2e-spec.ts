import { once } from 'node:events';
import { join } from 'node:path';
import type { Client, ClientChannel, Connection, ServerChannel } from 'ssh2';
import { eventually } from '../support/eventually';
import { freePort } from '../support/gateway';
import { scoped } from '../support/scoped';
import { type Listener, answerAtEnd, exchange, listenAt, openStream } from '../support/ssh/forwarded';
import { announcePackets } from '../support/ssh/packet-sizes';
import { type PlayedServer, playServer } from '../support/ssh/played-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients, execute } from '../support/ssh/ssh-clients';

const REFUSED = [0, 1, 1_023];
const LEAST = 1_024;
/** More than one packet of the least size. */
const BYTES = Buffer.alloc(10_000, 'packet ');
const BELOW = 'packets of less than 1024 bytes are not supported';
const SERVER_BELOW = 'The server takes packets of less than 1024 bytes only, which are not supported.';

/** An end at which a server listens for a client. */
type Listening = { readonly port: number } | { readonly path: string };

/** Resolves with the error, or with undefined when the server listens. */
function listenFor(client: Client, at: Listening): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const answered = (error?: Error | null): void => resolve(error ?? undefined);
    if ('port' in at) client.forwardIn('localhost', at.port, answered);
    else client.openssh_forwardInStreamLocal(at.path, answered);
  });
}

function streamTo(client: Client, to: Listener | string): Promise<string | ClientChannel> {
  if (typeof to !== 'string') return openStream(client, '127.0.0.1', to.port);
  return new Promise((resolve) =>
    client.openssh_forwardOutStreamLocal(to, (error, channel) => resolve(error?.message ?? channel)),
  );
}

/** Sends bytes and the end through a stream. Returns what came back. */
async function through(stream: string | ClientChannel | ServerChannel): Promise<string> {
  if (typeof stream === 'string') return stream;
  const got: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => got.push(bytes));
  // The `end` of a server's channel closes both directions.
  stream.write(BYTES, () => stream.eof());
  await once(stream, 'end');
  return Buffer.concat(got).equals(BYTES) ? 'all' : `${Buffer.concat(got).length} bytes`;
}

// promises: SSHCLIENT-11
describeWithPrograms(
  'maximum packet sizes that the other side announces',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let echo: Listener;
    let echoPath: string;
    let echoSocket: Listener;
    let count = 0;
    const servers: PlayedServer[] = [];

    beforeAll(async () => {
      echo = await listenAt(0, answerAtEnd);
      echoPath = join(path.programs.folder, 'echo.sock');
      echoSocket = await listenAt(echoPath, answerAtEnd);
    });
    // Other clients go on, whatever was announced.
    afterEach(async () => {
      const other = await path.client();
      expect(await (await execute(other, 'echo here')).ended).toMatchObject({ code: 0, out: 'here\n' });
      other.end();
    });
    afterAll(async () => {
      for (const open of [echo, echoSocket, ...servers]) await open.close();
    });

    const newEnds = async (): Promise<{ port: number; path: string }> => ({
      port: await freePort(),
      path: join(path.programs.folder, `listens-${(count += 1)}.sock`),
    });
    const connectionTo = async (
      server: Pick<PlayedServer, 'secret'>,
      fields: Record<string, string>,
    ): Promise<string> => {
      const name = `sizes-${(count += 1)}`;
      const answer = await path.ask(name, server.secret(fields));
      if (answer.status !== 201) throw new Error(answer.text);
      return name;
    };
    /** A client that announces the size, and may forward everything that the tests forward. */
    const clientOf = async (bytes: number, from: { readonly path: string }): Promise<Client> => {
      const fields = {
        FORWARD_TO: `127.0.0.1:*, ${echoPath}`,
        FORWARD_FROM: `localhost:*, ${from.path}`,
      };
      const client = await path.client(
        await issuedLogin(path.gateway, await connectionTo(path.server, fields)),
      );
      announcePackets(client, bytes);
      client.on('tcp connection', (_, accept) => answerAtEnd(accept() as never));
      client.on('unix connection', (_, accept) => answerAtEnd(accept() as never));
      return client;
    };

    it.each(REFUSED)('of %i bytes: each channel of a client is refused', async (bytes) => {
      const ends = await newEnds();
      const client = await clientOf(bytes, ends);
      for (const to of [echo, echoPath]) expect(await streamTo(client, to)).toContain(BELOW);
      await expect(execute(client, 'true')).rejects.toThrow(BELOW);
      await expect(new Promise((_, reject) => client.sftp((error) => reject(error)))).rejects.toThrow(BELOW);
      for (const at of [{ port: ends.port }, { path: ends.path }]) {
        expect(await listenFor(client, at)).toBeUndefined();
        // The program at the server sends nothing, and sees its connection closed.
        expect(await exchange(at, '')).toHaveLength(0);
        const [newest] = await path.sessions();
        expect(newest?.labels['channel']).toBe('forwarded');
      }
      client.end();
    });

    it(`of ${LEAST} bytes serve each channel of a client`, async () => {
      const ends = await newEnds();
      const client = await clientOf(LEAST, ends);
      for (const to of [echo, echoPath]) expect(await through(await streamTo(client, to))).toBe('all');
      expect(await (await execute(client, 'seq 2000')).ended).toMatchObject({ code: 0 });
      for (const at of [{ port: ends.port }, { path: ends.path }]) {
        expect(await listenFor(client, at)).toBeUndefined();
        expect((await exchange(at, BYTES)).equals(BYTES)).toBe(true);
      }
      client.end();
    });

    /** A server that announces the size, and the connection to it that a client has opened. */
    const serverOf = async (bytes: number) => {
      let connection: Connection | undefined;
      const take = (accept: () => ServerChannel): void => answerAtEnd(accept() as never);
      const server = await playServer({
        // Only such a server is asked for streams to sockets.
        config: { ident: 'OpenSSH_9.9' },
        exec: (channel) => channel.resume().on('end', () => void (channel.exit(0), channel.end(BYTES))),
        connected: (each) => {
          connection = each;
          announcePackets(each, bytes);
          each.on('tcpip', take).on('openssh.streamlocal', take);
          each.on('request', (accept) => accept?.());
        },
      });
      servers.push(server);
      const fields = {
        FORWARD_TO: '127.0.0.1:*, /run/db.sock',
        FORWARD_FROM: 'localhost:8080, /run/in.sock',
      };
      const name = await connectionTo(server, fields);
      const client = await path.client(await issuedLogin(path.gateway, name));
      client.on('tcp connection', (_, accept) => answerAtEnd(accept() as never));
      client.on('unix connection', (_, accept) => answerAtEnd(accept() as never));
      /** Offers the client a stream, from where the server listens. */
      const offered = async (at: Listening): Promise<string | ServerChannel> => {
        expect(await listenFor(client, at)).toBeUndefined();
        return new Promise((resolve) => {
          const opened = (error: Error | undefined, channel: ServerChannel): void =>
            resolve(error?.message ?? channel);
          if ('port' in at) connection?.forwardOut('localhost', at.port, '127.0.0.1', 1, opened);
          else connection?.openssh_forwardOutStreamLocal(at.path, opened);
        });
      };
      return { name, client, offered };
    };
    const LISTENED: readonly Listening[] = [{ port: 8_080 }, { path: '/run/in.sock' }];

    it.each(REFUSED)('of %i bytes: each channel of a server is refused', async (bytes) => {
      const { name, client, offered } = await serverOf(bytes);
      for (const to of [echo, '/run/db.sock']) expect(await streamTo(client, to)).toContain(SERVER_BELOW);
      for (const at of LISTENED) expect(await offered(at)).toContain(BELOW);
      const { code, err } = await (await execute(client, 'true')).ended;
      expect([code, err.trim()]).toEqual([255, SERVER_BELOW]);
      const script = await path.run('true', { connection: name });
      expect(JSON.stringify(script.body)).toContain(SERVER_BELOW);
      client.end();
    });

    it(`of ${LEAST} bytes serve each channel of a server`, async () => {
      const { client, offered } = await serverOf(LEAST);
      for (const to of [echo, '/run/db.sock']) expect(await through(await streamTo(client, to))).toBe('all');
      for (const at of LISTENED) expect(await through(await offered(at))).toBe('all');
      const { channel, ended } = await execute(client, 'true');
      channel.end(BYTES);
      expect(await ended).toMatchObject({ code: 0, out: BYTES.toString() });
      client.end();
    });

    it('are not met by a window that grows without end: the output arrives once', async () => {
      const client = await path.client();
      const running = await execute(client, 'seq 100000; cat');
      const { outgoing } = running.channel as unknown as { outgoing: { id: number } };
      const { _protocol: protocol } = client as unknown as {
        _protocol: { channelWindowAdjust(id: number, bytes: number): void };
      };
      for (let count = 0; count < 1_000; count += 1) protocol.channelWindowAdjust(outgoing.id, 2 ** 32 - 1);
      running.channel.end('end');
      const { out } = await running.ended;
      expect(out.length).toBe(588_895 + 3);
      await eventually('the session is closed', async () => (await path.lastSession()).exit_code === 0);
      client.end();
    });
  }),
);
