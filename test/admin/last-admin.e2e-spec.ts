import { describeGateway } from '../support/describe';
import { as } from '../support/callers';
import { eventually } from '../support/eventually';
import { passwordToken } from '../support/gateway';

/** There is always an active admin, also under concurrent removals. */
describeGateway('the last admin', ({ gateway }) => {
  let admin: string;
  let bob: string;

  beforeAll(async () => {
    admin = await passwordToken(gateway.provider.issuer, 'admin');
    bob = await passwordToken(gateway.provider.issuer, 'bob');
    await as(gateway, admin, 'GET', '/userinfo');
    await as(gateway, bob, 'GET', '/userinfo');
    // Sets groups by hand, because groups of the identity provider would return at the next sign-in.
    await gateway.database.query(
      `DELETE FROM user_groups; UPDATE users SET groups_synced_at = now() + interval '1 d'`,
    );
    await setAdmins('admin');
  });

  const setAdmins = async (...subjects: string[]) => {
    await gateway.database.query(`DELETE FROM user_groups WHERE group_name = 'admin'`);
    await gateway.database.query(`UPDATE users SET status = 'active'`);
    await gateway.database.query(
      `INSERT INTO user_groups SELECT org_id, id, 'admin', 'manual' FROM users WHERE subject = ANY ($1)`,
      [subjects],
    );
    for (const [token, subject] of [
      [admin, 'admin'],
      [bob, 'bob'],
    ] as const) {
      const role = subjects.includes(subject) ? 'admin' : 'regular';
      await eventually(`${subject} is ${role}`, async () => {
        const answer = await as(gateway, token, 'GET', '/userinfo');
        return answer.status === 200 && answer.body.role === role;
      });
    }
  };
  const adminsLeft = async () =>
    (
      await gateway.database.query<{ subject: string }>(
        `SELECT subject FROM users JOIN user_groups ON user_id = users.id
         WHERE group_name = 'admin' AND status = 'active'`,
      )
    ).length;

  const removals: [string, string, object | undefined][] = [
    ['deactivated', 'PATCH', { status: 'inactive' }],
    ['taken out of the group', 'PATCH', { groups: [] }],
    ['deleted', 'DELETE', undefined],
  ];

  // promises: WHO-6
  it.each(removals)('cannot be %s, and nothing is half-written', async (_, method, body) => {
    await as(gateway, admin, 'POST', '/api-keys', { name: 'machine', groups: ['admin'] });
    const answer = await as(gateway, admin, method, '/users/admin', body);
    expect([answer.status, answer.body.message]).toEqual([409, 'the last active admin cannot be removed']);
    expect(await adminsLeft()).toBe(1);
    const { data } = (await as(gateway, admin, 'GET', '/audit/logs?resource_type=users&outcome=success'))
      .body;
    expect(data).toEqual([]);
  });

  it('an inactive admin does not count', async () => {
    await setAdmins('admin', 'bob');
    expect((await as(gateway, admin, 'PATCH', '/users/bob', { status: 'inactive' })).status).toBe(200);
    expect((await as(gateway, admin, 'PATCH', '/users/admin', { groups: [] })).status).toBe(409);
    expect(
      (await as(gateway, admin, 'PATCH', '/users/admin', { name: 'Ada', groups: ['admin'] })).status,
    ).toBe(200);
  });

  it.each(removals.slice(0, 2))(
    'two admins, each being %s by the other at once: one stays',
    async (_, method, body) => {
      for (let round = 0; round < 4; round++) {
        await setAdmins('admin', 'bob');
        const answers = await Promise.all([
          as(gateway, admin, method, '/users/bob', body),
          as(gateway, bob, method, '/users/admin', body),
        ]);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        // The other request fails: it would remove the last admin, or its caller is no longer an admin.
        expect([409, 401, 403]).toContain(answers.find(({ status }) => status !== 200)?.status);
        expect(await adminsLeft()).toBe(1);
      }
    },
  );
});
