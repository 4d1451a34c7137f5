import { DEFAULT_MESSAGE as DEFAULT } from '../../src/guardrails/entries/compile-entry';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import type { Person } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Compares the predicted effect of all rules for a person with the real effect. */
describeDataPath('the effective policy', ({ path }) => {
  beforeAll(async () => {
    for (const person of ['alice', 'bob', 'auditor', 'admin'] as const)
      await path.gateway.call(person, 'GET', '/userinfo');
  });

  const admin = (method: string, to: string, body?: object) => path.gateway.call('admin', method, to, body);
  const policy = async (connection: string, user: string, more = '', person: Person = 'auditor') =>
    path.gateway.call(
      person,
      'GET',
      `/connections/${connection}/effective-policy?user=${encodeURIComponent(user)}${more}`,
    );
  /** The prediction, compared with the real outcome. */
  const happens = async (connection: string, person: Person) => {
    const said = (await policy(connection, person)).body;
    const done = await path.run('SELECT 1', { connection }, person);
    const outcome = [403, 404].includes(done.status) ? 'refused' : done.body.has_review ? 'review' : 'open';
    expect([connection, person, said.outcome]).toEqual([connection, person, outcome]);
    return [said.outcome, said.reasons[0].code];
  };
  const accessRule = (name: string, more: object) =>
    admin('POST', '/access-requests/rules', {
      name,
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      ...more,
    });

  it('speaks to people of themselves, and of others as of others', async () => {
    await path.connect('spoken-of', { emergency_access_groups: ['engineering', 'dba'] });
    const made = await accessRule('spoken-of', {
      connection_names: ['spoken-of'],
      skip_review_groups: ['dba'],
    });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const told = async (person: Person, by: Person): Promise<string[]> =>
      (await policy('spoken-of', person, '', by)).body.reasons.map(
        ({ message }: { message: string }) => message,
      );
    const own = await Promise.all(
      (['alice', 'bob', 'auditor'] as const).map((person) => told(person, person)),
    );
    expect(own).toEqual([
      [expect.any(String), 'in an emergency, you may open your own request with a reason'],
      ['access request rules cover the connection, but none requires approval of you'],
      ['you are an auditor: auditors may read, but open no connections'],
    ]);
    expect(own.flat().join(' ')).not.toMatch(/(the|this) user/);
    const others = await Promise.all(
      (['alice', 'bob', 'auditor'] as const).map((person) => told(person, 'admin')),
    );
    expect(others.flat().filter((message) => /(the|this) user/.test(message))).toHaveLength(3);
  });

  // promises: GUARDRAIL-21
  it('tells of entries for arguments of calls where there are none', async () => {
    const { words, ...deny } = { ...(denyWords(['drop']).rules[0] as { words: string[] }) };
    const entry = { ...deny, words };
    const rules = { rules: [entry, { ...entry, arguments: ['/sql'] }, { ...entry, arguments: [] }] };
    const tools = await admin('POST', '/connections', {
      name: 'tools',
      type: 'application',
      subtype: 'mcpproxy',
      access_groups: ['*'],
      secret: { REMOTE_URL: 'https://tools.example.com/mcp' },
    });
    await path.connect('by-attribute', { attributes: ['calls'] });
    await path.connect('by-id');
    const { id } = (await admin('GET', '/connections/by-id')).body;
    const body = { name: 'calls', input: rules, attributes: ['calls'], connection_ids: [id, tools.body.id] };
    const what = 'entries that name arguments of tool calls (input.rules 1) have no effect';
    const created = await admin('POST', '/guardrails', body);
    expect(created.body.warnings).toEqual([`${what} on by-attribute, by-id`]);

    const again = { ...created.body, connection_ids: [tools.body.id], attributes: [] };
    const put = (sent: object) => admin('PUT', `/guardrails/${created.body.id}`, sent);
    expect((await put(again)).body.warnings).toEqual([]);
    expect((await put(body)).body.warnings).toHaveLength(1);

    const warned = `the guardrail calls: ${what} here`;
    for (const name of ['by-attribute', 'by-id'])
      expect((await admin('PATCH', `/connections/${name}`, {})).body.warnings).toContain(warned);
    expect((await admin('PATCH', '/connections/tools', {})).body.warnings).not.toContain(warned);
    const { connection_ids: _, ...unbound } = body;
    await put({ ...unbound, attributes: [] });
    const bound = { guardrail_rules: [created.body.id] };
    expect((await admin('PATCH', '/connections/by-id', bound)).body.warnings).toContain(warned);
    expect((await admin('PATCH', '/connections/tools', bound)).body.warnings).not.toContain(warned);

    const said = async (name: string) => (await policy(name, 'alice')).body.guardrails[0].warnings;
    expect([await said('by-id'), await said('tools')]).toEqual([[`${what} here`], []]);
    // The warning is right: on a database, an entry that names arguments blocks nothing.
    await put({ ...body, input: { rules: [{ ...entry, arguments: ['/sql'] }] } });
    expect((await path.run('SELECT 1 AS drop', { connection: 'by-id' })).body.output_status).toBe('success');
  });

  // promises: POLICY-1
  it('lists every rule with its origin, by sub and by e-mail', async () => {
    await path.connect('origins', { attributes: ['pii', 'eu'] });
    const { id } = (await admin('GET', '/connections/origins')).body;
    const byId = await createRule(path.gateway, {
      name: 'b-by-id',
      input: denyWords(['x']),
      connection_ids: [id],
      attributes: ['eu'],
    });
    const byAttribute = await createRule(path.gateway, {
      name: 'a-by-attribute',
      attributes: ['eu', 'other'],
    });
    await createRule(path.gateway, { name: 'elsewhere', attributes: ['other'] });
    await accessRule('by-name', { connection_names: ['origins'] });
    await accessRule('by-attribute', { attributes: ['pii'], access_type: 'jit' });
    const expected = {
      connection: 'origins',
      user: 'alice',
      outcome: 'review',
      reasons: [{ code: 'review_required', message: 'the rule by-name requires approval by dba' }],
      guardrails: [
        {
          id: byAttribute,
          name: 'a-by-attribute',
          origin: { by: 'attribute', value: 'eu' },
          fault: null,
          warnings: [],
        },
        { id: byId, name: 'b-by-id', origin: { by: 'id', value: id }, fault: null, warnings: [] },
      ],
      access_rules: [
        { name: 'by-attribute', access_type: 'jit', origin: { by: 'attribute', value: 'pii' } },
        { name: 'by-name', access_type: 'command', origin: { by: 'name', value: 'origins' } },
      ],
      reviewers_groups: ['dba'],
      target_role: null,
    };
    expect((await policy('origins', 'alice')).body).toEqual(expected);
    expect((await policy(id, 'alice@example.com')).body).toEqual(expected);
    expect((await policy('origins', 'ALICE@example.com')).body).toEqual(expected);
    expect((await policy('origins', 'alice', '&verb=connect')).body.reasons[0].message).toBe(
      'the rule by-attribute requires approval by dba',
    );
  });

  // promises: EMERGENCY-1
  it('tells who has emergency access, where people have to approve', async () => {
    await path.connect('urgent', { emergency_access_groups: ['engineering'] });
    const codes = async (user: string): Promise<string[]> => {
      const { body } = await policy('urgent', user);
      return (body.reasons as { code: string }[]).map(({ code }) => code);
    };
    expect(await codes('alice')).toEqual(['no_rule_applies']);
    await accessRule('urgent-scripts', { connection_names: ['urgent'] });
    expect(await codes('alice')).toEqual(['review_required', 'emergency_access']);
    for (const user of ['bob', 'admin']) expect(await codes(user)).toEqual(['review_required']);
  });

  // promises: POLICY-1, RULE-13
  it('agrees with the later decision', async () => {
    await path.connect('skipped');
    await accessRule('skipping', { connection_names: ['skipped'], skip_review_groups: ['engineering'] });
    await path.connect('disabled', { access_mode_exec: 'disabled' });
    await path.connect('for-dba', { access_groups: ['dba'] });
    expect(await happens('orders', 'alice')).toEqual(['open', 'no_rule_applies']);
    expect(await happens('origins', 'alice')).toEqual(['review', 'review_required']);
    expect(await happens('skipped', 'alice')).toEqual(['open', 'review_skipped']);
    expect(await happens('skipped', 'bob')).toEqual(['review', 'review_required']);
    expect(await happens('disabled', 'admin')).toEqual(['refused', 'verb_disabled']);
    expect(await happens('orders', 'auditor')).toEqual(['refused', 'auditors_only_read']);
    await admin('PATCH', '/organization', { features: { access_control: true, review: false } });
    expect(await happens('for-dba', 'alice')).toEqual(['refused', 'not_in_access_groups']);
    expect(await happens('for-dba', 'bob')).toEqual(['open', 'no_rule_applies']);
    expect(await happens('origins', 'admin')).toEqual(['open', 'review_skipped']);
    expect((await admin('GET', '/organization')).body.features).toEqual({
      access_control: true,
      review: false,
    });
    await admin('PATCH', '/organization', { features: { access_control: false } });
    await admin('PATCH', '/organization', { features: { review: true } });
    expect((await admin('GET', '/organization')).body.features).toEqual({
      access_control: false,
      review: true,
    });
  });

  it('of an inactive user: refused, whatever the rules say', async () => {
    await admin('PATCH', '/users/bob', { status: 'inactive' });
    expect((await policy('origins', 'bob')).body).toMatchObject({
      outcome: 'refused',
      reasons: [{ code: 'user_inactive', message: expect.any(String) }],
      reviewers_groups: [],
    });
    await admin('PATCH', '/users/bob', { status: 'active' });
  });

  it('refuses an ambiguous user or connection', async () => {
    await admin('POST', '/users', { id: 'twin-1', email: 'twin@example.com' });
    await admin('POST', '/users', { id: 'twin-2', email: 'twin@example.com' });
    expect((await policy('orders', 'twin@example.com')).status).toBe(409);
    expect((await policy('orders', 'twin-1')).status).toBe(200);
    expect((await policy('orders', 'nobody')).status).toBe(404);
    expect((await policy('nowhere', 'alice')).status).toBe(404);
    expect((await policy('orders', '')).status).toBe(400);
    expect((await policy('orders', 'alice', '&verb=fly')).status).toBe(422);
    expect((await policy('orders', 'twin-1', '', 'alice')).status).toBe(403);
    // The refusal must not reveal to a regular person that two people share an e-mail address.
    expect((await policy('orders', 'twin@example.com', '', 'alice')).status).toBe(403);
  });

  describe('a dry run', () => {
    const dry = (body: object) => admin('POST', '/guardrails/dry-run', body);
    const draft = { name: 'draft', input: denyWords(['never', 'drop']), output: denyWords(['42']) };

    // promises: GUARDRAIL-18
    it('reports where a draft and stored rules hit', async () => {
      const answer = await dry({ rule: draft, direction: 'input', text: 'DROP it, never mind' });
      expect(answer.body).toEqual({
        verdict: 'block',
        hits: [
          {
            message: DEFAULT,
            rule_name: 'draft',
            entry: 0,
            start: 0,
            end: 4,
            matched: 'DROP',
            action: 'block',
          },
          {
            message: DEFAULT,
            rule_name: 'draft',
            entry: 0,
            start: 9,
            end: 14,
            matched: 'never',
            action: 'block',
          },
        ],
      });
      expect((await dry({ rule: draft, direction: 'output', text: 'DROP it' })).body).toEqual({
        verdict: 'pass',
        hits: [],
      });
      const id = await createRule(path.gateway, { name: 'stored', input: denyWords(['drop']) });
      const stored = await dry({ rule_ids: [id], direction: 'input', text: 'drop' });
      expect(stored.body.hits).toEqual([
        {
          message: DEFAULT,
          rule_name: 'stored',
          entry: 0,
          start: 0,
          end: 4,
          matched: 'drop',
          action: 'block',
        },
      ]);
    });

    // promises: GUARDRAIL-18
    it('replays the last sessions, both directions', async () => {
      const ids: string[] = [];
      for (const script of ['SELECT 42 AS answer', "SELECT 'never' AS word", 'SELECT 7 AS number'])
        ids.push((await path.run(script)).body.session_id);
      const replay = async (direction: string, sessions: number) =>
        (await dry({ rule: draft, direction, text: 'fine', sessions })).body;
      await eventually('all three are over', async () => (await replay('input', 3)).replay.sessions === 3);
      expect(await replay('input', 3)).toEqual({
        verdict: 'pass',
        hits: [],
        replay: { sessions: 3, blocked: 1, session_ids: [ids[1]] },
      });
      expect((await replay('output', 3)).replay).toEqual({ sessions: 3, blocked: 1, session_ids: [ids[0]] });
      expect((await replay('output', 1)).replay).toEqual({ sessions: 1, blocked: 0, session_ids: [] });
    });

    it.each<[string, object, number]>([
      ['neither', { direction: 'input', text: '' }, 422],
      ['both', { rule: draft, rule_ids: [NOBODY], direction: 'input', text: '' }, 422],
      ['an unknown id', { rule_ids: [NOBODY], direction: 'input', text: '' }, 422],
      ['no UUID', { rule_ids: ['x'], direction: 'input', text: '' }, 400],
      ['a third direction', { rule: draft, direction: 'sideways', text: '' }, 422],
      ['no text', { rule: draft, direction: 'input' }, 400],
      [
        'a draft that does not compile',
        {
          rule: { name: 'x', input: { rules: [{ type: 'pattern_match', words: [], pattern_regex: '(' }] } },
          direction: 'input',
          text: '',
        },
        422,
      ],
      ['no sessions', { rule: draft, direction: 'input', text: '', sessions: 0 }, 422],
      ['too many sessions', { rule: draft, direction: 'input', text: '', sessions: 1001 }, 422],
      ['half a session', { rule: draft, direction: 'input', text: '', sessions: 1.5 }, 400],
    ])('refuses %s', async (_, body, status) => {
      const answer = await dry(body);
      expect([answer.status, answer.body]).toEqual([status, { message: expect.any(String) }]);
    });
  });
});
