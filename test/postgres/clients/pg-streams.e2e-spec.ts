import { once } from 'node:events';
import { Client, type ClientConfig, type QueryArrayResult } from 'pg';
import { describeWirePath } from '../../support/describe';
import { copy, refusalOf } from '../../support/pg-results';

jest.setTimeout(480_000);

describeWirePath('node-postgres through the gateway: streams, and who may come', ({ path }) => {
  const withClient = async <T>(way: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client(way);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const both = <T>(work: (client: Client) => Promise<T>, more: ClientConfig = {}): Promise<T> =>
    path.both((way) => withClient({ ...way, ...more }, work));

  it('receives notifications of another client, and notices', async () => {
    const heard = await path.both((way) =>
      withClient(way, (listener) =>
        withClient(way, async (speaker) => {
          const notices: unknown[] = [];
          listener.on('notice', ({ severity, message }) => notices.push({ severity, message }));
          await listener.query('LISTEN "the news"');
          await listener.query("DO $$ BEGIN RAISE WARNING 'it is %', 'late'; RAISE NOTICE 'ü'; END $$");
          const notified = once(listener, 'notification');
          await speaker.query("SELECT pg_notify('the news', $1)", ['größe']);
          const [{ channel, payload }] = await notified;
          await listener.query('UNLISTEN *');
          return { channel, payload, notices };
        }),
      ),
    );
    expect(heard).toEqual({
      channel: 'the news',
      payload: 'größe',
      notices: [
        { severity: 'WARNING', message: 'it is late' },
        { severity: 'NOTICE', message: 'ü' },
      ],
    });
  });

  it('copies in and out', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `${n}\trow ${n} ü\n`);
    const copied = await both(async (client) => {
      await client.query('CREATE TEMP TABLE copied (n int, name text)');
      const given = await copy(client, 'COPY copied FROM STDIN', lines);
      const taken = await copy(client, 'COPY (SELECT * FROM copied ORDER BY n) TO STDOUT', []);
      const failed = await refusalOf(copy(client, 'COPY copied FROM STDIN', ['1\ta\n', 'two\tb\n']));
      return { given, taken, failed, count: (await client.query('SELECT count(*)::int FROM copied')).rows };
    });
    expect(copied.taken).toEqual({ tag: 'COPY 20000', data: lines.join('') });
    expect(copied).toMatchObject({
      given: { tag: 'COPY 20000' },
      failed: { code: '22P02' },
      count: [{ count: 20_000 }],
    });
  });

  it('reads large rows, and many', async () => {
    const read = await both(async (client) => {
      const wide = await client.query(
        "SELECT repeat('ü', 3000000) AS cell, n FROM generate_series(1, 3) AS n",
      );
      const long: QueryArrayResult = await client.query({
        text: 'SELECT n, md5(n::text) FROM generate_series(1, 200000) AS n',
        rowMode: 'array',
      });
      return { wide: wide.rows.map(({ cell, n }) => [cell.length, n]), long: long.rows };
    });
    expect(read.wide).toEqual([1, 2, 3].map((n) => [3_000_000, n]));
    expect(read.long).toHaveLength(200_000);
    expect(read.long.at(-1)?.[0]).toBe(200_000);
  });

  it('signs in with a token or an API key as password, as the same person', async () => {
    const made = await path.gateway.call('admin', 'POST', '/api-keys', { name: 'nightly' });
    expect(made.status).toBe(201);
    const passwords = [
      ['admin', await path.gateway.token('admin'), 'user'],
      ['any-name', made.body.key as string, 'machine'],
    ] as const;
    for (const [user, password, identity] of passwords) {
      const way = { ...path.through, user, password, database: 'orders' };
      const { rows } = await withClient(way, (client) => client.query('SELECT $1::text AS who', [user]));
      expect(rows).toEqual([{ who: user }]);
      expect((await path.read(await path.lastSession())).body).toMatchObject({
        identity_type: identity,
        connection: 'orders',
        verb: 'connect',
        exit_code: 0,
      });
    }
  });

  it('ends its session and records the outcome', async () => {
    await withClient(path.through, (client) => client.query('SELECT 1'));
    const id = await path.lastSession();
    expect((await path.read(id)).body).toMatchObject({ status: 'done', exit_code: 0, type: 'database' });
  });
});
