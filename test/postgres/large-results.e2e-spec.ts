import { describeGuardedPath } from '../support/describe';
import { type GuardedClient, blockWord, entries, maskWord } from '../support/guarded-path';
import { volume } from '../support/volume';
import { type Said, type WireClient, cellsOf, fieldsOf, shown } from '../support/wire-client';
import * as wire from '../support/wire-messages';

const ADDRESS = 'a@a.com ';
const MASKED = '****.com ';
const ADDRESSES = 600_000;
/**
 * Number of times that a result repeats its text. `npm test` uses a quarter of the given number. That makes
 * one or two megabytes, which the gateway still processes in several pieces of 256 KiB.
 */
const times = (long: number): number => volume(long / 4, long);
const FEWER = times(ADDRESSES);

/**
 * Results and notices of megabytes in one message: exact at the client and in
 * the recording, without delays for other sessions.
 */
describeGuardedPath('a very large result', ({ path }) => {
  beforeAll(async () => {
    await path.target.query(
      "CREATE FUNCTION say(what text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE '%', what; RETURN 1; END $$",
    );
  });

  const maskAddresses = {
    output: entries({ type: 'detector', detectors: ['email'], action: 'mask', keep_last: 4 }),
  };
  const mask = { output: maskWord('canary') };
  const block = { output: blockWord('canary', 'Not for you.') };

  const answersTo = async (client: WireClient, ...messages: readonly Buffer[]): Promise<readonly Said[]> =>
    client.send(...messages).until('Z');
  const rowOf = (answers: readonly Said[]): (string | undefined)[] => {
    const rows = answers.filter(({ type }) => type === 'D');
    expect(rows).toHaveLength(1);
    return cellsOf(rows[0] as Said).map((value) => value?.toString());
  };
  /** Returns the recorded output or error output of the server, byte for byte. */
  const recorded = async ({ session }: GuardedClient, type: 'o' | 'e' = 'o'): Promise<string> => {
    const { body } = await path.read(await session(), '?expand=event_stream');
    const events = (body.event_stream as [number, string, string][]).filter((event) => event[1] === type);
    return Buffer.concat(events.map(([, , content]) => Buffer.from(content, 'base64'))).toString();
  };
  /** Compares texts of megabytes without printing them when they differ. */
  const expectSame = (found: string | undefined, expected: string): void => {
    expect(found?.length).toBe(expected.length);
    expect(found === expected).toBe(true);
  };

  it('is masked wherever a hit is in a cell, and recorded as it was delivered', async () => {
    const guarded = await path.under(maskAddresses);
    const answers = await answersTo(guarded.client, wire.query(`SELECT repeat('${ADDRESS}', ${FEWER}) AS a`));
    const [cell] = rowOf(answers);
    expectSame(cell, MASKED.repeat(FEWER));
    expectSame(await recorded(guarded), `a\n${MASKED.repeat(FEWER)}\n`);
    guarded.client.send(wire.TERMINATE);
    await guarded.client.until('never');
    const { body } = await path.read(await guarded.session());
    expect(body.metrics.data_masking).toMatchObject({ total_redact_count: FEWER });
  });

  it('is masked between characters of several bytes and escapes, wherever its pieces end', async () => {
    const guarded = await path.under(mask);
    const unit = 'größe ж 日本\\ 😀\tcanary\n';
    const sql = `SELECT 1 AS n, repeat(E'größe ж 日本\\\\ 😀\\tcanary\\n', ${times(60_000)}) AS a, NULL AS b, 'canary' AS c`;
    const text = unit.replace('canary', '****').repeat(times(60_000));
    const written = text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
    for (const results of [[], [1]]) {
      const isBinary = results.length > 0;
      const asked = isBinary
        ? [wire.parse(sql), wire.bind([], { results }), wire.describePortal(), wire.execute(), wire.SYNC]
        : [wire.query(sql)];
      const [n, cell, none, last] = rowOf(await answersTo(guarded.client, ...asked));
      expect([n, none, last]).toEqual([isBinary ? '\0\0\0\x01' : '1', undefined, '****']);
      expectSame(cell, text);
    }
    const row = `n\ta\tb\tc\n1\t${written}\t\\N\t****\n`;
    expectSame(await recorded(guarded), row.repeat(2));
  });

  it('is masked in each of its columns', async () => {
    const guarded = await path.under(maskAddresses);
    const columns = Array.from({ length: 1_600 }, (_, index) => `repeat('${ADDRESS}', 50) AS c${index}`);
    const cells = rowOf(await answersTo(guarded.client, wire.query(`SELECT ${columns.join()}`)));
    expect(cells).toHaveLength(1_600);
    expect(new Set(cells)).toEqual(new Set([MASKED.repeat(50)]));
    const lines = (await recorded(guarded)).split('\n');
    expectSame(lines[1], cells.join('\t'));
  });

  it('of COPY is masked, and recorded as it was delivered', async () => {
    const guarded = await path.under(maskAddresses);
    const answers = await answersTo(
      guarded.client,
      wire.query(`COPY (SELECT repeat('${ADDRESS}', ${times(200_000)})) TO STDOUT`),
    );
    const data = answers.filter(({ type }) => type === 'd').map(({ body }) => body.toString());
    expectSame(data.join(''), `${MASKED.repeat(times(200_000))}\n`);
    expectSame(await recorded(guarded), `${MASKED.repeat(times(200_000))}\n`);
  });

  it.each([
    ['a row', `SELECT repeat('ж', ${times(2_000_000)}) || 'canary' FROM generate_series(1, 3)`],
    [
      'the last of several rows',
      "SELECT repeat('x', 900000) || CASE n WHEN 3 THEN 'canary' END FROM generate_series(1, 3) AS n",
    ],
    ['COPY data', `COPY (SELECT repeat('ж', ${times(2_000_000)}) || 'canary') TO STDOUT`],
  ])(
    'is blocked where %s holds the word at its end: nothing of that row is delivered or recorded',
    async (_, sql) => {
      const guarded = await path.under(block);
      const answers = await answersTo(guarded.client, wire.query(sql));
      expect(shown(answers.slice(-2))).toEqual(['E 42501 Not for you.', 'Z I']);
      for (const { type, body } of answers)
        if (/[Dd]/.test(type)) expect(body.includes('canary')).toBe(false);
      expect((await recorded(guarded)).includes('canary')).toBe(false);
      expect(await guarded.client.ask(wire.query('SELECT 2'))).toContain('D 2');
    },
  );

  it('is recorded byte for byte without a rule', async () => {
    const guarded = await path.under({}, { record_results: true });
    const sql = `SELECT repeat(E'größe 日本 \\\\ ', ${times(500_000)}) AS a, NULL AS b`;
    const [cell] = rowOf(await answersTo(guarded.client, wire.query(sql)));
    expectSame(cell, 'größe 日本 \\ '.repeat(times(500_000)));
    expectSame(await recorded(guarded), `a\tb\n${'größe 日本 \\\\ '.repeat(times(500_000))}\t\\N\n`);
  });

  it.each([
    ['is masked', { output: maskAddresses.output }, MASKED],
    ['is recorded without rules', {}, ADDRESS],
  ])('of a notice %s, exactly', async (_, rules, shownAs) => {
    const guarded = await path.under(rules);
    const answers = await answersTo(
      guarded.client,
      wire.query(`SELECT say(repeat('${ADDRESS}', ${times(600_000)}))`),
    );
    const [notice] = answers.filter(({ type }) => type === 'N');
    expectSame(fieldsOf(notice as Said)['M'], shownAs.repeat(times(600_000)));
    const said = (await recorded(guarded, 'e')).split('\n');
    expectSame(said[0], `NOTICE: ${shownAs.repeat(times(600_000))}`);
  });

  it('of a notice is withheld as a whole when a rule blocks it', async () => {
    const guarded = await path.under(block);
    const answers = await answersTo(
      guarded.client,
      wire.query("SELECT say(repeat('ж', 500000) || 'canary')"),
    );
    expect(answers.map(({ type }) => type)).toEqual(['T', 'D', 'C', 'Z']);
    expect(await recorded(guarded, 'e')).toBe('Not for you.\n');
  });

  it('does not block others, which are answered meanwhile', async () => {
    const guarded = await path.under(maskAddresses);
    const bystander = await path.under({});
    const many = volume(ADDRESSES / 2, ADDRESSES);
    const large = { isOver: false };
    const row = answersTo(guarded.client, wire.query(`SELECT repeat('${ADDRESS}', ${many}) AS a`)).finally(
      () => (large.isOver = true),
    );
    let answered = 0;
    while (!large.isOver) {
      expect(await bystander.client.ask(wire.query('SELECT 1'))).toContain('D 1');
      answered += 1;
    }
    expectSame(rowOf(await row)[0], MASKED.repeat(many));
    expect(answered).toBeGreaterThan(volume(12, 25));
  });
});
