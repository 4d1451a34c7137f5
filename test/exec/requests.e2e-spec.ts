import { describeDataPath } from '../support/describe';

/** Inputs of POST /sessions. Invalid inputs are refused before anything runs or is recorded. */
describeDataPath('asking for a script', ({ path }) => {
  beforeAll(async () => {
    await path.gateway.call('admin', 'POST', '/connections', {
      name: 'tools',
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com' },
    });
  });

  // promises: RUN-7
  it.each([
    ['NUL in the script', { script: 'SELECT 1\0' }, 422, /^script must not contain NUL/],
    ['no script', { script: '' }, 422, /^script /],
    ['a script that is no text', { script: ['SELECT 1'] }, 400, /^script must be a string/],
    ['an environment', { env_vars: { A: 'b' } }, 422, /^env_vars must be empty/],
    ['arguments', { client_args: ['-x'] }, 422, /^client_args must be empty/],
    ['an unknown field', { shell: true }, 400, /^unknown field shell$/],
    ['a prototype', JSON.parse('{"__proto__":{"script":"x"}}'), 400, /^unknown field __proto__$/],
    [
      'a connection that does not exist',
      { connection: 'nowhere' },
      404,
      /^there is no connection named nowhere$/,
    ],
    ['a bad connection name', { connection: '../x' }, 422, /^connection must be letters/],
    ['metadata that is no object', { metadata: [1] }, 400, /^metadata must be an object/],
    [
      'metadata of 21 keys',
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, i])) },
      422,
      /^metadata must have at most 20 keys/,
    ],
    ['metadata of 2501 characters', { metadata: { a: 'x'.repeat(2_501) } }, 422, /^metadata .* 2500/],
    ['metadata with NUL deep inside', { metadata: { a: [{ 'b\0': 1 }] } }, 422, /^metadata /],
    ['metadata with half a character', { metadata: { a: '\uD800' } }, 422, /^metadata /],
    ['labels with half a character', { labels: { a: '\uDC00' } }, 422, /^labels /],
    ['labels that are no text', { labels: { a: 1 } }, 422, /^labels must be at most 20 strings/],
    ['a batch id with NUL', { session_batch_id: '\0' }, 422, /^session_batch_id must not contain NUL/],
    ['a long reason', { reason: 'x'.repeat(1_001) }, 422, /^reason /],
    ['a reason that is no text', { reason: ['why'] }, 400, /^reason must be a string/],
    ['a long correlation id', { correlation_id: 'x'.repeat(129) }, 422, /^correlation_id /],
  ])('refuses %s, and records nothing', async (_, more, status, message) => {
    const before = await path.countSessions();
    const answer = await path.run('SELECT 1', more);
    expect(answer.body).toEqual({ message: expect.stringMatching(message) });
    expect(answer.status).toBe(status);
    expect(await path.countSessions()).toBe(before);
  });

  it.each([65, 200_000])('refuses a body nested %i levels deep', async (levels) => {
    const nested = `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`;
    const body = `{"connection":"orders","script":"SELECT 1","metadata":${nested}}`;
    const answer = await path.gateway.call('admin', 'POST', '/sessions', body);
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: 'the request body is nested more than 64 levels deep' },
    ]);
  });

  it('refuses an auditor and a stranger', async () => {
    expect((await path.run('SELECT 1', {}, 'auditor')).status).toBe(403);
    expect((await path.gateway.call(null, 'POST', '/sessions', {})).status).toBe(401);
    expect(await path.countSessions()).toBe(0);
  });

  // promises: RUN-8, CONNECTION-10
  it('refuses a connection whose scripts are switched off, and records the refusal', async () => {
    await path.connect('no-scripts', { access_mode_exec: 'disabled' });
    const answer = await path.run('SELECT 4711', { connection: 'no-scripts' });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ message: 'the connection no-scripts does not accept scripts' });
    const session = await path.sessionOf('SELECT 4711');
    expect(session).toMatchObject({ status: 'done', exit_code: 254, end_date: expect.any(Date) });
    expect(await path.recording(session.id)).toEqual([
      ['i', 'SELECT 4711'],
      ['e', 'the connection no-scripts does not accept scripts\n'],
    ]);
  });

  // promises: AUTH-7
  it('refuses people whose groups may not open the connection', async () => {
    await path.connect('for-dba', { access_groups: ['dba'] });
    const feature = (on: boolean) =>
      path.gateway.database.query(
        `UPDATE organizations SET features = features || jsonb_build_object('access_control', $1::boolean)`,
        [on],
      );
    await feature(true);
    const statuses = await Promise.all(
      (['alice', 'bob', 'admin'] as const).map(
        async (person) => (await path.run('SELECT 1', { connection: 'for-dba' }, person)).status,
      ),
    );
    await feature(false);
    expect(statuses).toEqual([404, 200, 200]);
    expect((await path.run('SELECT 1', { connection: 'for-dba' }, 'alice')).status).toBe(200);
  });

  // promises: RUN-13
  it('refuses scripts on an MCP server', async () => {
    const answer = await path.run('SELECT 1', { connection: 'tools' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      output: 'Scripts cannot be run on application/mcpproxy connections.\n',
      output_status: 'failed',
      exit_code: 254,
    });
    expect((await path.read(answer.body.session_id)).body).toMatchObject({ status: 'done', exit_code: 254 });
  });

  // promises: SESSION-3, SESSION-9
  it('returns the caller’s labels and metadata of the session', async () => {
    const said = {
      labels: { ticket: 'OPS-12' },
      metadata: { nested: { list: [1, null, 'ü'] }, text: 'a "\\u0000" that is no NUL' },
      session_batch_id: 'batch-7',
      correlation_id: 'trace-9',
      reason: 'OPS-12: refund of order 4711',
    };
    const answer = await path.run('SELECT 1', { ...said, env_vars: {}, client_args: [] }, 'alice');
    expect(answer.status).toBe(200);
    expect((await path.read(answer.body.session_id, '', 'alice')).body).toMatchObject({
      ...said,
      user: 'alice@example.com',
      user_id: 'alice',
      user_name: 'Alice Engineer',
      identity_type: 'user',
    });
  });
});
