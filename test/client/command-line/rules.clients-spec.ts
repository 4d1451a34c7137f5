import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeDataPath } from '../../support/describe';
import { Terminal } from '../../support/terminal';
import { describeWith } from '../../support/tls';
import { CommandLine, type Ended, type Variables, commandOf, variablesOf } from './command-line';

const ACCESS = {
  name: 'prod-access',
  description: 'Kept by the data team.',
  access_type: 'jit',
  access_max_duration: 1800,
  reviewers_groups: ['dba', 'admin'],
  force_approval_groups: ['security'],
  min_approvals: 1,
  reason_required: true,
  attributes: ['pii'],
  connection_names: ['orders'],
};
const INPUT = [
  {
    type: 'deny_words_list',
    words: ['DROP TABLE', 'on', '1'],
    message: 'Tables are not dropped here.\nAsk.',
  },
  { type: 'pattern_match', pattern_regex: String.raw`(?i)pg_sleep\s*\(` },
  {
    type: 'sql_statement',
    name: 'no lost rows',
    kinds: ['drop', 'truncate'],
    without_where: true,
    tables: [{ name: 'public.salaries', access: 'read' }],
    functions: ['pg_read_file'],
    unparseable: 'allow',
  },
];
const OUTPUT = [{ type: 'detector', detectors: ['email', 'iban'], action: 'mask', keep_last: 4 }];

