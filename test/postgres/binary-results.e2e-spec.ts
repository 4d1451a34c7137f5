import { describeGuardedPath } from '../support/describe';
import { type GuardedClient, blockWord, entries } from '../support/guarded-path';
import { TypeCatalog } from '../../src/proxies/postgres/binary/type-catalog';
import { freePort } from '../support/free-port';
import { secretOf } from '../support/target';
import { WireClient } from '../support/wire-client';
import * as wire from '../support/wire-messages';

const CARD = '4111111111111111';
const cards = (action: 'mask' | 'block') => ({
  output: entries({
    type: 'detector',
    detectors: ['payment_card'],
    message: 'A card.',
    ...(action === 'mask' && { action, keep_last: 4 }),
  }),
});

/** Values by type: one that contains a card number, and a harmless one. */
const HOLDERS: Readonly<Record<string, [holding: string, harmless: string]>> = {
  int8: [`${CARD}::int8`, '17::int8'],
  numeric: [`${CARD}::numeric`, '17.50::numeric'],
  'a scaled numeric': [`'${CARD}.00'::numeric(20, 2)`, `'NaN'::numeric`],
  text: [`'${CARD}'::text`, `'none'::text`],
  jsonb: [`'{"card": ${CARD}}'::jsonb`, `'{"card": null}'::jsonb`],
  json: [`'{"card": "${CARD}"}'::json`, `'{}'::json`],
  'an array of numeric': [`ARRAY[1, ${CARD}]::numeric[]`, 'ARRAY[1, NULL]::numeric[]'],
  'an array of int8': [`ARRAY[1, ${CARD}]::int8[]`, 'ARRAY[]::int8[]'],
  'a record': [`ROW(1, ${CARD}::numeric, 'x')`, `ROW(1, 2::numeric, 'x')`],
  'a composite': [`ROW('a', ${CARD})::holder`, `ROW('a', NULL)::holder`],
  'an array of composites': [`ARRAY[ROW('a', ${CARD})::holder]`, 'ARRAY[]::holder[]'],
  'a domain': [`${CARD}::card`, '3::card'],
  'an array of a domain': [`ARRAY[${CARD}]::card[]`, 'ARRAY[3]::card[]'],
  'a range': [`numrange(1, ${CARD})`, 'numrange(1, 2)'],
  'a multirange': [`int8multirange(int8range(1, ${CARD}))`, `'{}'::int8multirange`],
  hstore: [`'card => ${CARD}'::hstore`, `'card => 1'::hstore`],
  bytea: [`'${CARD}'::bytea`, `'\\x00ff'::bytea`],
  'an enum': [`'${CARD}'::kind`, `'other'::kind`],
  float8: [`${CARD}::float8`, '1.5::float8'],
};
/** Types whose masked values have a text form but no binary form. */
const NEEDS_TEXT = new Set(['a record', 'hstore']);
const TEXT_LIKE = new Set(['text', 'json', 'jsonb', 'an enum']);

