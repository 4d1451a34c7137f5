import { Client, type ClientConfig, type QueryConfig, type QueryResult } from 'pg';
import { describeWirePath } from '../../support/describe';
import { refusalOf, told } from '../../support/pg-results';

jest.setTimeout(480_000);

// promises: PROXY-1
describeWirePath('node-postgres through the gateway, beside node-postgres without it', ({ path }) => {
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
});
