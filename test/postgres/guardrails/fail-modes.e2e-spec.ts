import { Logger } from '@nestjs/common';
import { ChangeFeed } from '../../../src/platform/database/feed/change-feed';
import { GuardrailEngine } from '../../../src/guardrails/engine/guardrail-engine';
import { StreamScreen } from '../../../src/guardrails/engine/stream-screen';
import { describeGuardedPath } from '../../support/describe';
import { blockWord, entries } from '../../support/guarded-path';
import { shown } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

const FAULT = expect.stringMatching(/^E 58000 The gateway could not judge or record this/);

/** Tests that nothing runs when judging fails, for each failure and each way to run a command. */
describeGuardedPath('guardrails that fail, for clients of PostgreSQL', ({ path }) => {
  let count = 0;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    await path.target.query('CREATE TABLE ran (id int)');
  });

  afterEach(() => jest.restoreAllMocks());

  const ran = async (id: number) => (await path.target.query(`SELECT id FROM ran WHERE id = ${id}`)).length;
  const insert = (id: number) => `INSERT INTO ran VALUES (${id})`;
  const extended = (sql: string) => [wire.parse(sql), wire.bind(), wire.execute(), wire.SYNC];
  const ways = {
    'a simple query': (id: number) => [wire.query(insert(id))],
    'the extended protocol': (id: number) => extended(insert(id)),
    'a value of an earlier statement': (id: number) => [
      wire.bind([String(id)], { statement: 'early' }),
      wire.execute(),
      wire.SYNC,
    ],
  };
  /** Resolves once the gateway knows that the rule was changed in the database. */
  const heardOf = (ruleId: string) =>
    new Promise<void>((resolve) => {
      const changed = (table: string, id: string) => {
        if (table === 'guardrail_rules' && id === ruleId) resolve();
      };
      path.gateway.app.get(ChangeFeed).subscribe({ changed, reset: () => undefined });
    });
  const breakages: Record<string, (connectionId: string) => Promise<() => Promise<unknown>>> = {
    'the engine throws': async () => {
      const spy = jest.spyOn(GuardrailEngine.prototype, 'judge').mockImplementation(() => {
        throw new Error('engine');
      });
      return async () => spy.mockRestore();
    },
    'the engine fails later': async () => {
      const spy = jest.spyOn(GuardrailEngine.prototype, 'judge').mockRejectedValue(new Error('engine'));
      return async () => spy.mockRestore();
    },
    'a rule is broken': async (connectionId) => {
      const rules = () =>
        path.gateway
          .call('admin', 'GET', `/connections/${connectionId}`)
          .then(({ body }) => body.guardrail_rules);
      const [id] = await rules();
      const set = async (type: string) => {
        const known = heardOf(id);
        await path.gateway.database.query(
          `UPDATE guardrail_rules SET input = jsonb_set(input, '{rules,0,type}', to_jsonb($2::text)) WHERE id = $1`,
          [id, type],
        );
        await known;
      };
      await set('unheard_of');
      return () => set('deny_words_list');
    },
  };
  const cells = Object.keys(breakages).flatMap((how) => Object.keys(ways).map((way) => [how, way] as const));

  it.each(cells)('when %s, run nothing by %s; afterwards the session goes on', async (how, way) => {
    const { client, connectionId, session } = await path.under({
      input: blockWord('never said', 'Not here.'),
    });
    await client.ask(wire.parse('INSERT INTO ran VALUES ($1::int)', 'early'), wire.SYNC);
    const id = ++count;
    const messages = ways[way as keyof typeof ways](id);
    const repair = await breakages[how]!(connectionId);
    const answers = await client.ask(...messages);
    await repair();
    expect(answers).toEqual([FAULT, 'Z I']);
    expect(await ran(id)).toBe(0);
    expect(await client.ask(...messages)).toContain('C INSERT 0 1');
    expect(await ran(id)).toBe(1);
    expect(await path.recording(await session())).toContainEqual([
      'e',
      expect.stringMatching(/^The gateway could not judge/),
    ]);
  });

  it('record which rule is broken', async () => {
    const { client, connectionId, session, ruleId } = await path.under({
      input: blockWord('never said', 'No.'),
    });
    const repair = await breakages['a rule is broken']!(connectionId);
    expect(await client.ask(wire.query('SELECT 1'))).toEqual([FAULT, 'Z I']);
    await repair();
    client.send(wire.TERMINATE);
    await client.until('never');
    const { body } = await path.read(await session(), '', 'auditor');
    expect(body.guardrails_info).toMatchObject([{ rule_id: ruleId, fault: expect.any(String) }]);
  });

  it('deliver nothing of a result that could not be screened, and end the session', async () => {
    const { client, session } = await path.under({ output: blockWord('never said', 'No.') });
    jest.spyOn(StreamScreen.prototype, 'push').mockRejectedValue(new Error('screen'));
    client.send(wire.query("SELECT 'never said in vain'"));
    expect(shown(await client.until('never'))).toEqual([FAULT]);
    expect((await path.read(await session())).body).toMatchObject({ status: 'done', exit_code: 254 });
  });
});

