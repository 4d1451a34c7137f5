import { once } from 'node:events';
import { type Server, type Socket, connect as connectTcp, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PostgresProxySettings } from '../../../src/platform/config/groups';
import { describeDataPath } from '../../support/describe';
import { eventually } from '../../support/eventually';
import { secretOf } from '../../support/target';
import { type TcpProxy, startTcpProxy } from '../../support/tcp-proxy';
import { Visitor } from '../../support/visitor';

const LOST = 'The connection to the database was lost.';

const query = (text: string): Buffer => {
  const head = Buffer.from('Q\0\0\0\0');
  head.writeInt32BE(Buffer.byteLength(text) + 5, 1);
  return Buffer.concat([head, Buffer.from(`${text}\0`)]);
};

/**
 * Clients and targets that disconnect, in order or not: the other side gets an error, and the recording has
 * the reason.
 */
describeDataPath('a session of a PostgreSQL client', ({ path }) => {
  let wire: TcpProxy;

  beforeAll(async () => {
    const secret = secretOf(path.target);
    wire = await startTcpProxy('127.0.0.1', Number(secret['PORT']));
    await path.connect('wired', { secret: { ...secret, PORT: String(wire.port) } });
  });

  afterAll(async () => {
    await wire.close();
  });

  it('ends in order with Terminate, and an open transaction is rolled back', async () => {
    const visitor = await Visitor.enter(path);
    await visitor.query("BEGIN; INSERT INTO customers VALUES (-1, 'gone')");
    await visitor.leave();
    expect(await visitor.aftermath()).toMatchObject({
      exit_code: 0,
      hasEnd: true,
      lastEvent: ['o', 'INSERT 0 1\n'],
    });
    expect(await path.target.query('SELECT FROM customers WHERE id = -1')).toEqual([]);
  });

  // promises: LIFE-7
  it.each(['idle', 'at work', 'in a transaction'])(
    'ends when its client is lost while it is %s',
    async (state) => {
      const visitor = await Visitor.enter(path);
      if (state === 'at work') await visitor.keepBusy();
      if (state === 'in a transaction')
        await visitor.query("BEGIN; INSERT INTO customers VALUES (-1, 'lost')");
      visitor.socket.resetAndDestroy();
      const lastEvent = ['e', 'The connection of the client was lost.\n'];
      expect(await visitor.aftermath()).toEqual({ exit_code: 2, hasEnd: true, lastEvent });
      expect(await path.target.query('SELECT FROM customers WHERE id = -1')).toEqual([]);
    },
  );

  it('answers everything sent before the client closed its sending side', async () => {
    const visitor = await Visitor.enter(path);
    const answers: Buffer[] = [];
    visitor.socket.on('data', (bytes) => answers.push(bytes));
    const size = 5_000_000;
    visitor.socket.end(
      Buffer.concat([
        query('SELECT pg_sleep(0.3)'),
        query(`SELECT repeat('x', ${size})`),
        query('SELECT 1/0'),
      ]),
    );
    const lastEvent = ['e', 'The client closed the connection without saying good-bye.\n'];
    expect(await visitor.lastWords()).toBe('ERROR 22012: division by zero');
    expect(Buffer.concat(answers).toString('latin1').split('x')).toHaveLength(size + 1);
    expect(await visitor.aftermath()).toEqual({ exit_code: 2, hasEnd: true, lastEvent });
  });

  it.each(['idle', 'at work', 'in a transaction'])(
    'ends when its backend is terminated while it is %s',
    async (state) => {
      const visitor = await Visitor.enter(path);
      if (state === 'at work') await visitor.keepBusy();
      if (state === 'in a transaction') await visitor.query('BEGIN');
      const [pid] = await visitor.backends();
      await path.target.query('SELECT pg_terminate_backend($1)', [pid]);
      expect(await visitor.lastWords()).toBe(
        'FATAL 57P01: terminating connection due to administrator command',
      );
      expect(await visitor.aftermath()).toEqual({
        exit_code: 2,
        hasEnd: true,
        lastEvent: ['e', 'FATAL: terminating connection due to administrator command (SQLSTATE 57P01)\n'],
      });
    },
  );

  it.each(['idle', 'at work', 'in a transaction'])(
    'ends when the way to its target is cut while it is %s',
    async (state) => {
      const visitor = await Visitor.enter(path, { connection: 'wired' });
      if (state === 'at work') await visitor.keepBusy();
      if (state === 'in a transaction') await visitor.query('BEGIN');
      wire.cut();
      expect(await visitor.lastWords()).toBe(`FATAL 08006: ${LOST}`);
      const lastEvent = ['e', `${LOST}\n`];
      expect(await visitor.aftermath()).toEqual({ exit_code: 2, hasEnd: true, lastEvent });
    },
  );

  describe('whose target is slow', () => {
    let door: Server;
    const waiting: Socket[] = [];

    beforeAll(async () => {
      door = createServer((socket) => waiting.push(socket.pause().on('error', () => undefined)));
      door.listen(0, '127.0.0.1');
      await once(door, 'listening');
      const PORT = String((door.address() as AddressInfo).port);
      await path.connect('slow', { secret: { ...secretOf(path.target), PORT } });
    });

    afterAll(() => door.close());

    const knock = async (): Promise<{ visiting: Promise<Visitor>; letIn: () => void }> => {
      const visiting = Visitor.enter(path, { connection: 'slow' });
      const knocking = await eventually('the gateway dials', async () => waiting.shift());
      const letIn = (): void => {
        const target = connectTcp(Number(secretOf(path.target)['PORT']), '127.0.0.1');
        target.on('error', () => undefined).on('close', () => knocking.destroy());
        knocking
          .on('close', () => target.destroy())
          .pipe(target)
          .pipe(knocking);
      };
      return { visiting, letIn };
    };

    it('begins when it is reached', async () => {
      const { visiting, letIn } = await knock();
      letIn();
      const visitor = await visiting;
      expect((await visitor.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await visitor.leave();
      expect(await visitor.aftermath()).toMatchObject({ exit_code: 0 });
    });

    it('ends when its client was lost meanwhile', async () => {
      const { visiting, letIn } = await knock();
      const text = `SELECT labels ->> 'application_name' AS name FROM sessions WHERE connection_name = 'slow' AND status = 'open'`;
      const { name } = await eventually('the session is recorded', async () => {
        const [row] = await path.gateway.database.query<{ name: string }>(text);
        return row;
      });
      const visitor = Visitor.named(name);
      visitor.socket.resetAndDestroy();
      await expect(visiting).rejects.toThrow();
      letIn();
      const lastEvent = ['e', 'The connection of the client was lost.\n'];
      expect(await visitor.aftermath()).toEqual({ exit_code: 2, hasEnd: true, lastEvent });
    });
  });

  it('ends when it was idle for too long, and not while its query runs', async () => {
    Object.assign(path.gateway.app.get(PostgresProxySettings), { idleMinutes: 1.5 / 60 });
    // Each client sends all of its messages at once, so that its idle time begins then.
    const busy = await Visitor.enter(path);
    const slow = busy.query("SELECT 'awake' AS state FROM pg_sleep(3.5)");
    const undecided = await Visitor.enter(path);
    await undecided.query('BEGIN');
    const idle = await Visitor.enter(path);
    Object.assign(path.gateway.app.get(PostgresProxySettings), { idleMinutes: 0 });
    const patient = await Visitor.enter(path);
    const cause = 'The session was idle for too long.';
    for (const visitor of [idle, undecided]) {
      expect(await visitor.lastWords()).toBe(`FATAL 57P05: ${cause}`);
      expect(await visitor.aftermath()).toEqual({
        exit_code: 254,
        hasEnd: true,
        lastEvent: ['e', `${cause}\n`],
      });
    }
    expect((await slow).rows).toEqual([{ state: 'awake' }]);
    expect(await busy.lastWords()).toBe(`FATAL 57P05: ${cause}`);
    expect((await patient.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await patient.leave();
  });
});
