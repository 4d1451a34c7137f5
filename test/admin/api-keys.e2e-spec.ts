import { auditLineOf } from '../support/audit';
import { describeDataPath } from '../support/describe';
import { as, whoIs } from '../support/callers';
import { SLOWEST, eventually } from '../support/eventually';

/** Machines: their keys are shown once, and end when an admin revokes them. */
describeDataPath('API keys', ({ path }) => {
  const admin = (method: string, to: string, body?: object) => path.gateway.call('admin', method, to, body);
  const create = async (body: object): Promise<{ id: string; key: string }> => {
    const answer = await admin('POST', '/api-keys', body);
    expect([answer.status, answer.body.message]).toEqual([201, undefined]);
    return answer.body;
  };
  const run = (key: string, script: string) =>
    as(path.gateway, key, 'POST', '/sessions', { connection: 'orders', script });

  // promises: KEY-1, AUDIT-3
  it('are shown once, then masked, and stored as a hash', async () => {
    const answer = await admin('POST', '/api-keys', { name: 'once', groups: ['dba', 'dba'] });
    expect(answer.body).toEqual({
      id: expect.any(String),
      org_id: expect.any(String),
      name: 'once',
      key: expect.stringMatching(/^gwk_[\w-]{43}$/),
      masked_key: `${answer.body.key.slice(0, 8)}…`,
      groups: ['dba'],
      status: 'active',
      created_by: 'admin',
      expires_at: null,
      revoked_at: null,
      created_at: expect.any(String),
    });
    const { key, ...shown } = answer.body;
    expect((await admin('GET', `/api-keys/${shown.id}`)).body).toEqual(shown);
    expect((await admin('GET', '/api-keys')).body.data).toEqual([shown]);
    for (const table of ['api_keys', 'audit_log']) {
      const rows = await path.gateway.database.query<object>(`SELECT t::text FROM ${table} AS t`);
      expect(JSON.stringify(rows)).not.toContain(key.slice(8));
    }
    expect((await admin('GET', '/audit/logs')).text).not.toContain(key.slice(8));
  });

  // promises: SERVICE-1, KEY-2
  it('act as a machine with the rights of its groups', async () => {
    const { id, key } = await create({ name: 'reader', groups: ['auditor'] });
    expect((await whoIs(path.gateway, key)).body).toMatchObject({
      id: `api-key:${id}`,
      name: 'reader',
      groups: ['auditor'],
      role: 'auditor',
      identity_type: 'machine',
    });
    expect((await as(path.gateway, key, 'GET', '/users')).status).toBe(200);
    expect((await as(path.gateway, key, 'GET', '/api-keys')).status).toBe(403);
    expect((await run(key, 'SELECT 1')).status).toBe(403);
    const worker = await create({ name: 'worker' });
    const { body } = await run(worker.key, 'SELECT 41 + 1 AS n');
    expect(body.output).toBe('n\n42\n');
    expect((await path.read(body.session_id)).body).toMatchObject({
      identity_type: 'machine',
      user_name: 'worker',
    });
    expect((await as(path.gateway, worker.key, 'GET', `/sessions/${body.session_id}`)).status).toBe(200);
    expect((await path.read(body.session_id, '', 'alice')).status).toBe(404);
    const manager = await create({ name: 'manager', groups: ['admin'] });
    const created = await as(path.gateway, manager.key, 'POST', '/attributes', { name: 'by-machine' });
    expect(created.status).toBe(201);
    expect((await auditLineOf(path.gateway, created)).actor).toEqual({
      id: `api-key:${manager.id}`,
      email: '',
      type: 'machine',
    });
  });

  it.each(['gwk_', `gwk_${'A'.repeat(43)}`, `gwk_${'A'.repeat(5000)}`, 'GWK_x'])(
    'unknown: %.20s is 401',
    async (key) => {
      const answer = await whoIs(path.gateway, key);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    },
  );

  // promises: KEY-3
  it('end when they expire', async () => {
    const { id, key } = await create({ name: 'short', expires_at: '2099-01-01T00:00:00Z' });
    expect((await whoIs(path.gateway, key)).status).toBe(200);
    await path.gateway.database.query(
      `UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`,
      [id],
    );
    const answer = await eventually(
      'the key has expired',
      async () => {
        const seen = await whoIs(path.gateway, key);
        return seen.status === 401 && seen;
      },
      1_000 * SLOWEST,
    );
    expect(answer.body).toEqual({ message: 'this API key is expired' });
    expect((await admin('GET', `/api-keys/${id}`)).body.status).toBe('expired');
    for (const [expires_at, status] of [
      ['2001-01-01T00:00:00Z', 422],
      ['tomorrow', 422],
      ['2099-W01-1', 422],
      ['20990101', 422],
      [5, 422],
    ]) {
      const refused = await admin('POST', '/api-keys', { name: 'never', expires_at });
      expect([expires_at, refused.status]).toEqual([expires_at, status]);
    }
  });

  // promises: KEY-3
  it('revoked: are refused within a second, and their sessions end', async () => {
    const { id, key } = await create({ name: 'runner' });
    const script = 'SELECT pg_sleep(30)';
    const running = run(key, script);
    await path.untilRunning(/pg_sleep/);
    expect((await admin('DELETE', `/api-keys/${id}`)).status).toBe(204);
    const refused = await eventually(
      'the key is refused',
      async () => {
        const seen = await whoIs(path.gateway, key);
        return seen.status === 401 && seen;
      },
      1_000 * SLOWEST,
    );
    expect(refused.body).toEqual({ message: 'this API key is revoked' });
    await eventually('the session is over', async () => (await path.sessionOf(script)).end_date !== null);
    expect((await running).body.output_status).not.toBe('success');
    const again = await admin('DELETE', `/api-keys/${id}`);
    expect(again.status).toBe(204);
    expect((await admin('GET', `/api-keys/${id}`)).body).toMatchObject({ status: 'revoked' });
  });

  // promises: KEY-4
  it('have names that are unique while they live', async () => {
    const { id } = await create({ name: 'twice' });
    const refused = await admin('POST', '/api-keys', { name: 'twice' });
    expect([refused.status, refused.body.message]).toEqual([409, 'an API key named twice already exists']);
    await admin('DELETE', `/api-keys/${id}`);
    const next = await create({ name: 'twice' });
    expect(next.id).not.toBe(id);
    expect((await admin('DELETE', '/api-keys/nope')).status).toBe(400);
    expect((await admin('DELETE', '/api-keys/00000000-0000-4000-8000-000000000000')).status).toBe(404);
  });
});
