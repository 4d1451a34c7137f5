import { randomUUID } from 'node:crypto';
import { describeGateway } from '../support/describe';

/** Access request rules: invalid requests with their error messages, and the pages of the list. */
describeGateway('access request rules', ({ gateway }) => {
  let count = 0;

  const valid = () => {
    count += 1;
    return {
      name: `rule-${count}`,
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      connection_names: [`connection-${count}`],
    };
  };
  const post = (body: object) => gateway.call('admin', 'POST', '/access-requests/rules', body);
  const list = (query = '') => gateway.call('auditor', 'GET', `/access-requests/rules${query}`);
  const total = async (): Promise<number> => (await list('?page_size=1')).body.pages.total;

  // promises: RULE-1
  it('are read back as they were written', async () => {
    const body = {
      name: 'as_written-1.x',
      description: 'for the test',
      access_type: 'jit_command',
      access_max_duration: 1800,
      all_groups_must_approve: true,
      approval_required_groups: ['security'],
      reviewers_groups: ['dba', 'dba'],
      force_approval_groups: ['admin'],
      skip_review_groups: [],
      min_approvals: 2,
      attributes: ['written'],
      connection_names: ['written'],
    };
    const created = await post(body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...body,
      reviewers_groups: ['dba'],
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      managed_by: null,
      reason_required: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      warnings: expect.any(Array),
    });
    const { warnings: _, ...rule } = created.body;
    expect((await list()).body.data).toContainEqual(rule);
  });

  // promises: HTTP-17, RULE-10
  it('have defaults, and lists that are never null', async () => {
    expect((await post(valid())).body).toMatchObject({
      description: '',
      access_max_duration: null,
      all_groups_must_approve: false,
      approval_required_groups: [],
      force_approval_groups: [],
      skip_review_groups: [],
      attributes: [],
    });
  });

  // promises: RULE-9, RULE-10, RULE-11, RULE-13, HTTP-4
  it.each<[string, object, number, RegExp]>([
    [
      'neither connection nor attribute',
      { connection_names: [] },
      422,
      /^name at least one connection in connection_names or one of attributes$/,
    ],
    ['no reviewers', { reviewers_groups: [] }, 422, /^reviewers_groups must name at least one group$/],
    ['no number of approvals', { min_approvals: null }, 422, /^min_approvals must be at least 1 unless/],
    ['no approval at all', { min_approvals: 0 }, 422, /^min_approvals must be at least 1 unless/],
    [
      'less than none',
      { min_approvals: -1, all_groups_must_approve: true },
      422,
      /^min_approvals must not be less than 0$/,
    ],
    ['far less than none', { min_approvals: -3e9, all_groups_must_approve: true }, 422, /^min_approvals /],
    [
      'more approvals than groups',
      { min_approvals: 2 },
      422,
      /^min_approvals can never be reached: there are 1 groups/,
    ],
    [
      'approvals beyond counting',
      { min_approvals: 2 ** 40, all_groups_must_approve: true },
      422,
      /never be reached/,
    ],
    ['half an approval', { min_approvals: 1.5 }, 400, /^min_approvals must be an integer/],
    [
      'a skip beside required groups',
      { skip_review_groups: ['a'], approval_required_groups: ['b'] },
      422,
      /^skip_review_groups may only be set while/,
    ],
    ['an unknown kind of access', { access_type: 'forever' }, 422, /^access_type must be one of/],
    ['no kind of access', { access_type: undefined }, 400, /^access_type must be a string$/],
    [
      'a minute less a second',
      { access_max_duration: 59 },
      422,
      /^access_max_duration must not be less than 60$/,
    ],
    [
      'two days and a second',
      { access_max_duration: 172_801 },
      422,
      /^access_max_duration must not be greater than 172800$/,
    ],
    ['a duration in words', { access_max_duration: '1h' }, 400, /^access_max_duration must be an integer/],
    ['an empty group', { reviewers_groups: [''] }, 422, /^each value in reviewers_groups must be longer/],
    ['groups that are no list', { reviewers_groups: 'dba' }, 400, /^reviewers_groups must be an array$/],
    [
      'a flag that is a text',
      { all_groups_must_approve: 'false' },
      400,
      /^all_groups_must_approve must be a boolean/,
    ],
    ['a short name', { name: 'ab' }, 422, /^name must be longer/],
    ['a long name', { name: 'n'.repeat(255) }, 422, /^name must be shorter/],
    ['two separators in a row', { name: 'a--b' }, 422, /^name must be letters, digits and _/],
    ['a separator at the end', { name: 'abc-' }, 422, /^name must be letters/],
    ['a slash in the name', { name: 'a/../b' }, 422, /^name must be letters/],
    ['a line break in the name', { name: 'ab\nc' }, 422, /^name must not contain control/],
    ['an unknown field', { approvers: [] }, 400, /^unknown field approvers$/],
    ['a prototype', JSON.parse('{"__proto__":{}}'), 400, /^unknown field __proto__$/],
  ])('refuse %s', async (_, change, status, message) => {
    const before = await total();
    const answer = await post(Object.assign(Object.create(null), valid(), change));
    expect(answer.body).toEqual({ message: expect.stringMatching(message) });
    expect(answer.status).toBe(status);
    expect(await total()).toBe(before);
  });

  // promises: RULE-11
  it('say everything that is wrong at once', async () => {
    const answer = await post({ ...valid(), connection_names: [], reviewers_groups: [], min_approvals: 0 });
    expect(answer.status).toBe(422);
    expect(answer.body.message.split('; ')).toHaveLength(3);
  });

  // promises: RULE-9
  it('refuse a name twice', async () => {
    const first = valid();
    await post(first);
    const again = await post({ ...valid(), name: first.name });
    expect(again.status).toBe(422);
    expect(again.body).toEqual({ message: `an access request rule named ${first.name} already exists` });
  });

  // promises: RULE-12
  it.each([
    ['command', 'command', 422],
    ['command', 'jit_command', 422],
    ['jit_command', 'jit', 422],
    ['jit', 'jit', 422],
    ['jit', 'command', 201],
  ])('of type %s beside one of type %s for the same connection: %i', async (one, other, status) => {
    const first = { ...valid(), access_type: one, attributes: [`shared-${count}`] };
    expect((await post(first)).status).toBe(201);
    const byName = await post({ ...valid(), access_type: other, connection_names: first.connection_names });
    expect(byName.status).toBe(status);
    if (status === 201) return;
    expect(byName.body.message).toBe(
      `the rule ${first.name} already covers ${first.connection_names[0]} for the same access`,
    );
    const byAttribute = await post({ ...valid(), access_type: other, attributes: first.attributes });
    expect(byAttribute.body.message).toMatch(`the rule ${first.name} already covers ${first.attributes[0]}`);
  });

  // promises: RULE-12
  it('that overlap: one of two concurrent writes succeeds', async () => {
    const rivals = Array.from({ length: 8 }, () => ({ ...valid(), connection_names: ['contested'] }));
    const answers = await Promise.all(rivals.map(post));
    const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array(7).fill(422)]);
  });

  // promises: HTTP-3
  it('accept their own read-only fields, and ignore them', async () => {
    const { body: first } = await post(valid());
    const copy = await post({
      ...first,
      ...valid(),
      id: first.id,
      org_id: randomUUID(),
      managed_by: 'gateway',
    });
    expect(copy.status).toBe(201);
    expect(copy.body.id).not.toBe(first.id);
    expect(copy.body.managed_by).toBeNull();
  });

  // promises: RULE-9
  it('check hostile names in linear time', async () => {
    const startedAt = performance.now();
    for (const name of [
      `${'a'.repeat(253)}!`,
      `${'a-'.repeat(126)}!`,
      'a-'.repeat(127),
      `${'a'.repeat(500_000)}!`,
    ]) {
      expect((await post({ ...valid(), name })).status).toBe(422);
    }
    // Backtracking would take longer than anyone lives.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  // promises: RULE-7, RULE-8, HTTP-12
  it('come newest first, page by page, without gaps or repeats', async () => {
    for (let i = 0; i < 5; i++) await post(valid());
    const whole = (await list()).body;
    expect(whole.pages).toEqual({ page: 1, size: 1000, total: whole.data.length });
    const names: string[] = [];
    for (let page = 1; page <= Math.ceil(whole.pages.total / 3); page++) {
      const { body } = await list(`?page=${page}&page_size=3`);
      expect(body.pages).toEqual({ page, size: 3, total: whole.pages.total });
      names.push(...body.data.map((rule: { name: string }) => rule.name));
    }
    expect(names).toEqual(whole.data.map((rule: { name: string }) => rule.name));
    const created = whole.data.map((rule: { created_at: string }) => Date.parse(rule.created_at));
    expect(created).toEqual([...created].sort((a, b) => b - a));
    expect((await list('?page_size=0')).body).toEqual(whole);
    expect((await list('?page=1000')).body).toEqual({
      data: [],
      pages: { page: 1000, size: 1000, total: whole.pages.total },
    });
  });

  it.each([
    'page_size=1e9',
    'page_size=1001',
    'page_size=-1',
    'page_size=abc',
    'page_size=',
    'page_size=1&page_size=2',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=99999999999999999999',
    'limit=5',
  ])('refuse to be listed by ?%s', async (query) => {
    const answer = await list(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(
      /^(page|page_size) must be a whole number|^unknown query parameter .*limit|^the query parameter page_size has no value$/,
    );
  });
});
