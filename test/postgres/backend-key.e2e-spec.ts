import { describeGuardedPath } from '../support/describe';
import { RawClient, cancelRequest } from '../support/raw-client';
import { secretOf } from '../support/target';
import { startTcpProxy } from '../support/tcp-proxy';
import { type Said, WireClient, cellsOf } from '../support/wire-client';
import * as wire from '../support/wire-messages';
import { PostgresProxySettings } from '../../src/platform/config/groups';
import { eventually } from '../support/eventually';

jest.setTimeout(240_000);

const VERSION_3_2 = (3 << 16) | 2;

interface Key {
  readonly processId: number;
  readonly secret: Buffer;
}

/**
 * Clients use their process id to find their session in pg_stat_activity, to recognize their own
 * notifications, and to let other clients cancel their query.
 */
describeGuardedPath('the process id that a client is told', ({ path }) => {
  let port: number;

  beforeAll(async () => {
    port = path.gateway.app.get(PostgresProxySettings).port;
  });

  const keyOf = ({ greeting }: WireClient): Key => {
    const { body } = greeting.find(({ type }) => type === 'K') as Said;
    return { processId: body.readInt32BE(0), secret: body.subarray(4) };
  };
  const open = async (version?: number, connection = 'orders'): Promise<WireClient> => {
    const client = await WireClient.tried(path.gateway, connection, 'admin', {}, version);
    expect(client.greeting.at(-1)?.type).toBe('Z');
    return client;
  };
  const cellOf = async (client: WireClient, sql: string): Promise<string> => {
    const row = (await client.send(wire.query(sql)).until('Z')).find(({ type }) => type === 'D');
    return String(cellsOf(row as Said)[0]);
  };
  const cancel = async ({ processId, secret }: Key): Promise<void> => {
    const request = await RawClient.connect(port);
    expect(await request.send(cancelRequest(processId, secret)).untilEnd()).toHaveLength(0);
  };
  const runs = (client: WireClient): Promise<unknown> =>
    eventually('it runs', async () => {
      const sql = `SELECT FROM pg_stat_activity WHERE pid = ${keyOf(client).processId} AND query LIKE '%pg_sleep%' AND state = 'active'`;
      return (await path.target.query(sql)).length === 1;
    });

  it('is that of the process in the database', async () => {
    const client = await open();
    const { processId } = keyOf(client);
    expect(await cellOf(client, 'SELECT pg_backend_pid()')).toBe(String(processId));
    const activity = 'SELECT count(*) FROM pg_stat_activity WHERE pid = pg_backend_pid()';
    expect(await cellOf(client, activity)).toBe('1');
    client.close();
  });

  it('has the process id of its own notifications, and not of others', async () => {
    const [client, other] = [await open(), await open()];
    await client.ask(wire.query('LISTEN news'));
    const senderOf = (messages: Said[]): number | undefined =>
      messages.find(({ type }) => type === 'A')?.body.readInt32BE(0);
    const own = await client.send(wire.query('NOTIFY news')).until('Z');
    const sender = senderOf(own) ?? senderOf(await client.until('A'));
    expect(sender).toBe(keyOf(client).processId);
    await other.ask(wire.query('NOTIFY news'));
    expect(senderOf(await client.until('A'))).toBe(keyOf(other).processId);
    for (const one of [client, other]) one.close();
  });

  it('can be canceled by another session with pg_cancel_backend', async () => {
    const [client, other] = [await open(), await open()];
    client.send(wire.query('SELECT pg_sleep(300)'));
    await runs(client);
    expect(await cellOf(other, `SELECT pg_cancel_backend(${keyOf(client).processId})`)).toBe('t');
    expect(await client.ready()).toContainEqual(expect.stringMatching(/^E 57014/));
    for (const one of [client, other]) one.close();
  });

  it.each([undefined, VERSION_3_2])('does not cancel without the secret, version %p', async (version) => {
    const [client, other] = [await open(version), await open(version)];
    const [key, otherKey] = [keyOf(client), keyOf(other)];
    expect(key.secret).toHaveLength(version === undefined ? 4 : 32);
    client.send(wire.query('SELECT pg_sleep(300)'));
    await runs(client);
    // A process id with another session's secret cancels nothing, nor does a secret that is cut.
    await cancel({ ...key, secret: otherKey.secret });
    await cancel({ ...otherKey, secret: key.secret });
    await cancel({ ...key, secret: key.secret.subarray(0, 3) });
    expect(await cellOf(other, 'SELECT 1')).toBe('1');
    await runs(client);
    await cancel(key);
    expect(await client.ready()).toContainEqual(expect.stringMatching(/^E 57014/));
    for (const one of [client, other]) one.close();
  });

  it('comes in protocol 3.2 where the target speaks it, and 3.2 is the most that is offered', async () => {
    const client = await WireClient.tried(
      path.gateway,
      'orders',
      'admin',
      { '_pq_.x': '1' },
      (3 << 16) | 9_999,
    );
    const [first, second] = client.greeting;
    expect(first).toEqual({ type: 'v', body: Buffer.from('\0\x03\0\x02\0\0\0\x01_pq_.x\0', 'latin1') });
    expect(second).toEqual({ type: 'R', body: Buffer.alloc(4) });
    expect(keyOf(client).secret).toHaveLength(32);
    expect((await open(VERSION_3_2)).greeting[0]?.type).toBe('R');
  });

  it('comes in protocol 3.0, with a short key, where the target speaks no more', async () => {
    const { HOST, PORT } = secretOf(path.target);
    // Simulates an older server: it answers a request for version 3.2 with version 3.0, and continues with
    // it.
    const offer = Buffer.from('v\0\0\0\x0c\0\x03\0\0\0\0\0\0', 'latin1');
    let isAsked = false;
    const older = await startTcpProxy(HOST as string, Number(PORT), {
      toTarget: (bytes) => {
        isAsked = bytes.length > 8 && bytes.readInt32BE(4) === VERSION_3_2;
        if (isAsked) bytes.writeInt32BE(3 << 16, 4);
        return bytes;
      },
      fromTarget: (bytes) => {
        const answer = isAsked ? Buffer.concat([offer, bytes]) : bytes;
        isAsked = false;
        return answer;
      },
    });
    try {
      await path.connect('older', { secret: { ...secretOf(path.target), PORT: String(older.port) } });
      const client = await open(VERSION_3_2, 'older');
      expect(client.greeting[0]).toEqual({ type: 'v', body: offer.subarray(5) });
      expect(keyOf(client).secret).toHaveLength(4);
      client.send(wire.query('SELECT pg_sleep(300)'));
      await runs(client);
      await cancel(keyOf(client));
      expect(await client.ready()).toContainEqual(expect.stringMatching(/^E 57014/));
      const old = await open(undefined, 'older');
      expect(old.greeting[0]?.type).toBe('R');
    } finally {
      await older.close();
    }
  });
});