/** Tests that results are recorded as text even without a rule, and are delivered unchanged. */
describeGuardedPath('record_results', ({ path }) => {
  const rows = 'SELECT n AS "n", E\'tab\\t ü\' AS t, NULL AS x FROM generate_series(1, 3000) AS n';
  const expected = ['n\tt\tx', ...Array.from({ length: 3000 }, (_, i) => `${i + 1}\ttab\\t ü\t\\N`), ''].join(
    '\n',
  );
  const cases = {
    'a simple query': [wire.query(rows)],
    'the extended protocol': [
      wire.parse(rows),
      wire.bind(),
      wire.describePortal(),
      wire.execute(),
      wire.SYNC,
    ],
    'binary results': [
      wire.parse(rows),
      wire.bind([], { results: [1] }),
      wire.describePortal(),
      wire.execute(),
      wire.SYNC,
    ],
  };

  it.each(Object.entries(cases))(
    'records all rows of %s, and changes nothing of them',
    async (_, messages) => {
      const recorded = await path.under({}, { record_results: true });
      const plain = await path.under({});
      const [one, other] = [
        await recorded.client.send(...messages).until('Z'),
        await plain.client.send(...messages).until('Z'),
      ];
      expect(one).toEqual(other);
      expect(one.filter(({ type }) => type === 'D')).toHaveLength(3000);
      const output = async (id: string) =>
        (await path.recording(id)).filter(([type]) => type === 'o').map(([, content]) => content);
      expect((await output(await recorded.session())).join('')).toBe(expected);
      expect(await output(await plain.session())).toEqual(['SELECT 3000\n']);
    },
  );

  it('records COPY both ways', async () => {
    await path.target.query('CREATE TABLE kept (line text)');
    const { client, session } = await path.under({}, { record_results: true });
    client.send(wire.query('COPY kept FROM STDIN'));
    await client.until('G');
    await client.ask(wire.copyData('one\n'), wire.copyData('ü\n'), wire.COPY_DONE);
    expect(await client.ask(wire.query('COPY kept TO STDOUT'))).toEqual([
      'H',
      'd one\n',
      'd ü\n',
      'c',
      'C COPY 2',
      'Z I',
    ]);
    const events = await path.recording(await session());
    expect(events.filter(([type]) => type === 'i').map(([, text]) => text)).toEqual([
      'COPY kept FROM STDIN',
      'one\nü\n',
      'COPY kept TO STDOUT',
    ]);
    expect(
      events
        .filter(([type]) => type === 'o')
        .map(([, text]) => text)
        .join(''),
    ).toBe('COPY 2\none\nü\n');
  });

  it('is not needed for rules: an entry that never hits changes nothing', async () => {
    const { client } = await path.under({ output: entries({ type: 'detector', detectors: ['iban'] }) });
    const plain = await path.under({});
    expect(await client.send(wire.query(rows)).until('Z')).toEqual(
      await plain.client.send(wire.query(rows)).until('Z'),
    );
  });
});
