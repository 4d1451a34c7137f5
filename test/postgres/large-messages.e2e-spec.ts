import { randomBytes } from 'node:crypto';
import { describeGuardedPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { blockWord } from '../support/guarded-path';
import { IS_LONG, volume } from '../support/volume';
import type { WireClient } from '../support/wire-client';
import * as wire from '../support/wire-messages';

/**
 * Unit of size for large texts. A text of two units is longer than 1 MiB, so the gateway reads its message
 * in pieces.
 */
const MIB = volume(448, 1024) * 1024;
const REFUSED = 'E 42501 Not here.';
const WORD = 'forbiddenword';

/**
 * Returns a text of about this many bytes. The order of its words does not repeat. It has few different
 * words, because the word index takes long for many.
 */
const words = (bytes: number): string =>
  Array.from({ length: bytes / 8 }, (_, index) => `größe${((index * index) % 1009).toString(36)}`).join(' ');

interface Large {
  readonly messages: readonly Buffer[];
  /** The recorded inputs, one for each message. */
  readonly recorded: readonly string[];
  readonly answers: readonly string[];
}

const selected = ['T', 'D'];

/** Functions that make a large message, by its kind. The text `end` is at the very end of the message. */
const KINDS: Readonly<Record<string, (end: string) => Large>> = {
  Query: (end) => {
    const sql = `SELECT length('${words(2 * MIB)}') -- ${end}`;
    return { messages: [wire.query(sql)], recorded: [sql], answers: [...selected, 'C SELECT 1', 'Z I'] };
  },
  Parse: (end) => {
    const sql = `SELECT length('${words(2 * MIB)}') -- ${end}`;
    return {
      messages: [wire.parse(sql, 'large'), wire.bind([], { statement: 'large' }), wire.execute(), wire.SYNC],
      recorded: [sql, "\\bind_named 'large'"],
      answers: ['1', '2', 'D', 'C SELECT 1', 'Z I'],
    };
  },
  'a value': (end) => bound([`it's ${words(2 * MIB)}${end}`]),
  'many values': (end) =>
    bound([...Array.from({ length: volume(20_000, 60_000) }, (_, index) => `it's ${index}`), end]),
  'some large values': (end) => bound([words(MIB), words(volume(1, 2) * MIB), null, end]),
};

function bound(values: readonly (string | null)[]): Large {
  const sql = `SELECT count(*) FROM (VALUES ${values.map((_, index) => `($${index + 1}::text)`).join()}) AS t`;
  const forms = values.map((value) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`));
  return {
    messages: [wire.parse(sql), wire.bind(values), wire.execute(), wire.SYNC],
    recorded: [sql, ['\\bind', ...forms].join(' ')],
    answers: ['1', '2', 'D', 'C SELECT 1', 'Z I'],
  };
}

const RULES = { none: {}, 'one that hits nothing': { input: blockWord(WORD, 'Not here.') } };

/**
 * Combinations of rules and kinds of messages that are not refused. The short form tries each kind once. The
 * test of refusals below tries all kinds under a rule.
 */
const PASSING = Object.entries(RULES)
  .flatMap(([name, rules]) => Object.keys(KINDS).map((kind) => ({ name, rules, kind })))
  .filter(({ name, kind }) => IS_LONG || (name === 'none') === /^(Query|a value|many values)$/.test(kind));

describeGuardedPath('a large message', ({ path }) => {
  beforeAll(async () => {
    await path.target.query('CREATE TABLE kept (line text)');
  });

  const inputsOf = async (id: string): Promise<string[]> =>
    (await path.recording(id)).filter(([type]) => type === 'i').map(([, content]) => content);

  /** Compares texts without a diff, because a diff of large texts would take longer than the whole test. */
  const expectSame = (found: readonly string[], expected: readonly string[]): void => {
    expect(found.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
    for (const [index, one] of found.entries()) expect(one === expected[index]).toBe(true);
  };

  const short = (answers: readonly string[]): string[] =>
    answers.map((one) => one.replace(/^([TD]) .*$/s, '$1'));

  /**
   * Sends queries of another client until the work is done. Returns the number of answers. It is 1 if the
   * other client had to wait for the work.
   */
  const servedDuring = async (other: WireClient, work: Promise<unknown>): Promise<number> => {
    const watched = { isDone: false };
    const done = work.finally(() => (watched.isDone = true));
    let served = 0;
    for (; !watched.isDone; served += 1)
      expect(short(await other.ask(wire.query('SELECT 1')))).toEqual([...selected, 'C SELECT 1', 'Z I']);
    await done;
    return served;
  };

  it.each(PASSING)(
    'is recorded byte for byte, between those before and behind it, and others are served meanwhile: $kind, rules: $name',
    async ({ rules, kind }) => {
      const { client, session } = await path.under(rules);
      const other = (await path.under(rules)).client;
      const { messages, recorded, answers } = (KINDS[kind] as (end: string) => Large)('the end');
      const asked = async (): Promise<void> => {
        client.send(wire.query('SELECT 1'), ...messages, wire.query('SELECT 2'));
        const said = short(await client.ready(3));
        const small = [...selected, 'C SELECT 1', 'Z I'];
        expect(said).toEqual([...small, ...answers, ...small]);
      };
      expect(await servedDuring(other, asked())).toBeGreaterThan(1);
      expectSame(await inputsOf(await session()), ['SELECT 1', ...recorded, 'SELECT 2']);
    },
  );

  it.each(Object.keys(KINDS))(
    'is refused for what is at its very end, and recorded all the same: %s',
    async (kind) => {
      const { client, session, ruleId } = await path.under(RULES['one that hits nothing']);
      const { messages, recorded } = (KINDS[kind] as (end: string) => Large)(WORD);
      client.send(...messages);
      const said = short(await client.ready());
      expect(said.filter((one) => !['1', 'Z I'].includes(one))).toEqual([REFUSED]);
      expect(await client.ask(wire.query('SELECT 1'))).toHaveLength(4);
      const id = await session();
      // The messages after a refused Parse are skipped, so they are not recorded.
      const wanted = kind === 'Parse' ? recorded.slice(0, 1) : recorded;
      expectSame(await inputsOf(id), [...wanted, 'SELECT 1']);
      const [info] = (await path.read(id)).body.guardrails_info;
      expect(info).toMatchObject({ rule_id: ruleId, matched_words: [WORD] });
    },
  );

  it('with a large value in binary form is judged by its text, and recorded', async () => {
    const { client, session } = await path.under(RULES['one that hits nothing']);
    // Values of more than 256 KiB are converted to text and judged in steps.
    const text = words(volume(0.5, 2) * MIB);
    const bytes = randomBytes(volume(0.75, 2) * MIB);
    const ask = (value: Buffer, type: string): Promise<string[]> =>
      client.ask(
        wire.parse(`SELECT length($1::${type}::text)`),
        wire.bind([value], { formats: [1] }),
        wire.execute(),
        wire.SYNC,
      );
    const passes = ['1', '2', 'D', 'C SELECT 1', 'Z I'];
    expect(short(await ask(Buffer.from(text), 'text'))).toEqual(passes);
    expect(short(await ask(bytes, 'bytea'))).toEqual(passes);
    for (const [value, type] of [
      [`${text}${WORD}`, 'text'],
      [`"${text}${WORD}"`, 'json'],
      [`${text}${WORD}`, 'bytea'],
    ] as const)
      expect(await ask(Buffer.from(value), type)).toContain(REFUSED);
    const said = (await inputsOf(await session())).filter((one) => one.startsWith('\\bind'));
    expectSame(said.slice(0, 2), [`\\bind '${text}'`, `\\bind '\\x${bytes.toString('hex')}'`]);
  });

  it('of COPY is judged across its slices, and recorded whole', async () => {
    const { client, session } = await path.under(RULES['one that hits nothing']);
    const other = (await path.under({})).client;
    const line = `${'x'.repeat(99)}\n`;
    const data = line.repeat(15_000);
    // In the short form, the data for a refused COPY ends within the third slice of 256 KiB.
    const less = data.slice(0, volume(7_000, 15_000) * line.length);
    const copy = async (text: string): Promise<string[]> => {
      await path.target.query('TRUNCATE kept');
      client.send(wire.query('COPY kept FROM STDIN'));
      await client.until('G');
      client.send(wire.copyData(text), wire.copyData('last\n'), wire.COPY_DONE);
      return client.ready();
    };
    let said: string[] = [];
    const copying = copy(data).then((answers) => (said = answers));
    expect(await servedDuring(other, copying)).toBeGreaterThan(1);
    expect(said).toEqual(['C COPY 15001', 'Z I']);
    // Puts the word at several positions, some of them across the border of two slices of 256 KiB.
    for (const at of [256 * 1024 - 5, 512 * 1024 - 1, 512 * 1024, less.length - 1])
      expect(await copy(`${less.slice(0, at)}${WORD}${less.slice(at)}`)).toEqual([REFUSED, 'Z I']);
    expect(await path.target.query('SELECT FROM kept')).toEqual([]);
    const inputs = await inputsOf(await session());
    const first = inputs.slice(1, inputs.indexOf('COPY kept FROM STDIN', 1));
    expectSame([first.join('')], [`${data}last\n`]);
  });

  it('is dropped when the client disconnects in the middle of it', async () => {
    const { client, session } = await path.under({});
    await client.ask(wire.query('SELECT 1'));
    const id = await session();
    const message = wire.query(`INSERT INTO kept VALUES ('${words(3 * MIB)}half')`);
    client.socket.write(message.subarray(0, 2 * MIB), () => client.socket.resetAndDestroy());
    await eventually('it is over', async () => (await path.read(id)).body.status === 'done');
    expect(await inputsOf(id)).toEqual(['SELECT 1']);
    expect(await path.target.query("SELECT FROM kept WHERE line LIKE '%half'")).toEqual([]);
  });

  it.each([
    ['the client goes away', (client: WireClient) => client.socket.resetAndDestroy()],
    [
      'somebody ends the session',
      async (_: WireClient, id: string) => {
        await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`);
      },
    ],
  ])('is recorded whole or not at all when %s, and never runs unrecorded', async (_, cut) => {
    for (let turn = 0; turn < volume(2, 3); turn += 1) {
      const { client, session } = await path.under({});
      await client.ask(wire.query('SELECT 1'));
      const id = await session();
      const mark = `mark-${randomBytes(8).toString('hex')}`;
      const sql = `INSERT INTO kept VALUES ('${words(2 * MIB)}${mark}')`;
      await new Promise<void>((sent) => client.socket.write(wire.query(sql), () => sent()));
      for (let wait = 0; wait < turn * 8; wait += 1) await new Promise(setImmediate);
      await cut(client, id);
      await eventually('it is over', async () => (await path.read(id)).body.status === 'done');
      const inputs = await inputsOf(id);
      expectSame(inputs, inputs.length === 1 ? ['SELECT 1'] : ['SELECT 1', sql]);
      const ran = await path.target.query('SELECT FROM kept WHERE line LIKE $1', [`%${mark}`]);
      if (ran.length > 0) expect(inputs).toHaveLength(2);
      expect((await path.read(id, '/verify')).body.status).toBe('valid');
    }
  });
});
