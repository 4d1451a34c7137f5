import { randomUUID } from 'node:crypto';
import { describeDataPath } from '../support/describe';
import { startGateway } from '../support/gateway';
import { createRule, denyPattern, denyWords, postRule } from '../support/guardrails';

/** Invalid guardrails are refused with an exact message, and nothing is stored in part. */
describeDataPath('guardrails', ({ path }) => {
  const get = (id: string) => path.gateway.call('auditor', 'GET', `/guardrails/${id}`);

  const countRules = async () =>
    path.gateway.database.query(
      `SELECT (SELECT count(*) FROM guardrail_rules)::int AS rules,
              (SELECT count(*) FROM guardrail_connections)::int AS bindings`,
    );

  // promises: FORMAT-1, FORMAT-2, GUARDRAIL-1, GUARDRAIL-6, ENTRY-1
  it('of arguments are absent when they are an empty list, as some generated clients send it', async () => {
    const rules = [{ ...denyWords(['nothing']).rules[0], arguments: [] }];
    const created = await postRule(path.gateway, {
      name: 'no-arguments',
      input: { rules },
      output: { rules },
    });
    expect([created.status, created.text]).toEqual([201, expect.anything()]);
  });

  it('are read back as they were written', async () => {
    const input = denyWords(['DROP TABLE', 'ünïcode'], 'We keep our tables.');
    const body = {
      name: 'as-written',
      description: 'for the test',
      attributes: ['pii', 'pii'],
      connection_ids: [path.connectionId, path.connectionId],
      input: {
        rules: [
          { ...input.rules[0], name: 'first', arguments: ['/sql', '/a~1b/*', ''] },
          ...denyPattern('(?i)truncate').rules,
        ],
      },
      output: denyPattern('\\d{16}'),
    };
    const created = await postRule(path.gateway, body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...body,
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      attributes: ['pii'],
      connection_ids: [path.connectionId],
      managed_by: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d+Z$/),
      updated_at: expect.any(String),
      warnings: ['entries that name arguments of tool calls (input.rules 0) have no effect on orders'],
    });
    expect((await get(created.body.id)).body).toEqual(created.body);
    expect((await get(created.body.id.toUpperCase())).body).toEqual(created.body);
  });

  // promises: ENTRY-5, HTTP-17
  it('have defaults for all fields except the name', async () => {
    const created = await postRule(path.gateway, { name: 'bare' });
    expect(created.body).toMatchObject({
      description: '',
      attributes: [],
      connection_ids: [],
      input: { rules: [] },
      output: { rules: [] },
    });
    const entry = await postRule(path.gateway, {
      name: 'bare-entry',
      input: { rules: [{ type: 'pattern_match', pattern_regex: 'x' }] },
    });
    expect(entry.body.input).toEqual({ rules: [{ type: 'pattern_match', words: [], pattern_regex: 'x' }] });
  });

  const entries = (...rules: object[]) => ({ input: { rules } });
  const word = denyWords(['x']).rules[0] as object;

  // promises: ENTRY-1, GUARDRAIL-8, HTTP-3, HTTP-4
  it.each<[string, object, number, RegExp]>([
    [
      'an unknown type',
      entries(word, { ...word, type: 'ask' }),
      422,
      /^input\.rules\.1\.type must be one of/,
    ],
    ['no words', entries(denyWords([]).rules[0]!), 422, /^input\.rules\.0: words must not be empty/],
    ['an empty word', entries(denyWords(['x', '']).rules[0]!), 422, /^input\.rules\.0: .*empty word/],
    [
      'words that are no texts',
      entries({ ...word, words: [1] }),
      400,
      /^each value in input\.rules\.0\.words/,
    ],
    [
      'words that are no list',
      entries({ ...word, words: 'x' }),
      400,
      /input\.rules\.0\.words must be an array/,
    ],
    [
      'a word with NUL',
      entries({ ...word, words: ['\0'] }),
      422,
      /input\.rules\.0\.words must not contain NUL/,
    ],
    [
      'half a character',
      entries({ ...word, words: ['\uD800'] }),
      422,
      /words must not contain .* surrogates/,
    ],
    [
      'an empty pattern',
      { output: denyPattern('') },
      422,
      /^output\.rules\.0: pattern_regex must not be empty/,
    ],
    ['a look-ahead', { output: denyPattern('a(?=b)') }, 422, /^output\.rules\.0: .*not a valid RE2 pattern/],
    ['a look-behind', { input: denyPattern('(?<=a)b') }, 422, /^input\.rules\.0: .*RE2/],
    ['a backreference', { input: denyPattern('(a)\\1') }, 422, /^input\.rules\.0: .*RE2/],
    ['an open bracket', { input: denyPattern('(') }, 422, /^input\.rules\.0: .*RE2/],
    ['a huge repetition', { input: denyPattern('(a{1000}){1000}') }, 422, /^input\.rules\.0: .*RE2/],
    [
      '201 entries',
      entries(...Array.from({ length: 201 }, () => word)),
      422,
      /^input\.rules must contain no more than 200/,
    ],
    [
      'more than 64 KiB',
      { input: denyWords(['ü'.repeat(33_000)]) },
      422,
      /^the rules are larger than 64 KiB$/,
    ],
    [
      'an argument that is no JSON pointer',
      entries(word, { ...word, arguments: ['/sql', 'sql'] }),
      422,
      /^input\.rules\.1: arguments\.1 must be a JSON pointer like \/sql/,
    ],
    [
      'a wrong escape of a pointer',
      entries({ ...word, arguments: ['/a~2'] }),
      422,
      /^input\.rules\.0: arguments\.0 /,
    ],
    [
      'an argument that is no text',
      entries({ ...word, arguments: [1] }),
      400,
      /^each value in input\.rules\.0\.arguments/,
    ],
    [
      'arguments that are no list',
      entries({ ...word, arguments: '/sql' }),
      400,
      /input\.rules\.0\.arguments must be an array/,
    ],
    [
      '21 arguments',
      entries({ ...word, arguments: Array(21).fill('/a') }),
      422,
      /^input\.rules\.0\.arguments must contain no more than 20/,
    ],
    [
      'arguments of output',
      { output: { rules: [{ ...word, arguments: ['/a'] }] } },
      422,
      /^output\.rules\.0: arguments belongs to entries that judge input/,
    ],
    ['an unknown field', { severity: 'high' }, 400, /^unknown field severity$/],
    [
      'an unknown field of an entry',
      entries({ ...word, regex: 'x' }),
      400,
      /^unknown field input\.rules\.0\.regex$/,
    ],
    ['a rule set that is a list', { input: [] }, 400, /^input must be an object$/],
    ['no list of entries', { input: { rules: 'x' } }, 400, /^input\.rules must be an array$/],
    ['an entry that is a text', entries('x' as never), 400, /^input\.rules\.0 must be an object$/],
    ['an entry that is a list', entries([]), 422, /^input\.rules\.0/],
    ['an empty name', { name: '' }, 422, /^name must be longer/],
    ['a long name', { name: 'n'.repeat(129) }, 422, /^name must be shorter/],
    ['a name that is a number', { name: 7 }, 400, /^name must be a string$/],
    [
      'attributes that are no texts',
      { attributes: [{}] },
      400,
      /^each value in attributes must be a string$/,
    ],
    [
      'a connection id that is none',
      { connection_ids: ['orders'] },
      400,
      /^each value in connection_ids must be a UUID$/,
    ],
    ['an unknown connection', { connection_ids: [randomUUID()] }, 422, /^connection_ids names a connection/],
    ['a prototype', JSON.parse('{"__proto__": {"name": "x"}}'), 400, /^unknown field __proto__$/],
    ['a constructor', { constructor: { name: 'x' } }, 400, /^unknown field constructor$/],
    [
      'a prototype in an entry',
      JSON.parse('{"input": {"rules": [{"__proto__": 1}]}}'),
      400,
      /input|__proto__/,
    ],
    ['a body that is a list', [] as object, 400, /^the request body must be a JSON object$/],
  ])('refuse %s', async (_, change, status, message) => {
    const before = await countRules();
    const answer = await postRule(
      path.gateway,
      Array.isArray(change) ? change : Object.assign(Object.create(null), { name: 'refused' }, change),
    );
    expect(answer.body).toEqual({ message: expect.stringMatching(message) });
    expect(answer.status).toBe(status);
    expect(await countRules()).toEqual(before);
  });

  // promises: GUARDRAIL-2
  it('refuse a name twice', async () => {
    await createRule(path.gateway, { name: 'once' });
    const again = await postRule(path.gateway, { name: 'once', connection_ids: [path.connectionId] });
    expect(again.status).toBe(409);
    expect(again.body).toEqual({ message: 'a guardrail named once already exists' });
  });

  // promises: HTTP-3
  it('accept their own read-only fields, and ignore them', async () => {
    const { body: first } = await postRule(path.gateway, { name: 'original' });
    const copy = await postRule(path.gateway, {
      ...first,
      name: 'copy',
      org_id: randomUUID(),
      managed_by: 'gateway',
      sidecar_spec: { evil: true },
      sidecar_targets: [{ listener_name: 'x' }],
      created_at: '1970-01-01T00:00:00Z',
    });
    expect(copy.status).toBe(201);
    expect(copy.body.id).not.toBe(first.id);
    expect(copy.body.managed_by).toBeNull();
    expect(Date.parse(copy.body.created_at)).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  // promises: GUARDRAIL-7
  it('are not found by another id or an invalid id', async () => {
    const missing = await get(randomUUID());
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({ message: 'there is no guardrail with this id' });
    for (const id of ['1', 'null', '%00', '..%2fusers', `${randomUUID()}x`]) {
      const answer = await get(id);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message: 'id must be a UUID' });
    }
  });

  // promises: GUARDRAIL-5
  it('have no fields of sidecars, whatever the environment and the database say', async () => {
    const id = await createRule(path.gateway, { name: 'sidecar' });
    const target = { listener_name: 'front', sidecar_id: randomUUID() };
    await path.gateway.database.query(
      'UPDATE guardrail_rules SET sidecar_spec = $2, sidecar_targets = $3 WHERE id = $1',
      [id, { deny: 1 }, JSON.stringify([target])],
    );
    const plane = await startGateway({ environment: { CONTROL_PLANE: 'true' }, beside: path.gateway });
    const answer = await plane.call('admin', 'GET', `/guardrails/${id}`);
    await plane.close();
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('sidecar_');
    expect((await get(id)).body).toEqual(answer.body);
  });
});
