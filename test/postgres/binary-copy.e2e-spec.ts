import { describeGuardedPath } from '../support/describe';
import { blockWord, entries, maskWord } from '../support/guarded-path';
import { eventually } from '../support/eventually';
import { WireClient, shown } from '../support/wire-client';
import * as wire from '../support/wire-messages';

const CARD = '4111111111111111';
const cards = entries({ type: 'detector', detectors: ['payment_card'], message: 'A card.' });
const harmless = blockWord('nothing-of-this', 'No.');
const UNKNOWN = expect.stringMatching(
  /^E 42501 The data of this COPY cannot be .* use the format text or csv\.$/,
);
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.of(255, 255);

function tuple(...values: readonly (Buffer | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(values.length);
  const cells = values.flatMap((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value?.length ?? -1);
    return value === null ? [length] : [length, value];
  });
  return Buffer.concat([count, ...cells]);
}

function int8(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

const NUMERIC_CARD = Buffer.from('0004000300000000100f045704570457', 'hex');

/** Sources of a COPY. In each of them, one column contains a card number. */
const SOURCES: Readonly<Record<string, string>> = {
  'a table': 'cards',
  'columns of a table': 'cards (id, number)',
  'columns in another order': 'cards (number, id)',
  'a table of a schema with an odd name': '"o d d"."T ""able"',
  'a table with generated columns': 'computed',
  'a query': `(SELECT 1::int AS id, ${CARD}::numeric AS number)`,
  'a query with quotes and parentheses': `(SELECT ')'::text, $$($$::text, /* ) */ ARRAY[${CARD}] AS "x)" FROM cards)`,
  'what a query returns': `(INSERT INTO cards VALUES (2, ${CARD}) RETURNING id, number)`,
  'a composite': '(SELECT holding FROM holdings)',
  'a partitioned table by its query': '(SELECT * FROM parts)',
};

describeGuardedPath('COPY in binary form under rules', ({ path }) => {
  let direct: WireClient;

  beforeAll(async () => {
    await path.target.query(`
      CREATE SCHEMA "o d d";
      CREATE DOMAIN card AS numeric(20);
      CREATE TYPE holder AS (name text, number card);
      CREATE TABLE cards (id int, number numeric);
      INSERT INTO cards VALUES (1, ${CARD});
      CREATE TABLE "o d d"."T ""able" ("a b" text, "c""d" int8);
      INSERT INTO "o d d"."T ""able" VALUES ('x', ${CARD});
      CREATE TABLE computed (a int GENERATED ALWAYS AS (1) STORED, b text, c int8 GENERATED ALWAYS AS (2) STORED, d int8);
      INSERT INTO computed VALUES (DEFAULT, 'b', DEFAULT, ${CARD});
      CREATE TABLE holdings (holding holder);
      INSERT INTO holdings VALUES (ROW('a', ${CARD}));
      CREATE TABLE parts (id int, number int8) PARTITION BY LIST (id);
      CREATE TABLE part PARTITION OF parts DEFAULT;
      INSERT INTO parts VALUES (1, ${CARD});
      CREATE TABLE taken (id int, number numeric, name text);
      CREATE TABLE many AS SELECT n AS id, n::numeric / 7 AS number, repeat('x', n) AS name,
        now() AS at, ARRAY[n, NULL] AS list, NULL::int8 AS none FROM generate_series(1, 500) AS n;
    `);
    direct = await WireClient.direct(path.target);
  });

  beforeEach(() => path.target.query('TRUNCATE taken'));

  afterAll(async () => {
    direct.close();
  });

  const extended = (sql: string) => [wire.parse(sql), wire.bind([]), wire.execute(), wire.SYNC];

  it.each(Object.entries(SOURCES))('out of %s is screened, in either protocol', async (_, source) => {
    const sql = `COPY ${source} TO STDOUT (FORMAT binary)`;
    const { client } = await path.under({ output: cards });
    for (const messages of [[wire.query(sql)], extended(sql)]) {
      const answers = await client.ask(...messages);
      expect(answers.slice(-2)).toEqual(['E 42501 A card.', 'Z I']);
      expect(answers.join('')).not.toMatch(/\nd .*[^?]/);
    }
    // Numbers in binary form cannot be masked, so the COPY is refused, and the refusal names the column.
    const { client: masking } = await path.under({
      output: entries({ type: 'detector', detectors: ['payment_card'], action: 'mask' }),
    });
    const masked = await masking.ask(wire.query(sql));
    expect(masked.slice(-2)).toEqual([
      expect.stringMatching(
        /^E 42501 Column ".*" of type .* has to be masked.*cast it to text in the statement\.$/,
      ),
      'Z I',
    ]);
    const { client: passing } = await path.under({ output: harmless });
    for (const messages of [[wire.query(sql)], extended(sql)]) {
      const seen = await direct.send(...messages).until('Z');
      expect(await passing.send(...messages).until('Z')).toEqual(seen);
    }
  });

  it('of temporary tables, by the search path, and in a transaction is read as its session sees it', async () => {
    const { client } = await path.under({ output: cards });
    await client.ask(wire.query('CREATE TEMPORARY TABLE cards (id int, number text)'));
    await client.ask(wire.query("INSERT INTO cards VALUES (1, 'harmless'), (2, NULL)"));
    const text = wire.query('COPY cards TO STDOUT (FORMAT binary)');
    expect((await client.ask(text)).map((line) => line[0])).toEqual(['H', 'd', 'd', 'd', 'c', 'C', 'Z']);
    await client.ask(wire.query('SET search_path = public, pg_temp'));
    expect((await client.ask(text)).slice(-2)).toEqual(['E 42501 A card.', 'Z I']);
    await client.ask(wire.query(`BEGIN; CREATE TABLE fresh (id int8); INSERT INTO fresh VALUES (${CARD})`));
    const fresh = await client.ask(wire.query('COPY fresh TO STDOUT (FORMAT binary)'));
    expect(fresh.slice(-2)).toEqual(['E 42501 A card.', 'Z T']);
    await client.ask(wire.query('ALTER TABLE fresh ALTER id TYPE text; UPDATE fresh SET id = 3'));
    const changed = await client.ask(wire.query('COPY fresh TO STDOUT (FORMAT binary)'));
    expect(changed.slice(-2)).toEqual(['C COPY 1', 'Z T']);
  });

  it('out is delivered masked where the type is made of text, also in the middle of a large result', async () => {
    const { client, session } = await path.under({ output: maskWord('canary') });
    const sql = `COPY (SELECT n, CASE n WHEN 77 THEN 'a canary' ELSE 'none' END AS v, NULL::int FROM generate_series(1, 100) AS n)
      TO STDOUT (FORMAT binary)`;
    const seen = (await direct.send(wire.query(sql)).until('Z')).map(({ type, body }) => [type, body]);
    const expected = seen.map(([type, body]) => {
      if (type !== 'd' || !body?.includes('canary')) return [type, body];
      return [type, tuple(Buffer.of(0, 0, 0, 77), Buffer.from('a ****'), null)];
    });
    const got = await client.send(wire.query(sql)).until('Z');
    const warning = got.filter(({ type }) => type === 'N').map(({ body }) => body.toString());
    expect(warning).toEqual([expect.stringContaining('1 match was masked')]);
    expect(got.filter(({ type }) => type !== 'N').map(({ type, body }) => [type, body])).toEqual(expected);
    const recorded = (await path.recording(await session())).filter(([type]) => type === 'o');
    expect(recorded.map(([, content]) => content).join('')).toContain('76\tnone\t\\N\n77\ta ****\t\\N\n78');
  });

  it('out of an empty table, of no columns, and of many rows changes nothing', async () => {
    await path.target.query('CREATE TABLE IF NOT EXISTS bare (); INSERT INTO bare DEFAULT VALUES');
    const { client } = await path.under({ output: harmless });
    for (const source of ['taken', 'bare', 'many', '(SELECT WHERE false)', '(VALUES (1), (NULL))']) {
      for (const messages of [
        [wire.query(`COPY ${source} TO STDOUT WITH BINARY`)],
        extended(`COPY ${source} TO STDOUT (FORMAT 'binary')`),
      ]) {
        const seen = await direct.send(...messages).until('Z');
        expect(await client.send(...messages).until('Z')).toEqual(seen);
      }
    }
  });

  it('that fails behaves as without a gateway, and the session continues', async () => {
    const { client } = await path.under({ output: harmless, input: harmless });
    const failing = [
      'COPY missing TO STDOUT (FORMAT binary)',
      'COPY cards (missing) TO STDOUT (FORMAT binary)',
      'COPY (SELECT missing FROM cards) TO STDOUT (FORMAT binary)',
      'COPY (SELECT 1 / (id - 1) FROM cards) TO STDOUT (FORMAT binary)',
      'COPY missing FROM STDIN (FORMAT binary)',
      'COPY parts TO STDOUT (FORMAT binary)',
    ];
    for (const sql of failing)
      for (const before of [[], [wire.query('BEGIN')]])
        for (const messages of [[wire.query(sql)], extended(sql)]) {
          for (const message of before) for (const one of [client, direct]) await one.ask(message);
          // `ask` omits the positions of errors, because they differ: the gateway sends a changed statement.
          const seen = await direct.ask(...messages);
          expect(await client.ask(...messages)).toEqual(seen);
          expect(await client.ask(wire.query('SELECT 1'))).toEqual(await direct.ask(wire.query('SELECT 1')));
          if (before.length > 0) for (const one of [client, direct]) await one.ask(wire.query('ROLLBACK'));
        }
  });

  it.each([
    ['none was bound', []],
    ['its transaction ended', [wire.bind([], { statement: 'copied' }), wire.execute(), wire.SYNC]],
    ['its transaction ended in a Query', [wire.bind([], { statement: 'copied' }), wire.query('SELECT 1')]],
  ])(
    'of a portal that is not there fails as it does without a gateway, in a failed transaction too: %s',
    async (_, before) => {
      const { client } = await path.under({ output: harmless });
      const answers = [];
      for (const one of [client, direct]) {
        one.send(wire.parse('COPY cards TO STDOUT (FORMAT binary)', 'copied'), wire.SYNC, ...before);
        one.send(wire.query('BEGIN'), wire.bind(['too', 'many'], { statement: 'copied' }), wire.SYNC);
        one.send(wire.execute(), wire.SYNC, wire.query('ROLLBACK'), wire.closeStatement('copied'), wire.SYNC);
        const seen: string[] = [];
        while (seen.filter((line) => line.startsWith('Z')).length < 6 + (before.length > 0 ? 1 : 0))
          seen.push(...(await one.ready()));
        answers.push(seen);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]).toContain('E 34000 portal "" does not exist');
    },
  );

  it('is screened anywhere in a pipeline', async () => {
    const { client } = await path.under({ output: cards });
    const copy = wire.query('COPY cards TO STDOUT (FORMAT binary)');
    const one = wire.query('SELECT 1');
    const all = [one, copy, one, wire.query('SELECT missing'), copy, wire.parse('SELECT 2'), wire.bind([])];
    for (const message of all) client.send(message);
    client.send(wire.execute(), wire.SYNC, one);
    const answers: string[] = [];
    for (let ready = 0; ready < 7; ready += 1) answers.push(...(await client.ready()));
    expect(answers.filter((line) => /^[EZ]/.test(line))).toEqual([
      'Z I',
      'E 42501 A card.',
      'Z I',
      'Z I',
      expect.stringMatching(/^E 42703/),
      'Z I',
      'E 42501 A card.',
      'Z I',
      'Z I',
      'Z I',
    ]);
    // After an error, everything up to the next Sync is skipped.
    client.send(wire.parse('SELECT missing'), copy, wire.SYNC, one);
    expect(
      [...(await client.ready()), ...(await client.ready())].filter((line) => /^[EZ]/.test(line)),
    ).toEqual([expect.stringMatching(/^E 42703/), 'Z I', 'Z I']);
  });

  it.each([
    ['DO', 'DO $$ BEGIN NULL; END $$'],
    ['a statement that makes a type', 'CREATE TEMP TABLE IF NOT EXISTS made_before (x int)'],
  ])(
    'sent together with %s before it is in no transaction of the gateway, and what it copies is kept',
    async (_, before) => {
      const { client } = await path.under({ output: harmless, input: harmless });
      const out = 'COPY cards TO STDOUT (FORMAT binary)';
      const into = 'COPY taken FROM STDIN (FORMAT binary)';
      const data = [tuple(Buffer.of(0, 0, 0, 1), null, null), TRAILER];
      const answers = [];
      for (const one of [client, direct]) {
        one.send(wire.query(before), wire.query(out), wire.query(before), wire.query(into));
        one.send(wire.copyData(Buffer.concat([SIGNATURE, ...data])), wire.COPY_DONE);
        const states: string[] = [];
        for (let ready = 0; ready < 4; ready += 1) states.push(...(await one.ready()));
        answers.push(states.filter((line) => /^[EZC]/.test(line)));
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.filter((line) => line.startsWith('Z'))).toEqual(Array(4).fill('Z I'));
      // Another session sees both rows.
      expect(await path.target.query('SELECT id FROM taken')).toEqual([{ id: 1 }, { id: 1 }]);
    },
  );

  it.each([
    ['a simple query', [wire.query('COPY cards TO STDOUT (FORMAT binary)')]],
    [
      'a Bind with values in binary form',
      [wire.bind([Buffer.of(1)], { formats: [1], statement: 'none' }), wire.SYNC],
    ],
  ])('whose data are broken by %s fails as without a gateway', async (_, messages) => {
    const { client } = await path.under({ output: harmless, input: harmless });
    const answers = [];
    // Uses a new direct connection for each case, because the server closes it after this error.
    for (const one of [client, await WireClient.direct(path.target)]) {
      one.send(wire.query('COPY taken FROM STDIN (FORMAT binary)'));
      await one.until('G');
      answers.push(await one.ask(...messages));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toMatch(/^E 08P01 unexpected message type/);
  });

  it('is refused if the types of its columns cannot be found out', async () => {
    const { client } = await path.under({ output: cards, input: harmless });
    for (const sql of [
      'SELECT 1; COPY cards TO STDOUT (FORMAT binary)',
      "COPY (SELECT '\\', number FROM cards) TO STDOUT (FORMAT binary)",
      String.raw`COPY cards TO STDOUT (FORMAT U&"bin\0061ry")`,
    ]) {
      const answers = await client.ask(wire.query(sql));
      expect(answers.slice(-2)).toEqual([UNKNOWN, 'Z I']);
    }
    client.send(wire.query('SELECT 1; COPY taken FROM STDIN (FORMAT binary)'));
    await client.until('G');
    client.send(wire.copyData(SIGNATURE), wire.COPY_DONE);
    expect(await client.ready()).toEqual([UNKNOWN, 'Z I']);
  });

  it('changes nothing in the session', async () => {
    const { client } = await path.under({ output: harmless, input: harmless });
    await client.ask(wire.parse('SELECT 7'), wire.SYNC);
    const answers = await client.ask(
      wire.parse('COPY cards TO STDOUT (FORMAT binary)', 'copied'),
      wire.bind([], { statement: 'copied' }),
      wire.execute(),
      wire.SYNC,
    );
    expect(answers.at(-2)).toMatch(/^C COPY \d+$/);
    expect(await client.ask(wire.bind([]), wire.execute(), wire.SYNC)).toContain('D 7');
    expect(
      await client.ask(wire.query("SELECT count(*) FROM pg_prepared_statements WHERE name <> 'copied'")),
    ).toContain('D 0');
  });

  describe('into a table', () => {
    const rules = {
      input: entries({
        type: 'pattern_match',
        pattern_regex: String.raw`\b4111\d{12}\b`,
        message: 'No cards.',
      }),
    };
    const rows: Readonly<Record<string, [sql: string, columns: (Buffer | null)[]]>> = {
      numeric: ['taken', [Buffer.of(0, 0, 0, 1), NUMERIC_CARD, null]],
      text: ['taken', [Buffer.of(0, 0, 0, 1), null, Buffer.from(CARD)]],
      'columns that are listed': ['taken (number, id)', [NUMERIC_CARD, null]],
      'columns beside generated ones': ['computed', [Buffer.from('b'), int8(BigInt(CARD))]],
      'a composite': [
        'holdings',
        [
          Buffer.concat([
            Buffer.from('0000000200000019ffffffff', 'hex'),
            Buffer.from('000006a400000010', 'hex'),
            NUMERIC_CARD,
          ]),
        ],
      ],
      'a partition by its parent': ['parts', [Buffer.of(0, 0, 0, 1), int8(BigInt(CARD))]],
    };
    const copyIn = async (
      client: WireClient,
      target: string,
      data: readonly Buffer[],
      isExtended = false,
    ) => {
      const sql = `COPY ${target} FROM STDIN (FORMAT binary)`;
      if (isExtended) client.send(wire.parse(sql), wire.bind([]), wire.execute());
      else client.send(wire.query(sql));
      if (isExtended) client.send(wire.FLUSH);
      await client.until('G');
      client.send(...data.map((bytes) => wire.copyData(bytes)), wire.COPY_DONE);
      if (isExtended) client.send(wire.SYNC);
      return (await client.ready()).filter((line) => /^[CEZ]/.test(line));
    };

    it.each(Object.entries(rows))('%s is judged as the same value in text', async (_, [target, columns]) => {
      const { client } = await path.under(rules);
      const data = Buffer.concat([SIGNATURE, tuple(...columns), TRAILER]);
      const cut = [...data].map((byte) => Buffer.of(byte));
      for (const isExtended of [false, true])
        for (const pieces of [[data], cut])
          expect(await copyIn(client, target, pieces, isExtended)).toEqual(['E 42501 No cards.', 'Z I']);
      const { client: passing } = await path.under({ input: harmless });
      expect(await copyIn(passing, target, cut, true)).toEqual(['C COPY 1', 'Z I']);
    });

    it('passes without a match, however it is split, also before the answer', async () => {
      const { client } = await path.under(rules);
      const small = tuple(Buffer.of(0, 0, 0, 9), null, Buffer.from('ü'));
      const data = Buffer.concat([SIGNATURE, ...Array.from({ length: 300 }, () => small), TRAILER]);
      const pieces: Buffer[] = [];
      for (let at = 0; at < data.length; at += 7) pieces.push(data.subarray(at, at + 7));
      expect(await copyIn(client, 'taken', pieces)).toEqual(['C COPY 300', 'Z I']);
      client.send(
        wire.query('COPY taken FROM STDIN (FORMAT binary)'),
        wire.copyData(data),
        wire.COPY_DONE,
        wire.query('SELECT count(*) FROM taken'),
      );
      expect([...(await client.ready()), ...(await client.ready())]).toEqual(
        expect.arrayContaining(['C COPY 300', 'D 600']),
      );
    });

    it('refuses data that are not in that form, as the server does', async () => {
      const { client } = await path.under(rules);
      for (const data of [
        Buffer.from('no signature at all'),
        Buffer.concat([SIGNATURE, tuple(null), TRAILER]),
        Buffer.concat([SIGNATURE, TRAILER, tuple(null, null, Buffer.from(CARD))]),
      ]) {
        const answers = await copyIn(client, 'taken', [data]);
        expect(answers).toEqual([expect.stringMatching(/^E (22P04|42501)/), 'Z I']);
      }
      expect(await path.target.query('SELECT * FROM taken')).toEqual([]);
    });

    it('records the data and the reason of the refusal', async () => {
      const { client, session } = await path.under(rules);
      const data = Buffer.concat([SIGNATURE, tuple(null, NUMERIC_CARD, null), TRAILER]);
      await copyIn(client, 'taken', [data]);
      const id = await session();
      const events = await eventually('it is recorded', async () => {
        const all = await path.recording(id);
        return all.length >= 3 && all;
      });
      expect(events.at(-1)).toEqual(['e', 'No cards.\n']);
      expect(events.map(([type]) => type)).toEqual(['i', 'i', 'e']);
    });
  });

  it('hides the answers to the gateway’s own queries', async () => {
    const { client } = await path.under({ output: harmless });
    const answers = shown(
      await client.send(wire.query('COPY (VALUES (1), (2)) TO STDOUT (FORMAT binary)')).until('Z'),
    );
    expect(answers.map((line) => line[0])).toEqual(['H', 'd', 'd', 'd', 'c', 'C', 'Z']);
  });
});
