import { once } from 'node:events';
import { Client, type ClientConfig, type QueryArrayResult, type QueryConfig, type QueryResult } from 'pg';
import { eventually } from './support/eventually';
import { type WirePath, startWirePath } from './support/wire-path';

jest.setTimeout(120_000);

describe('node-postgres through the gateway, beside node-postgres without it', () => {
  let path: WirePath;

  beforeAll(async () => {
    path = await startWirePath();
  });

  afterAll(() => path.close());

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

  it('runs simple queries, of several statements too', async () => {
    const results = await both(async (client) => {
      const several = (await client.query(
        'CREATE TEMP TABLE t (n int); INSERT INTO t VALUES (1), (2); SELECT * FROM t; DELETE FROM t',
      )) as unknown as QueryResult[];
      return [
        ...several.map(told),
        told(await client.query('')),
        await refusalOf(client.query('SELECT 1; SELEC')),
      ];
    });
    expect(results.slice(0, 4)).toMatchObject([
      { command: 'CREATE' },
      { command: 'INSERT', rowCount: 2 },
      { command: 'SELECT', rows: [{ n: 1 }, { n: 2 }] },
      { command: 'DELETE', rowCount: 2 },
    ]);
    expect(results[5]).toMatchObject({ code: '42601', position: '11' });
  });

  it('binds values of many types, and reads them back', async () => {
    const values = [
      1,
      'ü ñ 😀',
      null,
      true,
      new Date(0),
      Buffer.from([0, 1, 255]),
      ['a', null, 'b"'],
      { a: [1] },
    ];
    const text =
      'SELECT $1::int AS i, $2::text AS t, $3::text AS n, $4::bool AS b, $5::timestamptz AS d, $6::bytea AS y, $7::text[] AS l, $8::jsonb AS j';
    const [result] = await both(async (client) => [told(await client.query(text, values))]);
    expect(result?.rows).toEqual([
      {
        i: 1,
        t: 'ü ñ 😀',
        n: null,
        b: true,
        d: new Date(0),
        y: Buffer.from([0, 1, 255]),
        l: ['a', null, 'b"'],
        j: { a: [1] },
      },
    ]);
    expect(await path.lastRecording()).toEqual([
      ['i', text],
      ['i', expect.stringMatching(/^\\bind '1' 'ü ñ 😀' NULL 'true' '1970-[^']*' '\\x0001ff' '\{/)],
      ['o', expect.stringContaining('ü ñ 😀')],
    ]);
  });

  it('asks for binary results, and gets them', async () => {
    const [result] = await both(async (client) => [
      told(
        await client.query<{ n: number }>({
          text: "SELECT n, n::int8 * 4000000000 AS large, n::float8 / 3 AS part, n % 2 = 0 AS even, 'ü' || n AS text, n::text::bytea AS bytes FROM generate_series(1, 500) AS n WHERE n > $1",
          values: [3],
          binary: true,
        } as QueryConfig),
      ),
    ]);
    expect(result?.rows).toHaveLength(497);
    expect(result?.rows[0]).toMatchObject({ n: 4, even: true, text: 'ü4', bytes: '4' });
  });

  it('prepares by name once, and executes many times', async () => {
    const results = await both(async (client) => {
      const rows: unknown[] = [];
      for (let n = 0; n < 20; n += 1) {
        const query = { name: 'square "it"', text: 'SELECT $1::int * $1::int AS square', values: [n] };
        rows.push((await client.query(query)).rows[0]);
      }
      return rows;
    });
    expect(results.at(-1)).toEqual({ square: 361 });
    expect(await path.statements()).toEqual(['SELECT $1::int * $1::int AS square']);
    expect((await path.lastRecording()).filter(([type]) => type === 'i').at(-1)).toEqual([
      'i',
      `\\bind_named 'square "it"' '19'`,
    ]);
  });

  it('has transactions fail, roll back to savepoints, and commit', async () => {
    const seen = await both(async (client) => {
      await client.query('CREATE TABLE IF NOT EXISTS accounts (id int PRIMARY KEY, n int)');
      await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
      await client.query('INSERT INTO accounts VALUES ($1, $2)', [1, 10]);
      await client.query('SAVEPOINT a');
      const twice = await refusalOf(client.query('INSERT INTO accounts VALUES ($1, $2)', [1, 11]));
      const after = await refusalOf(client.query('SELECT 1'));
      await client.query('ROLLBACK TO a');
      await client.query('COMMIT');
      await client.query('BEGIN');
      await client.query('DELETE FROM accounts');
      const failed = await refusalOf(client.query('SELECT 1/$1::int', [0]));
      const end = told(await client.query('COMMIT'));
      const { rows } = await client.query('TABLE accounts');
      return { twice, after, failed, end, rows };
    });
    expect(seen).toMatchObject({
      twice: { code: '23505', constraint: 'accounts_pkey', detail: 'Key (id)=(1) already exists.' },
      after: { code: '25P02' },
      failed: { code: '22012' },
      end: { command: 'ROLLBACK' },
      rows: [{ id: 1, n: 10 }],
    });
  });

  it('pipelines, with failures among them', async () => {
    const outcomes = await both(
      async (client) => {
        const queries = Array.from({ length: 300 }, (_, n) =>
          n % 3 === 0
            ? client.query({ name: `q${n % 9}`, text: `SELECT ${n % 9} + $1::int AS sum`, values: [n] })
            : client.query('SELECT 100 / ($1::int % 7) AS part', [n]),
        );
        const settled = await Promise.allSettled(queries);
        return settled.map((one) => (one.status === 'fulfilled' ? one.value.rows[0] : one.reason.code));
      },
      { pipeline: true },
    );
    expect(outcomes.slice(0, 8)).toEqual([
      { sum: 0 },
      { part: 100 },
      { part: 50 },
      { sum: 6 },
      { part: 25 },
      { part: 20 },
      { sum: 12 },
      '22012',
    ]);
    expect(outcomes).toHaveLength(300);
  });

  it('takes a result in pieces of a portal', async () => {
    const rows = await both(async (client) => {
      const query = {
        text: 'SELECT n FROM generate_series(1, 1000) AS n WHERE n > $1',
        values: [5],
        rows: 7,
      };
      return (await client.query<{ n: number }>(query as QueryConfig)).rows;
    });
    expect(rows).toHaveLength(995);
    const tags = (await path.lastRecording()).filter(([type]) => type === 'o').map(([, text]) => text);
    expect(tags.join('')).toMatch(/^n\n6\n7\n/);
  });

  it('keeps cursors, prepared statements and temporary tables of SQL', async () => {
    const seen = await both(async (client) => {
      await client.query('BEGIN');
      await client.query('DECLARE c SCROLL CURSOR FOR SELECT generate_series(1, 100) AS n');
      const forward = await client.query('FETCH 3 FROM c');
      const backward = await client.query('FETCH BACKWARD 2 FROM c');
      await client.query('COMMIT');
      await client.query('PREPARE p (text) AS SELECT upper($1) AS upper');
      const executed = await client.query("EXECUTE p('abc')");
      return [forward.rows, backward.rows, executed.rows, await refusalOf(client.query('FETCH 1 FROM c'))];
    });
    expect(seen).toMatchObject([
      [{ n: 1 }, { n: 2 }, { n: 3 }],
      [{ n: 2 }, { n: 1 }],
      [{ upper: 'ABC' }],
      { code: '34000' },
    ]);
  });

  it('hears notifications of another client, and notices', async () => {
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

  it('comes with a token or an API key as password, and is the same person', async () => {
    const made = await path.gateway.call('admin', 'POST', '/api-keys', { name: 'nightly' });
    expect(made.status).toBe(201);
    const passwords = [
      ['admin', await path.gateway.token('admin'), 'user'],
      ['whoever', made.body.key as string, 'machine'],
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

  it('ends its session when it ends, and says what became of the session', async () => {
    await withClient(path.through, (client) => client.query('SELECT 1'));
    const id = await path.lastSession();
    await eventually('it is read', async () => (await path.read(id)).body.status === 'done');
    expect((await path.read(id)).body).toMatchObject({ status: 'done', exit_code: 0, type: 'database' });
  });
});

/** Of a result, what the server told; numbers of its own (of tables) left out. */
function told({ command, rowCount, rows, fields }: QueryResult) {
  return {
    command,
    rowCount,
    rows,
    fields: fields.map(({ name, dataTypeID, format }) => [name, dataTypeID, format]),
  };
}

/** What a client was told of an error; which line of the server's source says so is left out. */
async function refusalOf(query: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await query;
  } catch (error) {
    const { code, message, detail, hint, position, constraint, severity, where } = error as Record<
      string,
      unknown
    >;
    return { code, message, detail, hint, position, constraint, severity, where };
  }
  throw new Error('it did not fail');
}

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** COPY by the messages of the driver's own connection. */
function copy(
  client: Client,
  text: string,
  lines: readonly string[],
): Promise<{ tag: string; data: string }> {
  return new Promise((resolve, reject) => {
    let tag = '';
    const data: Buffer[] = [];
    client.query({
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => {
        for (const line of lines) connection.sendCopyFromChunk(Buffer.from(line));
        connection.endCopyFrom();
      },
      handleCopyData: ({ chunk }: { chunk: Buffer }) => data.push(Buffer.from(chunk)),
      handleCommandComplete: (message: { text: string }) => (tag = message.text),
      handleReadyForQuery: () => resolve({ tag, data: Buffer.concat(data).toString() }),
      handleError: reject,
    } as never);
  });
}
