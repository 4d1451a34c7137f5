import { describeGuardedPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { blockWord } from '../support/guarded-path';
import { secretOf } from '../support/target';
import { WireClient, shown } from '../support/wire-client';
import * as wire from '../support/wire-messages';

const ROLE = 'app_{group:engin}';
const REFUSED = /^E 42501 On this connection you act as a role of your own/;

/**
 * A connection whose sessions use a separate role for each person at the target. alice is in the group
 * `engineering`, bob in `dba`.
 */
describeGuardedPath('a connection that acts as a role of each person', ({ path }) => {
  let account: Record<string, string>;
  let count = 0;

  beforeAll(async () => {
    const secret = secretOf(path.target);
    // A role belongs to the whole server, which other tests use too, so the role may exist already.
    await path.target.query(`
      DO $$ BEGIN CREATE ROLE app_eering; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      DO $$ BEGIN CREATE ROLE app_account LOGIN PASSWORD 'by-role'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      GRANT app_eering TO app_account;
      CREATE TABLE secrets (id int); GRANT ALL ON secrets TO app_account;
      CREATE TABLE notes (text text, owner name DEFAULT current_user); GRANT ALL ON notes TO app_eering, app_account;
    `);
    account = { ...secret, USER: 'app_account', PASS: 'by-role' };
  });

  const connect = (name: string, more: object = {}) =>
    path.connect(name, { secret: { ...account, ROLE }, ...more });
  const rows = async (client: WireClient, sql: string) =>
    (await client.ask(wire.query(sql))).filter((line) => /^[DE]/.test(line));

  // promises: ROLE-1, ROLE-2
  it('acts so in sessions of clients, in scripts and in lists of tables, and says so in the recording', async () => {
    await connect('by-role');
    const client = await path.signIn('by-role', 'alice');
    expect(await rows(client, 'SELECT current_user, session_user')).toEqual(['D app_eering|app_account']);
    expect(await rows(client, 'SELECT * FROM secrets')).toEqual([
      expect.stringMatching(/^E 42501 permission denied for table secrets/),
    ]);
    const script = await path.run(
      'INSERT INTO notes VALUES ($$x$$); SELECT current_user, owner FROM notes',
      { connection: 'by-role' },
      'alice',
    );
    expect([script.status, script.body.output]).toEqual([
      200,
      expect.stringContaining('app_eering\tapp_eering'),
    ]);
    const tables = await path.gateway.call('alice', 'GET', '/connections/by-role/tables');
    expect(tables.status).toBe(200);
    const { body } = await path.gateway.call('admin', 'GET', '/sessions?connection=by-role');
    const labels = (body.data as { labels: object }[]).map(({ labels }) => labels);
    expect(labels.length).toBeGreaterThan(1);
    for (const each of labels) expect(each).toMatchObject({ target_role: 'app_eering' });
    const test = await path.gateway.call('admin', 'GET', '/connections/by-role/test');
    expect(test.body).toMatchObject({ success: true });
  });

  // promises: ROLE-3
  it.each([
    'SET ROLE NONE',
    'SET LOCAL ROLE app_account',
    'SET SESSION AUTHORIZATION DEFAULT',
    'RESET SESSION AUTHORIZATION',
    'RESET ROLE',
    'DISCARD ALL',
    `SELECT set_config('role', 'none', false)`,
    `SELECT set_config(lower('ROLE'), 'none', false)`,
    `UPDATE pg_settings SET setting = 'none' WHERE name = 'role'`,
    `DO $$ BEGIN SET ROLE NONE; END $$`,
    `CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN SET ROLE NONE; RETURN 1; END $$`,
    `CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql SET role = app_account AS 'SELECT 1'`,
    `SELECT query_to_xml('SET ROLE NONE', true, true, '')`,
    'SET ROLE /* unterminated',
  ])('is not left by %s', async (text) => {
    const name = `kept-${++count}`;
    await connect(name);
    const client = await path.signIn(name, 'alice');
    expect((await client.ask(wire.query(text))).join()).toMatch(REFUSED);
    expect((await client.ask(wire.parse(text), wire.bind(), wire.execute(), wire.SYNC)).join()).toMatch(
      REFUSED,
    );
    expect(await rows(client, 'SELECT current_user')).toEqual(['D app_eering']);
    const run = await path.run(text, { connection: name }, 'alice');
    expect(run.body.output).toContain('you act as a role of your own');
  });

  // promises: ROLE-3
  it.each([
    ['role', 'none'],
    ['Role', 'app_account'],
    ['session_authorization', 'app_account'],
    ['options', '-c role=none'],
    ['options', '--Session-Authorization=default'],
  ])('is not left at the start of a client: %s=%s', async (name, value) => {
    const connection = `started-${++count}`;
    await connect(connection);
    const gone = await WireClient.tried(path.gateway, connection, 'alice', { [name]: value });
    expect(shown(gone.greeting).join()).toContain('you act as a role of your own');
    gone.close();
  });

  /** Makes alice a member of this group, and of no other group with the prefix `role-`. */
  const join = async (group: string | undefined) => {
    await path.gateway.call('alice', 'GET', '/userinfo');
    await path.gateway.database.query(
      `WITH left_groups AS (DELETE FROM user_groups WHERE group_name LIKE 'role-%')
       INSERT INTO user_groups (org_id, user_id, group_name, source)
       SELECT org_id, id, $1::text, 'manual' FROM users WHERE subject = 'alice' AND $1::text IS NOT NULL`,
      [group ?? null],
    );
  };

  /** Makes alice a member of this group, too. */
  const joinAlso = (group: string) =>
    path.gateway.database.query(
      `INSERT INTO user_groups (org_id, user_id, group_name, source)
       SELECT org_id, id, $1, 'manual' FROM users WHERE subject = 'alice'`,
      [group],
    );

  // promises: ROLE-2
  it('is refused to people without such a role, in words that are recorded, and nothing is sent to the target', async () => {
    const words = 'this connection acts as a role of each person, and none of your groups begins with engin';
    await connect('not-for-bob');
    const run = await path.run('SELECT 1', { connection: 'not-for-bob' }, 'bob');
    expect([run.status, run.body.message]).toEqual([403, words]);
    await expect(path.signIn('not-for-bob', 'bob')).rejects.toThrow(words);
    const { body } = await path.gateway.call('admin', 'GET', '/sessions?connection=not-for-bob');
    expect(body.data).toHaveLength(2);
    for (const { id } of body.data) expect(JSON.stringify(await path.recording(id))).toContain(words);
    const policy = await path.gateway.call(
      'admin',
      'GET',
      '/connections/not-for-bob/effective-policy?user=bob@example.com',
    );
    expect(JSON.stringify(policy.body)).toContain('"no_role"');
    expect(policy.body.target_role).toBeNull();
  });

  // promises: ROLE-2
  it('is named by the effective policy', async () => {
    await connect('named-by-policy');
    const roleOf = async (name: string): Promise<string | null> =>
      (await path.gateway.call('alice', 'GET', `/connections/${name}/effective-policy`)).body.target_role;
    expect(await roleOf('named-by-policy')).toBe('app_eering');
    await connect('without-roles', { secret: account });
    expect(await roleOf('without-roles')).toBeNull();
  });

  // promises: ROLE-1
  it.each([
    ['role-none', 'none is the name of no role'],
    [`role-${'x'.repeat(64)}`, 'is longer than 63 bytes'],
  ])('is refused for the group %s, whose role would be another', async (group, words) => {
    await connect(`odd-${++count}`, { secret: { ...account, ROLE: '{group:role-}' } });
    await join(group);
    const run = await path.run('SELECT current_user', { connection: `odd-${count}` }, 'alice');
    expect([run.status, run.body.message]).toEqual([403, expect.stringContaining(words)]);
  });

  // promises: ROLE-2
  it('ends the sessions of people who lose their role, or have another one', async () => {
    await connect('for-a-time', { secret: { ...account, ROLE: '{group:role-}' } });
    for (const next of [undefined, 'role-pg_monitor']) {
      await join('role-app_eering');
      const client = await path.signIn('for-a-time', 'alice');
      expect(await rows(client, 'SELECT current_user')).toEqual(['D app_eering']);
      await join(next);
      await eventually('the session ends', async () => client.isOver);
    }
    const { body } = await path.gateway.call('admin', 'GET', '/sessions?connection=for-a-time');
    const [second, first] = body.data as { id: string }[];
    const said = async (one: { id: string } | undefined) => JSON.stringify(await path.recording(one!.id));
    expect(await said(first)).toContain('none of your groups begins with role-');
    expect(await said(second)).toContain('they no longer act as the role app_eering');
  });

  // promises: ROLE-2
  it.each([
    ['a person gains a second group', '', 'several of your groups begin with late-'],
    ['a person gains a second group, and clients are switched off', 'off', 'several of your groups begin'],
    ['the connection gets a role', 'role', 'they now act as the role app_eering'],
  ])('ends open sessions when %s', async (_, change, words) => {
    const name = `changed-${++count}`;
    const prefix = `late-${count}-`;
    const ROLE = `app_{group:${prefix}}`;
    const more = change === 'role' ? { secret: account } : { secret: { ...account, ROLE } };
    await joinAlso(`${prefix}eering`);
    await connect(name, more);
    const client = await path.signIn(name, 'alice');
    expect(await rows(client, 'SELECT current_user')).toEqual([
      `D app_${change === 'role' ? 'account' : 'eering'}`,
    ]);
    const patch = async (body: object) =>
      expect((await path.gateway.call('admin', 'PATCH', `/connections/${name}`, body)).status).toBe(200);
    if (change === 'role') await patch({ secret: { ROLE } });
    if (change === 'off') await patch({ access_mode_connect: 'disabled' });
    if (change !== 'role') await joinAlso(`${prefix}other`);
    await eventually('the session ends', async () => client.isOver);
    const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${name}`);
    expect(JSON.stringify(await path.recording(body.data[0].id))).toContain(words);
  });

  // promises: ROLE-3
  it('says so when a script is only checked', async () => {
    await connect('checked');
    const check = async (script: string) =>
      (await path.gateway.call('alice', 'POST', '/connections/checked/script-check', { script })).body;
    expect(await check('SET ROLE NONE')).toMatchObject({ verdict: 'block' });
    expect(await check('SELECT 1')).toMatchObject({ verdict: 'pass' });
  });

  it('whose secret no key opens says so, and nothing is sent to the target', async () => {
    await connect('sealed');
    await path.gateway.database.query(
      `UPDATE connections SET secret = set_byte(secret, 20, (get_byte(secret, 20) + 1) % 256) WHERE name = 'sealed'`,
    );
    const run = await path.run('SELECT 1', { connection: 'sealed' }, 'alice');
    expect(run.body.output).toBe(
      'The secret of this connection could not be opened. Please tell an administrator.\n',
    );
  });

  // promises: ROLE-1
  it('is refused by the target where it has no such role, or does not give it', async () => {
    for (const [name, ROLE, words] of [
      ['unknown-role', 'no_such_role', /role "no_such_role" does not exist/],
      ['not-granted', 'pg_read_all_data', /permission denied to set role/],
    ] as const) {
      await path.connect(name, { secret: { ...account, ROLE } });
      const run = await path.run('SELECT 1', { connection: name });
      expect(run.body.output).toBe(
        'The database does not let the user of this connection act as your role, or has no such role.\n',
      );
      await expect(path.signIn(name, 'alice')).rejects.toThrow(words);
    }
  });

  // promises: ROLE-1
  it.each(['{email}', 'a{', '{subject}{subject}', '{group:}', 'none'])(
    'has a template that is checked: %s',
    async (template) => {
      const { status } = await path.gateway.call('admin', 'POST', '/connections', {
        name: 'wrong-template',
        type: 'database',
        subtype: 'postgres',
        secret: { ...account, ROLE: template },
      });
      expect(status).toBe(422);
    },
  );

  // promises: ROLE-3
  it('keeps to its role where rules of admins apply too, and those of other connections do not change', async () => {
    await connect('with-rules');
    await path.connect('without-role', { secret: account });
    const own = await path.signIn('with-rules', 'alice');
    const other = await path.signIn('without-role', 'alice');
    expect(await rows(other, 'SET ROLE app_eering; SELECT current_user')).toEqual(['D app_eering']);
    const rule = await path.gateway.call('admin', 'POST', '/guardrails', {
      name: 'a word',
      connection_ids: [(await path.gateway.call('admin', 'GET', '/connections/with-rules')).body.id],
      input: blockWord('forbidden', 'Not here.'),
    });
    expect(rule.status).toBe(201);
    expect((await own.ask(wire.query('SET ROLE NONE'))).join()).toMatch(REFUSED);
    expect((await own.ask(wire.query("SELECT 'forbidden'"))).join()).toContain('E 42501 Not here.');
    expect(await rows(own, 'SELECT current_user')).toEqual(['D app_eering']);
  });
});
