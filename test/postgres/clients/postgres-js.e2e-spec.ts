import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import postgres, { type Options, type Sql } from 'postgres';
import { describeWirePath } from '../../support/describe';
import { DENIED, type Way } from '../../support/wire-path';

jest.setTimeout(480_000);

type Types = Record<string, postgres.PostgresType>;

describeWirePath('postgres (the package) through the gateway, beside it without', ({ path }) => {
  const withSql = async <T>(
    way: Way,
    options: Options<Types>,
    work: (sql: Sql) => Promise<T>,
  ): Promise<T> => {
    const { user, ...rest } = way;
    const sql = postgres({
      ...rest,
      username: user,
      max: 1,
      onnotice: () => undefined,
      ...options,
    } as Options<Types>);
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const both = <T>(work: (sql: Sql) => Promise<T>, options: Options<Types> = {}): Promise<T> =>
    path.both((way) => withSql(way, options, work));

  it.each([true, false])('binds values of tagged queries (prepare %s)', async (prepare) => {
    const seen = await both(
      async (sql) => {
        // Runs a first query, with which the driver also queries the types of arrays.
        await sql`SELECT 1`;
        const rows = await sql`
          SELECT ${7}::int AS i, ${'ü 😀'}::text AS t, ${null}::text AS n, ${new Date(0)}::timestamptz AS d,
            ${sql.json({ a: [1] })}::jsonb AS j, ${sql.array(['a', 'b"'])}::text[] AS l, ${Buffer.from([0, 255])}::bytea AS y`;
        await sql`CREATE TEMP TABLE made (id int, name text)`;
        await sql`INSERT INTO made ${sql([
          { id: 1, name: 'a' },
          { id: 2, name: 'b' },
        ])}`;
        await sql`UPDATE made SET ${sql({ name: 'c' })} WHERE id IN ${sql([2, 3])}`;
        const made = await sql`SELECT ${sql(['id', 'name'])} FROM made ORDER BY id`;
        const described = await sql`SELECT * FROM made WHERE id = ${1}`.describe();
        return {
          rows: [...rows],
          made: [...made],
          types: described.types,
          names: described.columns.map(({ name }) => name),
        };
      },
      { prepare },
    );
    expect(seen).toMatchObject({
      rows: [
        { i: 7, t: 'ü 😀', n: null, d: new Date(0), j: { a: [1] }, l: ['a', 'b"'], y: Buffer.from([0, 255]) },
      ],
      made: [
        { id: 1, name: 'a' },
        { id: 2, name: 'c' },
      ],
      types: [23],
      names: ['id', 'name'],
    });
  });

  it('runs several statements at once, and files of them', async () => {
    const results = await both(async (sql) =>
      (await sql`SELECT 1 AS a; SELECT 'ü' AS b; SELECT 3 AS c WHERE false`.simple()).map((rows) => [
        ...(rows as never),
      ]),
    );
    expect(results).toEqual([[{ a: 1 }], [{ b: 'ü' }], []]);
  });

  it('has transactions, savepoints and failures in them', async () => {
    const seen = await both(async (sql) => {
      await sql`CREATE TEMP TABLE kept (id int PRIMARY KEY)`;
      const failed = await codeOf(
        sql.begin(async (inside) => {
          await inside`INSERT INTO kept VALUES (1)`;
          await inside`INSERT INTO kept VALUES (1)`;
        }),
      );
      await sql.begin('isolation level serializable', async (inside) => {
        await inside`INSERT INTO kept VALUES (2)`;
        await codeOf(
          inside.savepoint(async (deeper) => {
            await deeper`INSERT INTO kept VALUES (3)`;
            await deeper`SELECT 1/${0}::int`;
          }),
        );
        await inside`INSERT INTO kept VALUES (4)`;
      });
      return { failed, kept: [...(await sql`SELECT id FROM kept ORDER BY id`)] };
    });
    expect(seen).toEqual({ failed: '23505', kept: [{ id: 2 }, { id: 4 }] });
  });

  it('pipelines, in transactions too', async () => {
    const outcomes = await both(async (sql) => {
      const apart = await Promise.allSettled(
        Array.from({ length: 200 }, (_, n) => sql`SELECT 60 / ${n % 7}::int AS part, ${n}::int AS n`),
      );
      const together = await sql.begin((inside) => [inside`SELECT 1 AS a`, inside`SELECT ${2}::int AS b`]);
      return [
        apart.map((one) => (one.status === 'fulfilled' ? one.value[0] : one.reason.code)),
        together.map((rows) => rows[0]),
      ];
    });
    expect(outcomes[0]?.slice(0, 3)).toEqual(['22012', { part: 60, n: 1 }, { part: 30, n: 2 }]);
    expect(outcomes[1]).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('reads by cursors and row by row', async () => {
    const sums = await both(async (sql) => {
      const sizes: number[] = [];
      await sql`SELECT generate_series(1, 1000) AS n`.cursor(300, (rows) => void sizes.push(rows.length));
      let sum = 0;
      await sql`SELECT generate_series(1, 1000) AS n`.forEach(({ n }) => (sum += Number(n)));
      for await (const [row] of sql`SELECT generate_series(1, 10) AS n`.cursor()) {
        sum += Number(row?.['n']);
        if (row?.['n'] === 3) break;
      }
      return { sizes, sum, after: [...(await sql`SELECT 'on' AS goes`)] };
    });
    expect(sums).toEqual({ sizes: [300, 300, 300, 100], sum: 500_506, after: [{ goes: 'on' }] });
  });

  it('copies in and out by streams', async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `${n}\trow ü ${n}\n`);
    const copied = await both(async (sql) => {
      await sql`CREATE TEMP TABLE copied (n int, name text)`;
      await pipeline(Readable.from(lines), await sql`COPY copied FROM STDIN`.writable());
      const count = [...(await sql`SELECT count(*)::int FROM copied`)];
      // This is the last query, because the driver runs none on a connection after its COPY stream has ended.
      const out = sql`COPY (SELECT * FROM copied ORDER BY n) TO STDOUT`;
      return { count, taken: await text(await out.readable()) };
    });
    expect(copied.taken).toBe(lines.join(''));
    expect(copied).toMatchObject({ count: [{ count: 30_000 }] });
  });

  it('listens and notifies', async () => {
    const heard = await both(async (sql) => {
      const received: string[] = [];
      let wake = (): void => undefined;
      const all = new Promise<void>((resolve) => (wake = resolve));
      await sql.listen('news', (payload) => {
        received.push(payload);
        if (received.length === 2) wake();
      });
      await sql.notify('news', 'erst');
      await sql.notify('news', 'größer');
      await all;
      return received;
    });
    expect(heard).toEqual(['erst', 'größer']);
  });

  it('gets the refusal, and answers for the rest of the pipeline', async () => {
    const outcomes = await withSql(path.through, {}, async (sql) => {
      await sql`SELECT 1`;
      const settled = await Promise.allSettled([
        sql`SELECT 'before' AS what`,
        sql`SELECT ${`a ${DENIED} value`}::text AS what`,
        sql`SELECT 'later' AS what`,
      ]);
      return settled.map((one) => (one.status === 'fulfilled' ? one.value[0]?.['what'] : one.reason.code));
    });
    expect(outcomes).toEqual(['before', '42501', 'later']);
  });

  it('speaks TLS', async () => {
    const { certificate } = path;
    if (certificate === undefined) return console.warn('skipped: openssl is not installed here');
    const ssl = { ca: certificate.cert };
    const rows = await withSql({ ...path.through, host: 'localhost' }, { ssl }, async (sql) => [
      ...(await sql`SELECT 'safe' AS what`),
    ]);
    expect(rows).toEqual([{ what: 'safe' }]);
    await expect(
      withSql(path.through, { ssl: 'verify-full' }, async (sql) => sql`SELECT 1`),
    ).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it did not fail',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
}
