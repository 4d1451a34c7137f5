import { describeScoped } from '../support/describe';
import { captureLog } from '../support/log';
import { startDataPath } from '../support/data-path';
import { eventually } from '../support/eventually';
import type { Person } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { secretOf } from '../support/target';

const CANARY = 'c4n4ry-s3cr3t';

/** Lists, reads, changes, restricts and deletes connections. */
describeScoped('connections', (begin) => {
  const log = begin(captureLog, (captured) => captured.restore());
  const path = begin(() => startDataPath({ LOG_LEVEL: 'debug' }));
  const answers: string[] = [];

  beforeAll(async () => {
    await path.target.query(`CREATE ROLE app_${process.pid} LOGIN PASSWORD '${CANARY}'`);
  });

  afterAll(async () => {
    await path.target.query(`DROP ROLE app_${process.pid}`);
  });

  const call = async (person: Person, method: string, to: string, body?: object, headers = {}) => {
    const answer = await path.gateway.call(person, method, to, body, headers);
    answers.push(answer.text);
    return answer;
  };
  const admin = (method: string, to: string, body?: object, headers = {}) =>
    call('admin', method, to, body, headers);
  const runs = async (connection: string, person: Person = 'admin') => {
    const answer = await path.run('SELECT current_user AS me', { connection }, person);
    answers.push(answer.text);
    return answer;
  };
  const whoRuns = async (connection: string) => (await runs(connection)).body.output?.split('\n')[1] ?? null;

  // promises: CONNECTION-7
  it('are listed by every filter, in pages, newest first', async () => {
    const make = (name: string, more: object) => path.connect(name, more);
    await make('pg-prod', { connection_tags: { env: 'prod', team: 'data' }, attributes: ['pii'] });
    await make('pg-test', { connection_tags: { env: 'test' }, description: 'for 100% of the TESTS' });
    await admin('POST', '/connections', {
      name: 'mcp-files',
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: `https://mcp.example.com/${CANARY}`, HEADER_Authorization: CANARY },
      connection_tags: { env: 'prod' },
    });
    const listed = async (query: string) => {
      const { body, status } = await admin('GET', `/connections?${query}`);
      return status === 200 ? body.data.map((connection: { name: string }) => connection.name) : status;
    };
    for (const [query, names] of [
      ['', ['mcp-files', 'pg-test', 'pg-prod', 'orders']],
      ['search=PG-', ['pg-test', 'pg-prod']],
      ['search=tests', ['pg-test']],
      ['search=100%25', ['pg-test']],
      ['search=%25', ['pg-test']],
      ['search=_', []],
      ['type=application', ['mcp-files']],
      ['subtype=postgres', ['pg-test', 'pg-prod', 'orders']],
      ['attribute=pii', ['pg-prod']],
      ['attribute=pi', []],
      ['tag_selector=env%3Dprod', ['mcp-files', 'pg-prod']],
      ['tag_selector=env%3Dprod,team%3Ddata', ['pg-prod']],
      ['tag_selector=env%3Dprod,team!%3Ddata', ['mcp-files']],
      ['tag_selector=env!%3Dprod', ['pg-test', 'orders']],
      ['tag_selector=env%3D', []],
      ['tag_selector=__proto__%3Dx', []],
      ['tag_selector=env', 400],
      ['tag_selector=env%3D%3Dprod', 400],
      ['tag_selector=env%3Dprod,', 400],
      [`tag_selector=${'k'.repeat(65)}%3Dv`, 400],
      ['subtype=postgres&page=2&page_size=2', ['orders']],
    ] as const) {
      expect([query, await listed(query)]).toEqual([query, names]);
    }
  });

  it('are read by name and by id, by everyone while access control is off, never with a secret', async () => {
    const byName = await call('alice', 'GET', '/connections/orders');
    const byId = await call('auditor', 'GET', `/connections/${path.connectionId}`);
    expect(byName.body).toEqual(byId.body);
    expect(new Set(Object.values(byName.body.secret))).toEqual(new Set(['']));
    expect((await admin('GET', '/connections/nope')).body).toEqual({
      message: 'there is no such connection',
    });
  });

  // promises: CONNECTION-4, AUDIT-3
  it('keep a secret that is sent back empty, take a new one at once, drop names that are gone', async () => {
    await path.connect('kept');
    const { body: read } = await admin('GET', '/connections/kept');
    const superuser = await whoRuns('kept');
    const same = await admin('PUT', '/connections/kept', { ...read, description: 'sent back' });
    expect([same.status, same.body.description, await whoRuns('kept')]).toEqual([
      200,
      'sent back',
      superuser,
    ]);

    const secret = { ...read.secret, USER: `app_${process.pid}`, 'envvar:PASS': btoa(CANARY) };
    delete secret.PASS;
    expect((await admin('PUT', '/connections/kept', { ...read, secret })).status).toBe(200);
    expect(await whoRuns('kept')).toBe(`app_${process.pid}`);

    const { SSLMODE: _, ...fewer } = read.secret;
    const put = await admin('PUT', '/connections/kept', { ...read, secret: fewer });
    expect(Object.keys(put.body.secret)).toEqual(['DB', 'HOST', 'PASS', 'PORT', 'USER']);
    const incomplete = await admin('PUT', '/connections/kept', { ...read, secret: { HOST: '' } });
    expect([incomplete.status, incomplete.body.message]).toEqual([
      422,
      'secret.USER is required; secret.DB is required',
    ]);

    const { data } = (
      await admin('GET', '/audit/logs?resource_type=connections&action=update&outcome=success')
    ).body;
    const secretChanges = data.map((line: { changes: { field: string; before: string; after: string }[] }) =>
      line.changes.filter(({ field }) => field === 'secret').map(({ before, after }) => [before, after]),
    );
    const redacted = [['[redacted]', '[redacted]']];
    expect(secretChanges).toEqual([redacted, redacted, []]);
  });

  // promises: CONNECTION-5
  it('PUT replaces whole, PATCH leaves what it does not name; name and kind stay', async () => {
    const rule = await createRule(path.gateway, { name: 'bound', input: denyWords(['forbidden']) });
    await path.connect('whole', {
      description: 'd',
      attributes: ['a1'],
      guardrail_rules: [rule],
      access_groups: ['dba'],
    });
    const patched = await admin('PATCH', '/connections/whole', {
      connection_tags: { env: 'x' },
      secret: { PORT: '' },
    });
    expect(patched.body).toMatchObject({
      description: 'd',
      attributes: ['a1'],
      guardrail_rules: [rule],
      access_groups: ['dba'],
      connection_tags: { env: 'x' },
    });
    expect(await whoRuns('whole')).toBeTruthy();
    expect((await admin('GET', '/attributes/a1')).body.connection_names).toEqual(['whole']);
    const { secret } = (await admin('GET', '/connections/whole')).body;
    const bare = { name: 'whole', type: 'database', subtype: 'postgres', secret };
    expect((await admin('PUT', '/connections/whole', bare)).body).toMatchObject({
      description: '',
      attributes: [],
      guardrail_rules: [],
      access_groups: [],
      connection_tags: {},
    });
    for (const [field, value] of [
      ['name', 'other'],
      ['type', 'application'],
      ['subtype', 'mcpproxy'],
    ] as const) {
      for (const method of ['PUT', 'PATCH']) {
        const answer = await admin(method, '/connections/whole', { ...bare, [field]: value });
        expect([answer.status, answer.body.message]).toEqual([
          422,
          `${field} cannot be changed, because rules and sessions refer to the connection by it`,
        ]);
      }
    }
    const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
    expect(
      (await admin('POST', '/connections', { ...bare, name: uuid, secret: secretOf(path.target) })).status,
    ).toBe(422);
    await admin('PATCH', '/connections/whole', { guardrail_rules: [rule], description: 'd' });
    for (const field of ['guardrail_rules', 'description', 'attributes'])
      expect((await admin('PATCH', '/connections/whole', { [field]: null })).status).toBe(400);
    expect((await admin('GET', '/connections/whole')).body).toMatchObject({
      guardrail_rules: [rule],
      description: 'd',
    });
    for (const nothing of ['x', [], null]) {
      expect((await admin('PATCH', '/connections/whole', { secret: nothing })).status).toBe(400);
    }
    expect((await admin('PATCH', '/connections/whole', { name: null, type: null })).status).toBe(400);
    expect((await admin('GET', '/connections/whole')).body).toMatchObject({
      name: 'whole',
      type: 'database',
    });
  });

  it('with scripts switched off take none', async () => {
    await path.connect('closed', { access_mode_exec: 'disabled' });
    const answer = await runs('closed');
    expect([answer.status, answer.body]).toEqual([
      403,
      { message: 'the connection closed does not accept scripts' },
    ]);
    await admin('PATCH', '/connections/closed', { access_mode_exec: 'enabled' });
    expect((await runs('closed')).status).toBe(200);
  });

  // promises: CONNECTION-15
  it('deleted: bindings go, rules that name them say so, scripts find nothing', async () => {
    const id = await path.connect('gone');
    const rule = await createRule(path.gateway, { name: 'on-gone', connection_ids: [id] });
    await admin('POST', '/access-requests/rules', {
      name: 'on-gone',
      access_type: 'jit_command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      connection_names: ['gone'],
    });
    expect((await admin('DELETE', `/connections/${id}`)).status).toBe(204);
    expect((await admin('GET', `/guardrails/${rule}`)).body.connection_ids).toEqual([]);
    expect((await admin('GET', '/access-requests/rules/on-gone')).body.warnings).toContain(
      'there is no connection named gone',
    );
    expect((await runs('gone')).status).toBe(404);
  });

  // promises: CONNECTION-3
  it('and none of these answers contained a secret', async () => {
    answers.push((await admin('GET', '/audit/logs')).text, (await admin('GET', '/connections')).text);
    await eventually('the log has the requests', async () => log.text().includes('/api/audit/logs'));
    for (const text of [...answers, log.text()]) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(btoa(CANARY));
    }
    const rows = await path.gateway.database.query('SELECT * FROM connections');
    expect(JSON.stringify(rows)).not.toContain(CANARY);
  });
});
