import * as fc from '../support/fast-check';
import type { StartUpParameter } from '../../src/targets/postgres/start-up-packet';
import { startUpSettings } from '../../src/proxies/postgres/handshake/start-up-settings';
import { identifier } from '../../src/proxies/postgres/commands/statement-text';
import { startUpStatements } from '../../src/proxies/postgres/start-up-statements';
import { type Upstream, dialUpstream } from '../../src/proxies/postgres/upstream';
import { UpstreamRefused } from '../../src/proxies/postgres/upstream-refused';
import { SignInRefusal } from '../../src/proxies/postgres/handshake/refusal';
import { describeGuardedPath } from '../support/describe';
import { entries } from '../support/guarded-path';
import { secretOf } from '../support/target';
import { ask } from '../support/upstream';
import { WireClient, fieldsOf, shown } from '../support/wire-client';
import * as wire from '../support/wire-messages';
import { volume } from '../support/volume';

jest.setTimeout(480_000);

const MESSAGE = 'Nobody sets anything here.';

/**
 * Settings in a client's first message are judged and recorded like SET, and only then sent to the target.
 */
describeGuardedPath('settings of the start-up message', ({ path }) => {
  beforeAll(async () => {
    await path.target.query('CREATE SCHEMA elsewhere');
  });

  const noSet = { input: entries({ type: 'sql_statement', kinds: ['set'], message: MESSAGE }) };
  const noBoss = { input: entries({ type: 'deny_words_list', words: ['boss'], message: MESSAGE }) };
  const noSetRole = {
    input: entries({ type: 'pattern_match', pattern_regex: "(?i)set\\s+role\\s+'?boss", message: MESSAGE }),
  };

  /** Connections by rules, so that all sessions under the same rules use one connection. */
  const connections = new Map<object, string>();
  const connectionUnder = async (rules: object): Promise<string> => {
    const { client, connection } = await path.under(rules);
    client.close();
    return connection;
  };

  /**
   * Starts a session with these parameters. Returns the answer to the client, and a function that reads the
   * recording.
   */
  async function visit(rules: object, parameters: Record<string, string>) {
    const connection = connections.get(rules) ?? (await connectionUnder(rules));
    connections.set(rules, connection);
    const client = await WireClient.tried(path.gateway, connection, 'admin', parameters);
    const last = client.greeting.at(-1);
    const told = last?.type === 'E' ? fieldsOf(last) : undefined;
    const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${connection}`);
    const id = body.data[0].id as string;
    const session = async () => {
      client.close();
      return { recording: await path.recording(id), body: (await path.read(id)).body };
    };
    return { client, told, id, session };
  }

  it.each<[string, Record<string, string>]>([
    ['options with -c', { options: '-c role=boss' }],
    ['options without a space', { options: '-crole=boss' }],
    ['options with --', { options: '--role=boss' }],
    ['options in upper case', { options: '-c ROLE=boss' }],
    ['options with escapes', { options: '\\-\\c \\r\\ol\\e\\=boss' }],
    ['options behind others', { options: '-e -c geqo=off --role=boss' }],
    ['options in one word', { options: '-eFcrole=boss' }],
    ['a name twice', { options: '-c role=none -c role=boss' }],
    ['a parameter', { role: 'boss' }],
    ['a parameter in upper case', { ROLE: 'boss' }],
  ])(
    'by %s are refused with the message of the rule, and the target hears nothing',
    async (_, parameters) => {
      for (const rules of [noSet, noBoss, noSetRole]) {
        const { told, session } = await visit(rules, parameters);
        // The error is the rule's. If the target had received the setting, it would have reported a missing
        // role.
        expect(told).toMatchObject({ S: 'FATAL', C: '42501', M: MESSAGE });
        const { recording, body } = await session();
        expect(recording[0]).toEqual(['i', expect.stringMatching(/SET role TO 'boss';$/i)]);
        expect(recording.slice(1)).toEqual([['e', `${MESSAGE}\n`]]);
        expect(body).toMatchObject({ status: 'done', exit_code: 254 });
      }
    },
  );

  it.each<[string, Record<string, string>]>([
    ['-S', { options: '-S 4MB' }],
    ['-fs', { options: '-fs' }],
    ['-e', { options: '-e' }],
    ['search_path', { search_path: 'elsewhere' }],
    ['session_authorization', { session_authorization: 'boss' }],
    ['is_superuser', { is_superuser: 'on' }],
    ['_PQ_.x, which is a setting', { '_PQ_.x': '1' }],
    ['my.own', { 'my.own': '1' }],
    ['DateStyle', { DateStyle: 'SQL' }],
    ['TimeZone', { TimeZone: 'UTC' }],
  ])('by %s are SET statements as well', async (_, parameters) => {
    const { told } = await visit(noSet, parameters);
    expect(told).toMatchObject({ C: '42501', M: MESSAGE });
  });

  it.each<[Record<string, string>, string]>([
    [{ options: '-c user=boss' }, '42704'],
    [{ options: '--database=postgres' }, '42704'],
    [{ options: '-c options=x' }, '42704'],
    [{ options: '-c replication=true' }, '42704'],
    [{ options: '-c _pq_.x=1' }, '42704'],
    [{ USER: 'boss' }, '42704'],
    [{ OPTIONS: '-c role=boss' }, '42704'],
    [{ Replication: 'true' }, '42704'],
    [{ options: 'role=boss' }, '42601'],
    [{ options: '-c role' }, '42601'],
    [{ options: '-c client_encoding=LATIN1' }, '0A000'],
  ])('that no server would take, or that are not spoken, are refused: %j', async (parameters, code) => {
    const client = await WireClient.tried(path.gateway, 'orders', 'admin', parameters);
    expect(shown(client.greeting)).toEqual([expect.stringMatching(`^E ${code} `)]);
  });

  it('begin the recording, and read back as SQL that sets the same', async () => {
    const { client, told, id, session } = await visit(
      {},
      {
        application_name: 'reports',
        options: '-c search_path=elsewhere,\\ "A\\ b" --work-mem=7MB',
        DateStyle: 'SQL, DMY',
      },
    );
    expect(told).toBeUndefined();
    const expected =
      "SET search_path TO 'elsewhere', 'A b';\nSET work_mem TO '7MB';\nSET DateStyle TO 'SQL, DMY';";
    expect(await client.ask(wire.query('SHOW work_mem'))).toContain('D 7MB');
    const { body } = await path.read(id, '?event_stream=raw-queries');
    const inputs = (body.event_stream as [number, string, string][]).map(([, , text]) =>
      Buffer.from(text, 'base64').toString(),
    );
    expect(inputs).toEqual([expected, 'SHOW work_mem']);
    expect((await session()).recording[0]).toEqual(['i', expected]);
    const again = await path.signIn('orders');
    expect(await again.ask(wire.query(expected))).not.toContainEqual(expect.stringMatching(/^E/));
    const show = wire.query('SHOW search_path; SHOW work_mem; SHOW DateStyle');
    expect((await again.ask(show)).filter((line) => line.startsWith('D'))).toEqual([
      'D elsewhere, "A b"',
      'D 7MB',
      'D SQL, DMY',
    ]);
  });

  it('leave the label alone: no rule about statements keeps a client out for it, one about text does', async () => {
    const letIn = await visit(noSet, { application_name: 'boss', client_encoding: 'UTF8' });
    expect(letIn.told).toBeUndefined();
    expect((await letIn.session()).recording.filter(([type]) => type === 'i')).toEqual([]);
    const keptOut = await visit(noBoss, { application_name: 'boss' });
    expect(keptOut.told).toMatchObject({ C: '42501', M: MESSAGE });
    expect((await keptOut.session()).recording).toEqual([
      ['i', "SET application_name TO 'boss'"],
      ['e', `${MESSAGE}\n`],
    ]);
    const byOptions = await visit(noBoss, { options: '-c application_name=boss' });
    expect(byOptions.told).toMatchObject({ C: '42501', M: MESSAGE });
  });

  it('are refused in the target’s words, after the recorded input', async () => {
    const { told, session } = await visit({}, { options: '-c no_such_setting=1' });
    expect(told).toMatchObject({ S: 'FATAL', C: '42704', M: expect.stringContaining('no_such_setting') });
    const { recording } = await session();
    expect(recording[0]).toEqual(['i', "SET no_such_setting TO '1';"]);
  });
});

const NAMES = ['work_mem', 'search_path', 'DateStyle', 'TimeZone', 'geqo', 'enable_seqscan', 'my.own'];
const VALUES = [
  '',
  'on',
  'off',
  '4MB',
  '7MB',
  '64',
  'elsewhere',
  'elsewhere, public',
  '"A b" , $user',
  'A,"B""c"',
  'a,,b',
  'a b',
  '"open',
  'ISO, DMY',
  'SQL',
  'UTC',
  'Europe/Berlin',
  "o'neil",
  'back\\slash',
  'a\tb',
  'schön',
  '\u00a0',
  'x=y',
  '--',
  '-c',
];

/**
 * Tests that the gateway reads a start-up message as a server does when it judges, records and forwards it.
 */
describeGuardedPath('random start-up messages', ({ path }) => {
  beforeAll(async () => {
    // Creates each schema as written and in lower case, so that current_schemas() shows a name read wrongly.
    const words = VALUES.flatMap((value) => [value, ...value.split(/[,\s]+/)]).map((word) =>
      word.replaceAll('"', ''),
    );
    const names = new Set(['A b', 'B"c', ...words, ...words.map((word) => word.toLowerCase())]);
    for (const one of [...names].filter((word) => word !== '' && word !== 'public'))
      await path.target.query(`CREATE SCHEMA ${identifier(one)}`);
  });

  const cased = (name: string) => fc.constantFrom(name, name.toUpperCase(), name.toLowerCase());
  const name = fc.constantFrom(...NAMES).chain(cased);
  const setting = fc.tuple(name, fc.constantFrom(...VALUES));
  const escaped = (text: string, also: string) =>
    text.replaceAll(/[\s\\]/g, '\\$&').replaceAll(also, also === '' || also === '\\' ? also : `\\${also}`);
  const dashed = (text: string, dashes: boolean) => (dashes ? text.replaceAll('_', '-') : text);
  const option = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          setting,
          fc.constantFrom('-c ', '-c', '--', '-ec'),
          fc.boolean(),
          fc.constantFrom('', 'e', 'n'),
        )
        .map(
          ([[key, value], form, dashes, also]) =>
            `${form}${escaped(`${dashed(key, dashes)}=${value}`, also)}`,
        ),
    },
    { weight: 2, arbitrary: fc.constantFrom('-e', '-fs', '-fi', '-S 512', '-S1MB', '-eT', '-n', '-C x') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('-fz', '-x', 'word', '--', '-', '-c', '\\', '-c work_mem', '-tz'),
    },
  );
  const options = fc
    .array(option, { maxLength: 4 })
    .chain((all) => fc.constantFrom(' ', '  ', '\t', '\n ').map((space) => all.join(space)));
  const message = fc
    .tuple(fc.option(options, { nil: undefined }), fc.array(setting, { maxLength: 2 }))
    .map(
      ([text, others]) => new Map([...(text === undefined ? [] : [['options', text] as const]), ...others]),
    );

  const taken: readonly [Map<string, string>][] = [
    [new Map([['options', '-c work_mem=1MB']])],
    [
      new Map([
        ['search_path', 'public'],
        ['work_mem', '2MB'],
      ]),
    ],
  ];

  /** Starts a session with these parameters. Returns its settings, or the SQLSTATE of the refusal. */
  async function begun(parameters: readonly StartUpParameter[], sql = ''): Promise<string> {
    const greeting = { parameters, protocolMinor: 0 } as const;
    let upstream: Upstream | undefined;
    try {
      upstream = await dialUpstream(secretOf(path.target), greeting, new AbortController().signal);
      const said = await ask(upstream, sql === '' ? 'SELECT 1' : sql);
      const [, code] = /\0C(\w{5})\0/.exec(said) ?? [];
      if (code !== undefined) return code;
      const values = NAMES.map((one) =>
        one === 'search_path' ? 'current_schemas(false)' : `current_setting('${one}', true)`,
      );
      return (await ask(upstream, `SELECT '<' || concat_ws('|', ${values.join(', ')}) || '>'`))
        .replace(/^[^]*?</, '<')
        .replace(/>[^]*$/, '>');
    } catch (error) {
      if (error instanceof UpstreamRefused) return error.fields.code;
      throw error;
    } finally {
      upstream?.socket.destroy();
    }
  }

  it('are read by the target as by the gateway, and so are the recorded statements', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(message, async (parameters) => {
        const understood = await begun([...parameters]);
        let settings: readonly StartUpParameter[];
        try {
          settings = startUpSettings(parameters);
        } catch (error) {
          expect(error).toBeInstanceOf(SignInRefusal);
          expect(understood).toMatch(/^\w{5}$/);
          return;
        }
        const { recorded } = startUpStatements(settings);
        const [passedOn, readBack] = [await begun(settings), await begun([], recorded)];
        expect(passedOn).toBe(understood);
        // If the target refused the parameters, there are no settings to compare.
        if (/^\w{5}$/.test(passedOn)) return;
        expect(readBack).toBe(passedOn);
        compared += 1;
      }),
      // Adds examples that are accepted, because most random messages are refused.
      { numRuns: volume(12, 60), examples: [...taken] },
    );
    expect(compared).toBeGreaterThanOrEqual(taken.length);
  });
});
