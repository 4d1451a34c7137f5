import { migrate } from '../../src/platform/database/schema/migrate';
import { AccessControlOn1766220000000 } from '../../src/platform/database/migrations/1766220000000-access-control-on';
import { describeDataPath } from '../support/describe';
import { type TestDatabase, freshDatabase } from '../support/database';
import type { Person } from '../support/gateway';
import { secretOf } from '../support/target';
import { undoDownTo } from '../support/undo-migrations';

/**
 * Access groups of a connection: whom they admit, and the warnings if there are none or only admins are in.
 */
describeDataPath('access control', ({ path }) => {
  beforeAll(async () => {
    await setFeatures({ access_control: true });
  });

  const admin = (method: string, to: string, body?: object) => path.gateway.call('admin', method, to, body);
  const setFeatures = async (features: object) => (await admin('PATCH', '/organization', { features })).body;
  const write = async (method: string, name: string, more: object) =>
    (
      await admin(method, method === 'POST' ? '/connections' : `/connections/${name}`, {
        ...(method === 'PATCH'
          ? {}
          : { name, type: 'database', subtype: 'postgres', secret: secretOf(path.target) }),
        ...more,
      })
    ).body;
  const statuses = async (connection: string) => {
    const run = async (person: Person) => (await path.run('SELECT 1', { connection }, person)).status;
    return [await run('admin'), await run('bob'), await run('alice')];
  };
  const ONLY_ADMINS =
    'only admins may open this connection: access_groups is empty; ["*"] opens it to everybody who is signed in';
  const IDLE =
    'access_groups has no effect: the access control feature is off, so everybody who is signed in may open this connection; PATCH /organization turns it on';

  describe('of an organization', () => {
    const features = async (database: TestDatabase) =>
      (await database.query<{ features: object }>('SELECT features FROM organizations'))[0]?.features;

    // promises: CONNECTION-9
    it('is on for every new organization', async () => {
      const database = await freshDatabase('empty');
      await migrate(database.url);
      expect(await features(database)).toEqual({ access_control: true, review: true });
      await database.query(`INSERT INTO organizations (name) VALUES ('another')`);
      expect(
        await database.query(`SELECT FROM organizations WHERE (features ->> 'access_control')::boolean`),
      ).toHaveLength(2);
      await database.drop();
    });

    it.each([
      [
        'somebody has signed in',
        `INSERT INTO users (org_id, subject, email, name) SELECT id, 'x', '', '' FROM organizations`,
      ],
      [
        'there is a connection',
        `INSERT INTO connections (org_id, name, type, subtype, secret, secret_names) SELECT id, 'x', '', '', '', '{}' FROM organizations`,
      ],
    ])('stays as it is where %s', async (_, use) => {
      const database = await freshDatabase();
      await undoDownTo(database, AccessControlOn1766220000000);
      await database.query(`UPDATE organizations SET features = '{"access_control": false, "review": true}'`);
      await database.query(use);
      await migrate(database.url);
      expect(await features(database)).toEqual({ access_control: false, review: true });
      await database.drop();
    });
  });

  // promises: CONNECTION-8, AUTH-7
  it.each(['POST', 'PUT', 'PATCH'])(
    '%s says that a connection without groups is for admins alone, and it is',
    async (method) => {
      if (method !== 'POST') await path.connect('bare-put', { access_groups: ['dba'] });
      const name = method === 'POST' ? 'bare' : 'bare-put';
      expect((await write(method, name, { access_groups: [] })).warnings).toEqual([ONLY_ADMINS]);
      expect(await statuses(name)).toEqual([200, 404, 404]);
      expect((await write('PATCH', name, { access_groups: ['dba'] })).warnings).toEqual([]);
      expect(await statuses(name)).toEqual([200, 200, 404]);
      expect((await write('PATCH', name, { access_groups: ['*'] })).warnings).toEqual([]);
      expect(await statuses(name)).toEqual([200, 200, 200]);
      expect((await path.gateway.call('alice', 'GET', `/connections?search=${name}`)).body.pages.total).toBe(
        1,
      );
      expect((await path.gateway.call('alice', 'POST', `/connections/${name}/credentials`, {})).status).toBe(
        201,
      );
      await admin('DELETE', `/connections/${name}`);
    },
  );

  it('warns that further groups beside "*" have no effect', async () => {
    const { warnings } = await write('POST', 'all-and-some', { access_groups: ['*', 'dba'] });
    expect(warnings).toEqual([
      'access_groups has "*", which is everybody who is signed in: dba make no difference',
    ]);
  });

  it('is not a group: members of a group named "*" get no further access', async () => {
    await write('POST', 'closed', { access_groups: ['dba'] });
    await path.gateway.call('alice', 'GET', '/userinfo');
    await admin('PATCH', '/users/alice', { groups: ['*'] });
    expect((await path.run('SELECT 1', { connection: 'closed' }, 'alice')).status).toBe(404);
    await admin('PATCH', '/users/alice', { groups: [] });
  });

  it('a body that was read is taken back with its warnings', async () => {
    const body = await write('POST', 'read-back', {});
    const { status } = await admin('PUT', '/connections/read-back', body);
    expect([body.warnings, status]).toEqual([[ONLY_ADMINS], 200]);
  });

  it('reports other settings without effect', async () => {
    const { warnings } = await write('POST', 'input-only', {
      access_groups: ['*'],
      recording: 'input-only',
      record_results: true,
    });
    expect(warnings).toEqual([
      'record_results has no effect: recording is input-only, so no results are recorded',
    ]);
  });

  // promises: CONNECTION-8
  it('switched off, causes warnings on connections and in effective policies', async () => {
    const before = await admin('GET', '/connections?page_size=1');
    const answer = await setFeatures({ access_control: false });
    expect(answer.warnings).toEqual([
      expect.stringMatching(
        /^\d+ connections have access_groups that are not enforced: the access control feature is off$/,
      ),
    ]);
    expect(before.status).toBe(200);
    for (const method of ['POST', 'PUT', 'PATCH'])
      expect((await write(method, 'believed', { access_groups: ['dba'] })).warnings).toEqual([IDLE]);
    expect(await statuses('believed')).toEqual([200, 200, 200]);
    const policy = await admin('GET', '/connections/believed/effective-policy?user=alice');
    expect(policy.body).toMatchObject({ outcome: 'open' });
    expect(policy.body.reasons).toEqual([
      { code: 'no_rule_applies', message: expect.any(String) },
      {
        code: 'access_groups_not_enforced',
        message: 'access_groups is set (dba) but not enforced: the access control feature is off',
      },
    ]);
    expect((await write('POST', 'meant-so', {})).warnings).toEqual([]);
    expect((await setFeatures({ access_control: true })).warnings).toEqual([
      expect.stringMatching(/^\d+ connections have no access_groups: only admins may open them$/),
    ]);
    expect((await admin('GET', '/connections/believed/effective-policy?user=bob')).body.reasons).toEqual([
      { code: 'no_rule_applies', message: expect.any(String) },
    ]);
  });

  it('switched-off reviews cause warnings on rules and in effective policies', async () => {
    await write('POST', 'reviewed', { access_groups: ['*'] });
    const rule = {
      name: 'asks-nobody',
      access_type: 'jit_command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      connection_names: ['reviewed'],
    };
    const silent =
      'the rule has no effect: the review feature is off, so no approval is requested; PATCH /organization turns it on';
    await setFeatures({ review: false });
    expect((await admin('POST', '/access-requests/rules', rule)).body.warnings).toContain(silent);
    expect((await admin('PUT', '/access-requests/rules/asks-nobody', rule)).body.warnings).toContain(silent);
    expect((await admin('GET', '/access-requests/rules/asks-nobody')).body.warnings).toContain(silent);
    expect((await setFeatures({ review: false })).warnings).toContain(
      '1 access request rules are without effect: the review feature is off',
    );
    const { reasons, outcome } = (await admin('GET', '/connections/reviewed/effective-policy?user=alice'))
      .body;
    expect([outcome, reasons[1]]).toEqual([
      'open',
      {
        code: 'access_rules_not_enforced',
        message:
          'access request rules cover the connection (asks-nobody) but no approval is requested: the review feature is off',
      },
    ]);
    expect((await path.run('SELECT 1', { connection: 'reviewed' }, 'alice')).status).toBe(200);
    await setFeatures({ review: true });
    expect((await admin('GET', '/access-requests/rules/asks-nobody')).body.warnings).not.toContain(silent);
    expect((await path.run('SELECT 1', { connection: 'reviewed' }, 'alice')).status).toBe(202);
  });
});
