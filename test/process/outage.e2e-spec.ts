import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/development/embedded-postgres/embedded-postgres';
import {
  GatewayProcess,
  buildIfNeeded,
  productionEnvironment,
  temporaryFolder,
  until,
} from '../support/gateway-process';

describe('a gateway whose database goes away', () => {
  let wire: Awaited<ReturnType<typeof startWire>>;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: EmbeddedPostgres;
  let production: Awaited<ReturnType<typeof productionEnvironment>>;
  let token: string;
  let gateway: GatewayProcess;

  /** Starts the database, each time on another port. The gateway connects to the fixed port of a proxy. */
  async function startDatabase(): Promise<void> {
    server = await startEmbeddedPostgres({ dataDir: folder.path, durable: false, log: () => undefined });
    wire.lead(server.port);
  }

  beforeAll(async () => {
    await buildIfNeeded();
    folder = await temporaryFolder();
    wire = await startWire();
    await startDatabase();
    await server.createDatabase('gateway');
    const url = new URL(server.url('gateway'));
    url.port = String(wire.port);
    url.searchParams.set('query_timeout', '2000');
    production = await productionEnvironment(url.href);
    token = await production.token();
    gateway = await GatewayProcess.start(production.variables);
  });

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
    await production.provider.close();
    await server.stop();
    wire.close();
    await folder.remove();
  });

  async function answerTo(request: Promise<Response>) {
    const response = await request;
    return {
      status: response.status,
      isNamed: response.headers.has('x-request-id'),
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    };
  }

  const message = expect.stringMatching(/^the database cannot be reached/) as string;
  const outage = { status: 503, isNamed: true, retryAfter: '5', body: { message } };
  const served = { status: 200, body: { data: [] } };
  const rules = () => answerTo(gateway.get('/access-requests/rules', token));

  it('reports it, survives, and serves again when it is back', async () => {
    expect(await answerTo(gateway.get('/readyz'))).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await rules()).toMatchObject(served);

    await server.stop();
    expect(await answerTo(gateway.get('/readyz'))).toEqual(outage);
    expect(await rules()).toEqual(outage);
    expect(await answerTo(gateway.get('/userinfo', token))).toEqual(outage);
    const script = { connection: 'none', script: 'SELECT 1' };
    expect(await answerTo(gateway.post('/sessions', token, script))).toEqual(outage);
    expect(await answerTo(gateway.get('/healthz'))).toMatchObject({ status: 200, body: { status: 'ok' } });

    await startDatabase();
    await until(async () => (await gateway.get('/readyz')).status === 200);
    expect(await rules()).toMatchObject(served);
  });

  it('answers without delay while it is silent', async () => {
    wire.freeze();
    expect(await answerTo(gateway.get('/readyz'))).toEqual(outage);
    expect(await rules()).toEqual(outage);
    wire.thaw();
    await until(async () => (await gateway.get('/readyz')).status === 200);
    await until(async () => (await rules()).status === 200);
  });

  it('has logged it in JSON lines, and still stops in order', async () => {
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    expect(gateway.stderr).toBe('');
    const warnings = gateway.logLines().filter((line) => line['level'] === 40);
    expect(warnings).toContainEqual(
      expect.objectContaining({
        msg: 'the database cannot be reached, try again shortly',
        req: expect.objectContaining({ path: '/api/access-requests/rules' }) as unknown,
        err: expect.objectContaining({
          // The message depends on the moment: a pooled connection broke, the server refused, or no server
          // listened.
          message: expect.any(String) as string,
        }) as unknown,
      }),
    );
    expect(gateway.logLines().filter((line) => Number(line['level']) > 40)).toEqual([]);
  });
});

/** Starts a proxy with a fixed port. It forwards to the current database, and can stop forwarding bytes. */
async function startWire() {
  const sockets = new Set<Socket>();
  let target = 0;
  let frozen = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    if (frozen) socket.pause();
  };
  const relay = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes)).once('close', () => to.destroy());
      keep(from);
    }
  });
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening));
  return {
    port: (relay.address() as AddressInfo).port,
    lead: (port: number) => (target = port),
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}
