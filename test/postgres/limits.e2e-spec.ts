import { type Server, type Socket, connect as connectTcp } from 'node:net';
import { PostgresProxySettings } from '../../src/platform/config/groups';
import { PostgresListener } from '../../src/proxies/postgres/listener';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { createRule, denyWords } from '../support/guardrails';
import { Visitor, proxyPort } from '../support/visitor';

const MEBIBYTE = 1024 * 1024;

/** Returns the header of a message with this type and length. */
function head(type: string, length: number): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0`);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

const FEW_PLACES = {
  environment: {
    POSTGRES_PROXY_CLIENTS: '4',
    POSTGRES_PROXY_CLIENTS_PER_USER: '2',
    POSTGRES_PROXY_CLIENTS_PER_CONNECTION: '3',
  },
};

/** Limits of clients: their number, the time to sign in, and the size of messages. */
describeDataPath('a gateway with few places', FEW_PLACES, ({ path }) => {
  beforeAll(async () => {
    await path.connect('elsewhere');
  });

  // promises: PROXY-5
  it('limits clients per user, per connection and in total, and releases places', async () => {
    const [alice, bob, admin] = ['alice', 'bob', 'admin'] as const;
    const [first, second] = [
      await Visitor.enter(path, { caller: alice }),
      await Visitor.enter(path, { caller: alice }),
    ];
    expect(await Visitor.refused(path, { caller: alice, connection: 'elsewhere' })).toBe(
      'FATAL 53300: You already have 2 connections through this gateway, which is the limit. Close one of them.',
    );
    const third = await Visitor.enter(path, { caller: bob });
    expect(await Visitor.refused(path, { caller: admin })).toBe(
      'FATAL 53300: This connection already has as many clients as it may have. Try again later.',
    );
    const fourth = await Visitor.enter(path, { caller: admin, connection: 'elsewhere' });
    const full = 'FATAL 53300: The gateway already serves as many clients as it may. Try again later.';
    expect(await Visitor.refused(path, { caller: bob, connection: 'elsewhere' })).toBe(full);
    first.socket.resetAndDestroy();
    await first.aftermath();
    const fifth = await eventually('there is room', () =>
      Visitor.enter(path, { caller: bob, connection: 'elsewhere' }).catch(() => undefined),
    );
    expect(await Visitor.refused(path, { caller: admin, connection: 'elsewhere' })).toBe(full);
    await Promise.all([second, third, fourth, fifth].map((visitor) => visitor.leave()));
  });
});

const IMPATIENT = { environment: { POSTGRES_PROXY_HANDSHAKE_SECONDS: '2' } };

describeDataPath('a gateway with silent clients', IMPATIENT, ({ path }) => {
  // promises: PROXY-5
  it('serves others while 900 clients are silent, and disconnects those', async () => {
    const { server } = path.gateway.app.get(PostgresListener)['listener'] as unknown as { server: Server };
    let accepted = 0;
    server.on('connection', () => (accepted += 1));
    const silent: Socket[] = [];
    let hungUp = 0;
    for (let count = 0; count < 900; count += 1) {
      const socket = connectTcp(proxyPort(path.gateway), '127.0.0.1');
      socket.on('error', () => undefined).on('close', () => (hungUp += 1));
      silent.push(socket.resume());
    }
    await eventually('all are taken', async () => accepted === silent.length);
    // From now on, clients have enough time to sign in, even on a slow machine.
    Object.assign(path.gateway.app.get(PostgresProxySettings), { handshakeSeconds: 60 });
    const visitor = await Visitor.enter(path);
    expect((await visitor.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await eventually('all silent clients are gone', async () => hungUp === silent.length);
    expect((await visitor.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
    await visitor.leave();
  });

  it('refuses a statement as soon as its announced size is too large, and allocates no memory for it', async () => {
    const visitor = await Visitor.enter(path);
    const before = process.memoryUsage().rss;
    visitor.socket.write(head('Q', 65 * MEBIBYTE));
    const cause = `a message is larger than ${64 * MEBIBYTE} bytes`;
    expect(await visitor.lastWords()).toBe(`FATAL 08P01: ${cause}`);
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * MEBIBYTE);
    const lastEvent = ['e', `${cause}\n`];
    expect(await visitor.aftermath()).toEqual({ exit_code: 254, hasEnd: true, lastEvent });
  });

  it.each(['0', '3', '4294967295'])('ends a session whose message is %s bytes long', async (length) => {
    const visitor = await Visitor.enter(path);
    visitor.socket.write(head('Q', Number(length)));
    expect(await visitor.lastWords()).toMatch(/^FATAL 08P01: (invalid message length|a message is larger)/);
    expect(await visitor.aftermath()).toMatchObject({ exit_code: 254, hasEnd: true });
  });

  it('reports a row that is too large to be screened; without a rule it passes', async () => {
    const size = 17 * MEBIBYTE;
    const large = `SELECT repeat('x', ${size}) AS row`;
    const unguarded = await Visitor.enter(path);
    const [row] = (await unguarded.query(large)).rows as { row: string }[];
    expect(row?.row).toHaveLength(size);
    await unguarded.leave();
    const guarded = await path.connect('guarded');
    await createRule(path.gateway, {
      name: 'looks-at-output',
      output: denyWords(['never said']),
      connection_ids: [guarded],
    });
    const visitor = await Visitor.enter(path, { connection: 'guarded' });
    await expect(visitor.query(large)).rejects.toThrow(/larger than 16777216 bytes/);
    expect(await visitor.lastWords()).toMatch(/^FATAL 08P01: /);
    expect(await visitor.aftermath()).toMatchObject({ exit_code: 254, hasEnd: true });
  });
});