/** Applies rules as a CI pipeline does: from files, with an API key. */
describeDataPath('rules in files', ({ path }) => {
  const line = new CommandLine(() => path.gateway);
  const { gateway } = {
    gateway: (...given: Parameters<typeof path.gateway.call>) => path.gateway.call(...given),
  };
  let pipeline: Variables;
  let count = 0;

  const file = (text: string): string => {
    const name = join(line.folder, `rules-${++count}.yaml`);
    writeFileSync(name, text);
    return name;
  };
  const rules = (args: string[], input?: string): Promise<Ended> =>
    line.run(['rules', ...args], pipeline, input);
  const make = async (at: string, body: object): Promise<string> => {
    const made = await gateway('admin', 'POST', at, body);
    if (made.status !== 201) throw new Error(`${at}: ${made.text}`);
    return made.body.id as string;
  };
  const names = async (at: string): Promise<string[]> => {
    const { body } = await gateway('admin', 'GET', `${at}?page_size=100`);
    return (body.data as { name: string }[]).map(({ name }) => name).sort();
  };
  const remove = async (): Promise<void> => {
    for (const { id } of (await gateway('admin', 'GET', '/guardrails')).body.data as { id: string }[])
      await gateway('admin', 'DELETE', `/guardrails/${id}`);
    for (const name of await names('/access-requests/rules'))
      await gateway('admin', 'DELETE', `/access-requests/rules/${name}`);
    for (const name of await names('/attributes')) await gateway('admin', 'DELETE', `/attributes/${name}`);
  };
  /** Returns the number of changes in the audit log. */
  const changes = async (): Promise<number> => {
    const { body } = await gateway('admin', 'GET', '/audit/logs?page_size=1');
    return body.pages.total as number;
  };

  beforeAll(async () => {
    mkdirSync(line.folder, { recursive: true });
    const { body } = await gateway('admin', 'POST', '/api-keys', { name: 'pipeline', groups: ['admin'] });
    pipeline = {
      GATEWAY_URL: line.url,
      GATEWAY_TOKEN: body.key as string,
      GATEWAY_CONFIG_DIR: '/nonexistent',
    };
  });

  afterEach(remove);
  afterAll(() => line.remove());

  // promises: CLI-11
  it('come back as they were, as YAML and as JSON', async () => {
    await make('/attributes', { name: 'pii', description: 'Data of people.' });
    await make('/guardrails', {
      name: 'no-drops',
      description: "Line one\nline 'two': - # …\n",
      input: { rules: INPUT },
      output: { rules: OUTPUT },
      attributes: ['pii'],
      connection_ids: [path.connectionId],
    });
    await make('/guardrails', { name: 'empty' });
    await make('/access-requests/rules', ACCESS);
    const yaml = await rules(['export']);
    const json = await line.run(['--output', 'json', 'rules', 'export'], pipeline);
    expect([yaml.code, json.code]).toEqual([0, 0]);
    expect(yaml.out).not.toContain(path.connectionId);
    const before = await changes();
    for (const text of [yaml.out, json.out])
      expect(await rules(['diff', file(text)])).toMatchObject({
        code: 0,
        out: expect.stringContaining('Nothing differs: 5'),
      });
    expect((await rules(['apply', '--yes', file(yaml.out)])).code).toBe(0);
    expect(await changes()).toBe(before);

    for (const text of [yaml.out, json.out]) {
      await remove();
      const applied = await rules(['apply', '--yes', '-'], text);
      expect([applied.code, applied.err]).toEqual([
        0,
        expect.stringContaining('Created guardrail no-drops.'),
      ]);
      expect((await rules(['export'])).out).toBe(yaml.out);
    }
    const only = await rules(['export', '--only', 'guardrails']);
    expect(only.out).toMatch(/^guardrails:\n {2}- name: empty\n/);
    expect(only.out).not.toContain('access_rules');
  });

  // promises: CLI-11, CLI-12
  it('are shown as people read them, and changed when told so, once', async () => {
    await make('/guardrails', {
      name: 'no-drops',
      description: 'Old',
      input: { rules: INPUT },
      attributes: ['legacy'],
    });
    const wanted = file(`
guardrails:
  - name: no-drops
    description: New
    attributes: [pii]
    connection_names: [orders]
    input:
      rules:
        - {type: deny_words_list, words: [DROP TABLE, TRUNCATE]}
        - {type: pattern_match, pattern_regex: '(?i)pg_sleep\\s*\\('}
access_rules:
  - {name: prod-access, access_type: jit, reviewers_groups: [dba], min_approvals: 1, connection_names: [orders]}
`);
    const shown = [
      '~ guardrail no-drops',
      '    description: "Old" → "New"',
      '    input:',
      `      - ${JSON.stringify(INPUT[0])}`,
      `      - ${JSON.stringify(INPUT[2])}`,
      '      + {"type":"deny_words_list","words":["DROP TABLE","TRUNCATE"]}',
      '    attributes: + pii, - legacy',
      '    connection_names: + orders',
      '+ access rule prod-access',
      '    access_type: "jit"',
      '    reviewers_groups: + dba',
      '    min_approvals: 1',
      '    connection_names: + orders',
      '',
      '1 to create, 1 to change, 0 to delete, 0 as the files say.',
      '',
    ].join('\n');
    const before = await changes();
    expect(await rules(['diff', wanted])).toEqual({ code: 1, out: shown, err: '' });
    expect(await rules(['apply', wanted])).toEqual({
      code: 1,
      out: shown,
      err: 'Nothing was changed. With --yes, it is.\n',
    });
    expect(await changes()).toBe(before);
    const view = JSON.parse((await line.run(['--output', 'json', 'rules', 'diff', wanted], pipeline)).out);
    expect(view).toMatchObject({
      changes: [
        { section: 'guardrails', name: 'no-drops', action: 'change' },
        { section: 'access_rules', name: 'prod-access', action: 'create' },
      ],
      same: 0,
      others: [],
    });
    expect(view.changes[0].fields[0]).toEqual({ field: 'description', before: 'Old', after: 'New' });

    const applied = await rules(['apply', '--yes', wanted]);
    expect([applied.code, applied.out]).toEqual([0, shown]);
    expect(applied.err).toContain('Changed guardrail no-drops.\nCreated access rule prod-access.\n');
    // No reviewer is in the rule's group, so the gateway sends a warning, which the command shows.
    expect(applied.err).toContain('Warning: access rule prod-access:');
    const after = await changes();
    expect(await rules(['apply', '--yes', wanted])).toMatchObject({
      code: 0,
      out: 'Nothing differs: 2 as the files say.\n',
    });
    expect(await changes()).toBe(after);
  });

  // promises: CLI-12
  it('are deleted only when they are named, or with --prune', async () => {
    for (const name of ['kept', 'old', 'older']) await make('/guardrails', { name });
    await make('/access-requests/rules', { ...ACCESS, name: 'by-hand', attributes: ['by-hand'] });
    const wanted = file('guardrails: [{name: kept}]\ndelete: {guardrails: [old, never-there]}\n');
    const { out } = await rules(['apply', '--yes', wanted]);
    expect(out).toContain('- guardrail old\n');
    expect(out).toContain('In no file, and left alone: guardrail older. --prune deletes them.');
    expect(await names('/guardrails')).toEqual(['kept', 'older']);
    expect(await rules(['diff', '--prune', wanted])).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        '- guardrail older\n\n0 to create, 0 to change, 1 to delete, 3 as the files say.',
      ),
    });
    expect(await names('/guardrails')).toEqual(['kept', 'older']);
    expect((await rules(['apply', '--prune', '--yes', wanted])).code).toBe(0);
    // `--prune` deletes nothing of a kind (such as access rules) for which no file has a section.
    expect([await names('/guardrails'), await names('/access-requests/rules')]).toEqual([
      ['kept'],
      ['by-hand'],
    ]);
    const attributes = file(
      'attributes: [{name: labelled}]\nguardrails: [{name: kept, attributes: [used]}]\n',
    );
    await rules(['apply', '--prune', '--yes', attributes]);
    expect(await names('/attributes')).toEqual(['labelled', 'used']);
    expect((await rules(['diff', '--prune', attributes])).code).toBe(0);
    expect((await rules(['apply', '--prune', '--yes', file('guardrails: []\n')])).code).toBe(0);
    expect(await names('/guardrails')).toEqual([]);
  });

  // promises: CLI-12
  it('that something else manages are left out, and left alone', async () => {
    const id = await make('/guardrails', { name: 'profile', description: 'By a profile' });
    await path.gateway.database.query(`UPDATE guardrail_rules SET managed_by = 'gateway' WHERE id = $1`, [
      id,
    ]);
    try {
      expect((await rules(['export'])).out).not.toContain('profile');
      expect((await rules(['diff', '--prune', file('guardrails: []\n')])).code).toBe(0);
      expect(
        (await rules(['diff', file('guardrails: [{name: profile, description: By a profile}]\n')])).code,
      ).toBe(0);
      for (const text of ['guardrails: [{name: profile}]\n', 'delete: {guardrails: [profile]}\n'])
        expect(await rules(['apply', '--yes', file(text)])).toMatchObject({
          code: 64,
          err: expect.stringContaining('managed by gateway'),
        });
    } finally {
      await path.gateway.database.query('UPDATE guardrail_rules SET managed_by = NULL');
    }
  });

  // promises: CLI-11
  it('change of a connection what they name, and never make one', async () => {
    await path.connect('shop', { attributes: ['old'], access_groups: ['dba'] });
    const wanted = file(
      'connections: [{name: shop, attributes: [shop, pii], emergency_access_groups: [on-call]}]\n',
    );
    const { out } = await rules(['diff', wanted]);
    expect(out).toContain('    attributes: + shop, + pii, - old\n');
    expect(out).toContain('    emergency_access_groups: + on-call\n');
    expect((await rules(['apply', '--yes', wanted])).code).toBe(0);
    const { body } = await gateway('admin', 'GET', '/connections/shop');
    expect([body.attributes.toSorted(), body.access_groups, body.emergency_access_groups]).toEqual([
      ['pii', 'shop'],
      ['dba'],
      ['on-call'],
    ]);
    expect((await rules(['apply', '--prune', '--yes', wanted])).out).toBe(
      'Nothing differs: 1 as the files say.\n',
    );
    const unknown = await rules(['apply', '--yes', file('connections: [{name: nowhere, attributes: []}]\n')]);
    expect([unknown.code, unknown.err]).toEqual([
      66,
      'gateway: there is no connection nowhere, and files cannot make one\n',
    ]);
    const exported = await rules(['export']);
    expect(exported.out).not.toContain('password');
    expect((await rules(['diff', file(exported.out)])).code).toBe(0);
  });

  // promises: CLI-13
  it.each<[string, string, number, RegExp]>([
    ['a misspelt field', 'guardrails: [{name: x, atributes: [pii]}]', 64, /"atributes"[^]*guardrails\[0\]/],
    [
      'a misspelt field of an entry',
      'guardrails: [{name: x, input: {rules: [{type: pattern_match, patern: x}]}}]',
      64,
      /"patern"[^]*guardrails\[0\]\.input\.rules\[0\]/,
    ],
    ['a misspelt section', 'guardrail: []', 64, /"guardrail"/],
    ['no name', 'access_rules: [{access_type: jit}]', 64, /access_rules\[0\]\.name/],
    ['YAML that is none', 'guardrails:\n  - [x\n', 64, /rules-\d+\.yaml" \(6:1\)/],
    ['the same twice', 'guardrails: [{name: x}, {name: x}]', 64, /guardrails: x is named twice/],
    [
      'the same to make and to delete',
      'guardrails: [{name: x}]\ndelete: {guardrails: [x]}',
      64,
      /x is named twice/,
    ],
    [
      'a connection that is not there',
      'guardrails: [{name: x, connection_names: [nowhere]}]',
      66,
      /guardrail x: there is no connection nowhere/,
    ],
  ])('are refused before anything is changed: %s', async (_, text, code, why) => {
    const before = await changes();
    for (const command of ['diff', 'apply']) {
      const found = await rules([
        command,
        ...(command === 'apply' ? ['--yes'] : []),
        file(`attributes: [{name: first}]\n---\n${text}\n`),
      ]);
      expect([found.code, found.out, found.err]).toEqual([code, '', expect.stringMatching(why)]);
    }
    expect(await changes()).toBe(before);
    expect(await rules(['diff', '/nonexistent'])).toMatchObject({
      code: 64,
      err: expect.stringContaining('cannot be read'),
    });
  });

  // promises: CLI-13
  it('say how far they came when the gateway refuses one', async () => {
    const wanted = file(
      'guardrails: [{name: good}, {name: bad, input: {rules: [{type: pattern_match, pattern_regex: "("}]}}]\n',
    );
    const found = await rules(['apply', '--yes', wanted]);
    expect([found.code, found.err]).toEqual([
      64,
      expect.stringMatching(
        /^Created guardrail good\.\ngateway: guardrail bad: .*\(1 of 2 changes were made\)\n$/,
      ),
    ]);
    expect(await names('/guardrails')).toEqual(['good']);
    const { body } = await gateway('admin', 'POST', '/api-keys', {
      name: `weak-${++count}`,
      groups: ['dba'],
    });
    const weak = { ...pipeline, GATEWAY_TOKEN: body.key as string };
    expect(
      (await line.run(['rules', 'apply', '--yes', file('guardrails: [{name: mine}]\n')], weak)).code,
    ).toBe(77);
    expect(await names('/guardrails')).toEqual(['good']);
  });

  it('let no text speak to the terminal', async () => {
    await make('/guardrails', { name: 'evil', description: '\u001b]0;owned\u0007\u202Egnp.exe' });
    const { out } = await rules(['diff', file('guardrails: [{name: evil, description: "\\u001b[2J"}]\n')]);
    // oxlint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(out).toContain('owned');
  });

  describeWith('script')('at a terminal', () => {
    const asked = async (answer: string, meanwhile: () => Promise<unknown> = async () => undefined) => {
      const wanted = file('guardrails: [{name: asked, description: New}]\n');
      const terminal = new Terminal(commandOf('rules', 'apply', wanted), variablesOf(pipeline));
      try {
        await terminal.until('Carry this out? [y/N]');
        await meanwhile();
        terminal.type(`${answer}\r`);
        return await terminal.ended();
      } finally {
        terminal.kill();
      }
    };
    const description = async (id: string) =>
      (await gateway('admin', 'GET', `/guardrails/${id}`)).body.description as string;

    // promises: CLI-12
    it('ask, and change nothing that somebody else changed meanwhile', async () => {
      const id = await make('/guardrails', { name: 'asked', description: 'Old' });
      expect([(await asked('')).code, await description(id)]).toEqual([1, 'Old']);
      const late = await asked('y', () =>
        gateway('admin', 'PUT', `/guardrails/${id}`, { name: 'asked', description: 'By somebody else' }),
      );
      expect([late.code, late.out, await description(id)]).toEqual([
        75,
        expect.stringContaining('somebody changed it meanwhile'),
        'By somebody else',
      ]);
      expect([(await asked('y')).code, await description(id)]).toEqual([0, 'New']);
    });
  });
});
