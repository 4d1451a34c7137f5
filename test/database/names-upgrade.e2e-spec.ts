import { randomUUID } from 'node:crypto';
import { migrate } from '../../src/platform/database/schema/migrate';
import { NormalNames1766210000000 } from '../../src/platform/database/migrations/1766210000000-normal-names';
import { describeGateway } from '../support/describe';
import { startGateway } from '../support/gateway';
import { undoDownTo } from '../support/undo-migrations';

const [NFC, NFD] = ['caf\u00E9', 'cafe\u0301'];

/** Rows that were stored before names were normalized. */
describeGateway('the migration to names of one form', ({ gateway }) => {
  const [alice, bob, carol, connection, key, review] = Array.from({ length: 6 }, () => randomUUID());

  beforeAll(async () => {
    const { database } = gateway;
    await undoDownTo(database, NormalNames1766210000000);
    const [{ id: org } = { id: '' }] = await database.query<{ id: string }>('SELECT id FROM organizations');
    const insert = (table: string, row: Record<string, unknown>) => {
      const columns = Object.keys(row);
      const values = columns.map((_, at) => `$${at + 2}`).join(', ');
      return database.query(`INSERT INTO ${table} (org_id, ${columns.join(', ')}) VALUES ($1, ${values})`, [
        org,
        ...Object.values(row),
      ]);
    };
    for (const [id, name] of [
      [alice, 'Alice'],
      [bob, 'B\u202Eob'],
      [carol, 'Carol'],
    ])
      await insert('users', { id, subject: `${name?.[0]?.toLowerCase()}`, email: '', name });
    // Members of groups. Before this migration, names were compared byte by byte.
    for (const [user_id, group_name] of [
      [alice, NFC],
      [bob, NFD],
      [bob, 'admin '],
      [carol, 'dba '],
      [carol, 'o\u200Bps'],
      [alice, 'ops'],
    ])
      await insert('user_groups', { user_id, group_name, source: 'idp' });
    await insert('groups', { name: NFD, description: 'the other one' });
    await insert('attributes', { name: NFC, description: 'first' });
    await insert('attributes', { name: NFD, description: 'second' });
    await insert('attributes', { name: ' pii', description: 'kept' });
    await insert('connections', {
      id: connection,
      name: 'orders',
      type: 'database',
      subtype: 'postgres',
      secret: Buffer.alloc(1),
      secret_names: [],
      access_groups: [NFD, 'dba ', 'ops'],
      attributes: [NFD, NFC, ' pii'],
      connection_tags: { 'a ': '1', a: '2' },
      resource_name: '\u200B',
    });
    const rules = { input: {}, output: {} };
    await insert('guardrail_rules', { name: NFC, attributes: [NFC], ...rules });
    await insert('guardrail_rules', { name: NFD, attributes: ['pii'], ...rules });
    await insert('access_request_rules', {
      name: 'asks',
      access_type: 'command',
      reviewers_groups: ['dba ', NFD],
      min_approvals: 1,
      connection_names: [' orders'],
    });
    await insert('api_keys', {
      id: key,
      name: 'robot',
      prefix: 'gwk_',
      key_hash: 'x',
      groups: ['admin '],
      created_by: 'admin',
    });
    await insert('api_keys', {
      name: 'robot ',
      prefix: 'gwk_',
      key_hash: 'y',
      groups: [],
      created_by: 'admin',
    });
    await insert('connection_credentials', {
      connection_id: connection,
      identity_type: 'user',
      user_id: carol,
      owner_groups: ['dba ', 'o\u200Bps'],
      iterations: 4096,
      salt: Buffer.alloc(16),
      stored_key: Buffer.alloc(32),
      server_key: Buffer.alloc(32),
      expire_at: new Date(Date.now() + 3_600_000),
    });
    await insert('reviews', {
      id: review,
      type: 'jit',
      status: 'PENDING',
      access_duration: 60,
      access_request_rule_name: 'asks',
      min_approvals: 1,
      force_approval_groups: [],
      expires_at: new Date(Date.now() + 3_600_000),
      connection_id: connection,
      connection_name: 'orders',
      connection_subtype: 'postgres',
      requester_id: alice,
      requester_type: 'user',
      requester_subject: 'a',
      requester_email: '',
      requester_name: '',
      person_behind: 'a',
      rules: JSON.stringify([{ name: 'asks', reviewersGroups: ['dba ', NFD], approvalRequiredGroups: [] }]),
    });
    await insert('review_groups', { review_id: review, group_name: 'dba ', status: 'PENDING' });
    await migrate(database.url);
  });

  const query = <T extends object>(sql: string, values: unknown[] = []): Promise<T[]> =>
    gateway.database.query<T>(sql, values);
  const one = async (sql: string): Promise<unknown> => Object.values((await query(sql))[0] ?? {})[0];
  const groupsOf = (user: string | undefined) =>
    one(`SELECT array_agg(group_name ORDER BY group_name) FROM user_groups WHERE user_id = '${user}'`);

  it('no group gains another’s access or a role, and none loses access', async () => {
    expect(await groupsOf(alice)).toEqual([NFC, 'ops']);
    expect(await groupsOf(bob)).toEqual(['admin (2)', `${NFC} (2)`]);
    expect(await groupsOf(carol)).toEqual(['dba', 'ops (2)']);
    expect(await one('SELECT access_groups FROM connections')).toEqual([`${NFC} (2)`, 'dba', 'ops']);
    expect(await one(`SELECT groups FROM api_keys WHERE id = '${key}'`)).toEqual(['admin (2)']);
    expect(await query('SELECT name, description FROM groups')).toEqual([
      { name: `${NFC} (2)`, description: 'the other one' },
    ]);
    expect(await one('SELECT owner_groups FROM connection_credentials')).toEqual(['dba', 'ops (2)']);
  });

  it('reviewers of pending reviews stay reviewers', async () => {
    expect(await one('SELECT reviewers_groups FROM access_request_rules')).toEqual(['dba', `${NFC} (2)`]);
    expect(await one('SELECT group_name FROM review_groups')).toBe('dba');
    expect(await one(`SELECT rules -> 0 -> 'reviewersGroups' FROM reviews WHERE id = '${review}'`)).toEqual([
      'dba',
      `${NFC} (2)`,
    ]);
  });

  it('attributes that look the same are merged, so that rules apply where they seem to', async () => {
    expect(await query('SELECT name, description FROM attributes ORDER BY name')).toEqual([
      { name: NFC, description: 'first' },
      { name: 'pii', description: 'kept' },
    ]);
    expect(await one('SELECT attributes FROM connections')).toEqual([NFC, 'pii']);
    expect(await one('SELECT connection_names FROM access_request_rules')).toEqual(['orders']);
  });

  it('rules, keys, tags and people keep names of their own', async () => {
    expect(await query('SELECT name FROM guardrail_rules ORDER BY name')).toEqual([
      { name: NFC },
      { name: `${NFC} (2)` },
    ]);
    expect(await query('SELECT name FROM api_keys ORDER BY name')).toEqual([
      { name: 'robot' },
      { name: 'robot (2)' },
    ]);
    expect(await one('SELECT connection_tags FROM connections')).toEqual({ a: '2', 'a (2)': '1' });
    expect(await one('SELECT resource_name FROM connections')).toBe('unnamed');
    expect(await one(`SELECT name FROM users WHERE id = '${bob}'`)).toBe('Bob');
  });

  it('issued credentials still do not change', async () => {
    await expect(query(`UPDATE connection_credentials SET owner_groups = '{}'`)).rejects.toThrow();
  });

  it('writes its changes to the audit log once, at the next start', async () => {
    const changes = await query<{ resource: string; before: string; after: string; note: string }>(
      'SELECT resource, field, before, after, note FROM name_changes ORDER BY resource, before',
    );
    expect(changes).toContainEqual({
      resource: 'attributes',
      field: 'name',
      before: NFD,
      after: NFC,
      note: `became one with ${NFC}; its description was: second`,
    });
    expect(changes).toContainEqual({
      resource: 'groups',
      field: 'name',
      before: 'admin ',
      after: 'admin (2)',
      note: '',
    });
    for (let starts = 0; starts < 2; starts++) await (await startGateway({ beside: gateway })).close();
    const { body } = await gateway.call('admin', 'GET', '/audit/logs?actor=gateway&action=update');
    expect(body.data).toHaveLength(changes.length);
    expect(body.data).toContainEqual(
      expect.objectContaining({
        resource_type: 'groups',
        resource_id: 'admin (2)',
        changes: [{ field: 'name', before: 'admin ', after: 'admin (2)' }],
      }),
    );
    expect((await gateway.call('admin', 'GET', '/audit/verify')).body).toMatchObject({ valid: true });
  });
});