describeGuardedPath('binary results under rules', ({ path }) => {
  let masking: GuardedClient;
  let blocking: GuardedClient;

  beforeAll(async () => {
    await path.target.query(`
      CREATE EXTENSION hstore; CREATE EXTENSION cube;
      CREATE DOMAIN card AS numeric(20);
      CREATE TYPE holder AS (name text, number card);
      CREATE TYPE kind AS ENUM ('${CARD}', 'other');
      CREATE TABLE cards (id int, number numeric);
      INSERT INTO cards VALUES (1, ${CARD});
      CREATE TABLE taken (id int8, number numeric, list int8[]);
    `);
    masking = await path.under(cards('mask'));
    blocking = await path.under(cards('block'));
  });

  /** Runs a statement with its result in binary form. Returns the rows and the error. */
  async function ask(client: WireClient, sql: string, isDescribed: boolean): Promise<string[]> {
    const answers = await client.ask(
      wire.parse(sql),
      wire.bind([], { results: [1] }),
      ...(isDescribed ? [wire.describePortal()] : []),
      wire.execute(),
      wire.SYNC,
    );
    expect(answers.at(-1)).toBe('Z I');
    return answers.filter((line) => /^[DET]/.test(line));
  }

  it.each(Object.entries(HOLDERS))(
    'find a card number in %s, described or not',
    async (name, [holding, harmless]) => {
      const direct = await WireClient.direct(path.target);
      for (const isDescribed of [true, false]) {
        const seen = await ask(direct, `SELECT ${harmless} AS v`, isDescribed);
        expect(await ask(blocking.client, `SELECT ${harmless} AS v`, isDescribed)).toEqual(seen);
        expect(await ask(masking.client, `SELECT ${harmless} AS v`, isDescribed)).toEqual(seen);
        const blocked = await ask(blocking.client, `SELECT ${holding} AS v`, isDescribed);
        expect(blocked.filter((line) => !line.startsWith('T'))).toEqual(['E 42501 A card.']);
        const masked = (await ask(masking.client, `SELECT ${holding} AS v`, isDescribed)).filter(
          (line) => !line.startsWith('T'),
        );
        if (TEXT_LIKE.has(name)) expect(masked).toEqual([expect.stringMatching(/^D .*\*\*\*\*1111/)]);
        else
          expect(masked).toEqual([
            expect.stringMatching(
              NEEDS_TEXT.has(name)
                ? /^E 42501 Column "v" of type .* cannot be delivered in binary form, .* ask for it as text\.$/
                : /^E 42501 Column "v" of type .* cannot be delivered, .* cast it to text in the statement\.$/,
            ),
          ]);
      }
      direct.close();
    },
  );

  it.each([
    [
      'a statement that SQL prepared',
      [wire.query(`PREPARE one AS SELECT ${CARD}::numeric`)],
      { statement: 'one' },
    ],
    [
      'a statement described before',
      [wire.parse(`SELECT ${CARD}::numeric`, 'one'), wire.describeStatement('one'), wire.SYNC],
      { statement: 'one' },
    ],
    [
      'a portal that is resumed',
      [
        wire.parse(
          `SELECT CASE n WHEN 5 THEN ${CARD} ELSE n END::numeric FROM generate_series(1, 9) AS n`,
          'one',
        ),
        wire.SYNC,
      ],
      { statement: 'one' },
    ],
  ])('are read where they come from %s', async (_, before, options) => {
    const { client } = await path.under(cards('block'));
    for (const message of before.slice(0, -1)) client.send(message);
    const last = before.at(-1);
    if (last !== undefined) await client.ask(last);
    const all = await client.ask(
      wire.bind([], { ...options, results: [1] }),
      ...Array.from({ length: 4 }, () => wire.execute('', 3)),
      wire.SYNC,
    );
    expect(all).toContain('E 42501 A card.');
    expect(all.at(-1)).toBe('Z I');
  });

  it('are read from a cursor that is binary', async () => {
    const { client } = await path.under(cards('block'));
    await client.ask(wire.query(`BEGIN; DECLARE c BINARY CURSOR FOR SELECT ${CARD}::numeric`));
    expect(await client.ask(wire.query('FETCH ALL FROM c'))).toContain('E 42501 A card.');
  });

  it('follow an unanswered Describe as drivers pipeline it, and one that fails', async () => {
    const { client } = blocking;
    const sql = wire.parse(`SELECT ${CARD}::numeric`, 'piped');
    const answers = await client.ask(
      sql,
      wire.describeStatement('piped'),
      wire.bind([], { statement: 'piped', results: [1] }),
      wire.execute(),
      wire.SYNC,
    );
    expect(answers).toEqual(['1', 't', 'T numeric', '2', 'E 42501 A card.', 'Z I']);
    const missing = await client.ask(
      wire.bind([], { statement: 'nothing', results: [1] }),
      wire.execute(),
      wire.SYNC,
    );
    expect(missing).toEqual([expect.stringMatching(/^E 26000/), 'Z I']);
    expect(await client.ask(wire.execute('nothing'), wire.SYNC)).toEqual([
      expect.stringMatching(/^E 34000/),
      'Z I',
    ]);
  });

  it('change nothing for results that no rule finds anything in', async () => {
    const direct = await WireClient.direct(path.target);
    const messages = (results: number[]) => [
      wire.parse(
        'SELECT n, n::numeric / 7, ARRAY[n], now() > now(), NULL::int8 FROM generate_series(1, 2000) AS n',
      ),
      wire.bind([], { results }),
      wire.execute('', 700),
      wire.execute('', 700),
      wire.execute(),
      wire.SYNC,
    ];
    for (const results of [[1], [0, 1, 1, 0, 1]]) {
      const seen = await direct.send(...messages(results)).until('Z');
      expect(await blocking.client.send(...messages(results)).until('Z')).toEqual(seen);
    }
    direct.close();
  });

  it('of an unreadable type are refused with its name and what to do, and delivered as text', async () => {
    for (const { client } of [blocking, masking]) {
      expect((await ask(client, "SELECT '(1,2)'::cube AS place", true)).at(-1)).toBe(
        'E 42501 Column "place" of type cube cannot be delivered in binary form, because the gateway does not know the binary form of that type; ask for it as text.',
      );
      expect(await client.ask(wire.query("SELECT '(1,2)'::cube AS place"))).toContain('D (1, 2)');
    }
    const { client: free } = await path.under({});
    expect((await ask(free, "SELECT '(1,2)'::cube AS place", true)).map((line) => line[0])).toEqual([
      'T',
      'D',
    ]);
  });

  describe('of a type that the open transaction made', () => {
    // Each session has types of its own, because creating a type waits for
    // another session's uncommitted type of that name.
    const make = wire.query(`
      BEGIN; CREATE DOMAIN pg_temp.card AS numeric(20); CREATE TYPE pg_temp.kind AS ENUM ('${CARD}', 'other');
      CREATE TYPE pg_temp.holder AS (name text, number pg_temp.card); CREATE TYPE pg_temp.cards AS RANGE (subtype = pg_temp.card)`);
    const values: Readonly<Record<string, [holding: string, harmless: string]>> = {
      'an enum': [`'${CARD}'::pg_temp.kind`, `'other'::pg_temp.kind`],
      'a domain': [`${CARD}::pg_temp.card`, '3::pg_temp.card'],
      'an array of a domain': [`ARRAY[${CARD}]::pg_temp.card[]`, 'ARRAY[3]::pg_temp.card[]'],
      'a composite': [`ROW('a', ${CARD})::pg_temp.holder`, `ROW('a', 3)::pg_temp.holder`],
      'a range': [`pg_temp.cards(1, ${CARD})`, 'pg_temp.cards(1, 2)'],
      'a multirange': [
        `pg_temp.cards_multirange(pg_temp.cards(1, ${CARD}))`,
        'pg_temp.cards_multirange(pg_temp.cards(1, 2))',
      ],
      'a record': [`ROW('a', ${CARD}::pg_temp.card)`, `ROW('a', 3::pg_temp.card)`],
    };
    let client: WireClient;
    let direct: WireClient;

    beforeAll(async () => {
      ({ client } = await path.under(cards('block')));
      direct = await WireClient.direct(path.target);
    });

    beforeEach(async () => {
      for (const one of [client, direct]) await one.ask(make);
    });

    afterEach(async () => {
      for (const one of [client, direct]) await one.ask(wire.query('ROLLBACK'));
    });

    afterAll(() => direct.close());

    const run = (sql: string) => [
      wire.parse(sql),
      wire.bind([], { results: [1] }),
      wire.describePortal(),
      wire.execute(),
    ];
    /**
     * Returns the answers to both clients, without row descriptions, because the ids of their types differ.
     */
    const both = async (...messages: Buffer[]): Promise<[string[], string[]]> => {
      const told = async (one: WireClient): Promise<string[]> =>
        (await one.ask(...messages)).map((line) => (line.startsWith('T') ? 'T' : line));
      return [await told(client), await told(direct)];
    };

    it.each(Object.entries(values))(
      '%s is found, and delivered where it holds nothing: described before, in the same pipeline, or not',
      async (name, [holding, harmless]) => {
        for (const messages of [
          run(`SELECT ${harmless} AS v`),
          run(`SELECT ${harmless} AS v`).filter((_, index) => index !== 2),
        ]) {
          const [seen, expected] = await both(...messages, wire.SYNC);
          if (name === 'an enum' || name === 'a domain') expect(seen).toEqual(expected);
          expect(seen.map((line) => line[0])).toEqual(expected.map((line) => line[0]));
        }
        expect((await client.ask(...run(`SELECT ${holding} AS v`), wire.SYNC)).slice(-2)).toEqual([
          'E 42501 A card.',
          'Z T',
        ]);
      },
    );

    it('is queried again after more types were created, also after an error in a subtransaction', async () => {
      for (const one of [client, direct]) {
        await one.ask(...run(`SELECT 'other'::pg_temp.kind AS v`), wire.SYNC);
        await one.ask(wire.query('SAVEPOINT one; CREATE DOMAIN pg_temp.later AS int'));
        // After the error, the server skips all messages, including the gateway's own query about types.
        await one.ask(...run('SELECT 1 / 0'), ...run('SELECT 3::pg_temp.later'), wire.SYNC);
        await one.ask(wire.query('ROLLBACK TO one; CREATE DOMAIN pg_temp.later AS int'));
      }
      const [seen, expected] = await both(...run('SELECT 3::pg_temp.later AS v'), wire.SYNC);
      expect(seen).toEqual(expected);
    });

    it('is read out of COPY in binary form, in either protocol', async () => {
      const copy = (value: string) => `COPY (SELECT ${value}) TO STDOUT (FORMAT binary)`;
      for (const ask of [
        (sql: string) => [wire.query(sql)],
        (sql: string) => [wire.parse(sql), wire.bind(), wire.execute(), wire.SYNC],
      ]) {
        expect((await client.ask(...ask(copy(`ARRAY[${CARD}]::pg_temp.card[]`)))).slice(-2)).toEqual([
          'E 42501 A card.',
          'Z T',
        ]);
        for (const one of [client, direct]) {
          await one.ask(wire.query('ROLLBACK'));
          await one.ask(make);
        }
        const [seen, expected] = await both(...ask(copy('3::pg_temp.card')));
        expect(seen).toEqual(expected);
      }
    });

    it('is judged as a parameter by the text of its value', async () => {
      const { client: judged } = await path.under({
        input: entries({ type: 'pattern_match', pattern_regex: `^\\{${CARD}\\}$`, message: 'No cards.' }),
      });
      await judged.ask(make);
      const [told] = (await judged.ask(wire.query("SELECT 'pg_temp.card'::regtype::oid"))).filter((line) =>
        line.startsWith('D'),
      );
      const element = Buffer.alloc(4);
      element.writeUInt32BE(Number(told?.slice(2)));
      const array = Buffer.concat([
        Buffer.from('0000000100000000', 'hex'),
        element,
        Buffer.from('0000000100000001000000100004000300000000100f045704570457', 'hex'),
      ]);
      const answers = await judged.ask(
        wire.parse('SELECT length($1::pg_temp.card[]::text)'),
        wire.bind([array], { formats: [1] }),
        wire.execute(),
        wire.SYNC,
      );
      expect(answers.slice(-2)).toEqual(['E 42501 No cards.', 'Z E']);
    });

    it('does not keep a client from ending a transaction that failed', async () => {
      const [seen, expected] = await both(...run('SELECT 1 / 0'), wire.SYNC);
      expect(seen).toEqual(expected);
      const [ended, endedDirectly] = await both(...run('ROLLBACK'), wire.SYNC);
      expect(ended).toEqual(endedDirectly);
      expect(ended.slice(-2)).toEqual(['C ROLLBACK', 'Z I']);
    });

    it('comes from the catalog, not from a replacement by the client', async () => {
      await client.ask(
        wire.query(`
          CREATE TEMP TABLE pg_type (LIKE pg_catalog.pg_type);
          CREATE SCHEMA evil; CREATE FUNCTION evil.never(int, int) RETURNS bool LANGUAGE sql AS 'SELECT false';
          CREATE OPERATOR evil.<= (LEFTARG = int, RIGHTARG = int, FUNCTION = evil.never);
          SET LOCAL search_path = pg_temp, evil, pg_catalog`),
      );
      expect((await client.ask(...run(`SELECT ${CARD}::pg_temp.card AS v`), wire.SYNC)).slice(-2)).toEqual([
        'E 42501 A card.',
        'Z T',
      ]);
    });
  });

  it('of a type that a function made are refused until it is committed, and delivered afterwards', async () => {
    const { client } = await path.under(cards('block'));
    await path.target.query(
      `CREATE FUNCTION make() RETURNS void LANGUAGE plpgsql AS $$BEGIN EXECUTE 'CREATE TYPE unseen AS ENUM (''a'')'; END$$`,
    );
    await client.ask(wire.query('BEGIN; SELECT make()'));
    const sql = wire.parse("SELECT 'a'::unseen AS v");
    const rest = [wire.bind([], { results: [1] }), wire.execute(), wire.SYNC];
    expect((await client.ask(sql, ...rest)).join()).toMatch(
      /E 42501 Column "v" cannot .* ask for it as text/,
    );
    await client.ask(wire.query('COMMIT'));
    expect(await client.ask(sql, ...rest)).toContain('D a');
  });

  it('do not reveal forbidden text by a column name', async () => {
    const { client } = masking;
    const answers = await ask(client, `SELECT '(1,2)'::cube AS "${CARD}"`, false);
    expect(answers.join()).toMatch(/E 42501 Column 1 cannot be delivered/);
    expect(answers.join()).not.toContain(CARD);
  });

  it('of a type that the target does not describe, or not in time, are refused with that reason', async () => {
    const { client } = await path.under(cards('block'));
    await path.target.query("CREATE TYPE slow AS ENUM ('a')");
    const other = await WireClient.direct(path.target);
    // Locks pg_range, so that the gateway's query about types has to wait.
    await other.ask(wire.query('BEGIN; LOCK TABLE pg_catalog.pg_range IN ACCESS EXCLUSIVE MODE'));
    expect((await ask(client, "SELECT 'a'::slow AS v", true)).at(-1)).toMatch(
      /^E 42501 Column "v" cannot be delivered in binary form, because the target took too long to describe its type \(\d+\); ask for it as text\.$/,
    );
    await other.ask(wire.query('ROLLBACK'));
    other.close();
    expect(await ask(client, "SELECT 'a'::slow AS v", true)).toContain('D a');
    const closed = { ...secretOf(path.target), PORT: String(await freePort()) };
    const types = new TypeCatalog().forSession(closed);
    expect(await types.learn(99_999)).toBe('failed');
    expect(await types.generatedColumns(99_999)).toBeUndefined();
  });

  describe('as parameters', () => {
    const rules = {
      input: entries({ type: 'pattern_match', pattern_regex: `\\b${CARD}\\b`, message: 'No cards.' }),
    };
    const int8 = Buffer.alloc(8);
    int8.writeBigInt64BE(BigInt(CARD));
    const numeric = Buffer.from('0004000300000000100f045704570457', 'hex');

    it.each([
      ['int8', [int8]],
      ['numeric', [numeric]],
      [
        'int8[]',
        [Buffer.concat([Buffer.from('000000010000000000000014000000010000000100000008', 'hex'), int8])],
      ],
      ['card', [numeric]],
      ['text', [Buffer.from(CARD)]],
    ])('of type %s they are judged as the same value in text', async (type, values) => {
      const { client } = await path.under(rules);
      const parse = wire.parse(`SELECT ($1::${type})::text`, 'one');
      const bind = wire.bind(values, { statement: 'one', formats: [1] });
      const end = [wire.execute(), wire.SYNC];
      // Runs the statement without a Describe, with a Describe in its pipeline, and after an earlier
      // Describe.
      expect(await client.ask(parse, bind, ...end)).toEqual(['1', 'E 42501 No cards.', 'Z I']);
      expect(
        (
          await client.ask(wire.closeStatement('one'), parse, wire.describeStatement('one'), bind, ...end)
        ).slice(-2),
      ).toEqual(['E 42501 No cards.', 'Z I']);
      await client.ask(parse, wire.describeStatement('one'), wire.SYNC);
      expect(await client.ask(bind, ...end)).toEqual(['E 42501 No cards.', 'Z I']);
      await client.ask(wire.query(`PREPARE two AS SELECT ($1::${type})::text`));
      const other = wire.bind(values, { statement: 'two', formats: [1] });
      expect(await client.ask(other, ...end)).toEqual(['E 42501 No cards.', 'Z I']);
    });

    it('their types are queried even if the Bind waits for something else first', async () => {
      const { client } = await path.under(rules);
      const answers = await client.ask(
        wire.query('SELECT pg_sleep(0.2); RESET ALL'),
        wire.parse('SELECT length($1::bytea)'),
        wire.bind([Buffer.from('ü')], { formats: [1] }),
        wire.execute(),
        wire.SYNC,
      );
      expect([...answers, ...(await client.ready())].slice(-5)).toEqual([
        '1',
        '2',
        'D 2',
        'C SELECT 1',
        'Z I',
      ]);
    });

    it('they pass without a match, and failures are as without a gateway', async () => {
      const { client } = await path.under(rules);
      const direct = await WireClient.direct(path.target);
      const four = Buffer.from([0, 0, 0, 4]);
      for (const messages of [
        [wire.parse('SELECT $1::int4 + 1'), wire.bind([four], { formats: [1] }), wire.execute()],
        [wire.parse('SELECT $1::int8 + 1'), wire.bind([four], { formats: [1] }), wire.execute()],
        [wire.parse('SELECT broken'), wire.bind([four], { formats: [1] }), wire.execute()],
        [wire.bind([four], { formats: [1], statement: 'missing' }), wire.execute()],
        [wire.parse('SELECT 1'), wire.bind([four], { formats: [1] }), wire.execute()],
      ])
        expect(await client.ask(...messages, wire.SYNC)).toEqual(await direct.ask(...messages, wire.SYNC));
      direct.close();
    });
  });

  it('runs nothing in the session but its own statements', async () => {
    const { client } = await path.under({ output: blockWord('nothing-of-this', 'No.') });
    const answers = await client.ask(
      wire.query('BEGIN'),
      wire.parse("SELECT ROW('a', 1)::holder"),
      wire.bind([], { results: [1] }),
      wire.execute(),
      wire.SYNC,
    );
    expect(answers).toEqual(['C BEGIN', 'Z T']);
    expect((await client.ready()).at(-1)).toBe('Z T');
    // Begins a new transaction, because this setting can be changed only before a transaction's first query.
    await client.ask(wire.query('ROLLBACK'));
    await client.ask(wire.query('BEGIN'));
    expect(await client.ask(wire.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE'))).toEqual([
      'C SET',
      'Z T',
    ]);
    expect(await client.ask(wire.query('SELECT count(*) FROM pg_prepared_statements'))).toContain('D 0');
  });
});
