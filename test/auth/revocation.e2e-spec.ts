import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { describeGateway } from '../support/describe';
import { as, whoIs } from '../support/callers';
import { eventually } from '../support/eventually';
import { keepFeedDown } from '../support/feed';
import { passwordToken } from '../support/gateway';
import { beginLogin, signInAt } from '../support/login';
import { controllerRoutes } from '../support/routes';

const NOBODY = '00000000-0000-4000-8000-000000000000';

const SETTINGS = { environment: { ADMIN_GROUP: 'Gate Keepers', AUDITOR_GROUP: 'readers' } };

describeGateway('what is taken away in the database', SETTINGS, ({ gateway }) => {
  beforeAll(async () => {
    // SETTINGS renames the groups of the roles, so their default names have no meaning here.
    for (const [person, groups] of [
      ['admin', ['Gate Keepers']],
      ['auditor', ['readers', 'admin']],
      ['alice', ['engineering', 'auditor', 'gate keepers']],
    ] as const) {
      const user = gateway.provider.users.get(person);
      if (user !== undefined) user.groups = [...groups];
    }
  });

  const sql = (text: string, values?: unknown[]) => gateway.database.query(text, values);
  const me = async (person: 'admin' | 'auditor' | 'alice' | 'bob') =>
    (await gateway.call(person, 'GET', '/userinfo')).body as { role: string; groups: string[] };
  const statusOf = async (person: 'admin' | 'alice' | 'bob') =>
    (await gateway.call(person, 'GET', '/userinfo')).status;

  // promises: WHO-2
  it('roles follow only the configured groups', async () => {
    expect((await me('admin')).role).toBe('admin');
    expect((await me('auditor')).role).toBe('auditor');
    expect((await me('alice')).role).toBe('regular');
    const rule = { name: 'r', input: { rules: [] }, output: { rules: [] } };
    for (const [person, read, write] of [
      ['admin', 404, 201],
      ['auditor', 404, 403],
      ['alice', 403, 403],
    ] as const) {
      expect((await gateway.call(person, 'GET', `/guardrails/${NOBODY}`)).status).toBe(read);
      expect((await gateway.call(person, 'POST', '/guardrails', rule)).status).toBe(write);
    }
  });

  // promises: AUTH-6, USER-5
  it('an inactive user is 401 everywhere at once, also at the callback, until active again', async () => {
    expect(await statusOf('bob')).toBe(200);
    await sql(`UPDATE users SET status = 'inactive' WHERE subject = 'bob'`);
    await eventually('bob is refused', async () => (await statusOf('bob')) === 401);
    const tokens = [await gateway.token('bob'), await passwordToken(gateway.provider.issuer, 'bob')];
    for (const { method, path } of controllerRoutes(gateway.app).filter(
      ({ policy }) => policy !== 'public',
    )) {
      for (const token of tokens) {
        const answer = await as(gateway, token, method, path.replaceAll(/:\w+/g, NOBODY));
        expect([path, answer.status, answer.body]).toEqual([path, 401, { message: 'this user is inactive' }]);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    }

    const back = await signInAt(gateway, await beginLogin(gateway), 'bob');
    expect(back.headers.get('location')).toBe(`${gateway.api}/docs?error=access_denied`);

    await sql(`UPDATE users SET status = 'active' WHERE subject = 'bob'`);
    await eventually('bob is back', async () => (await statusOf('bob')) === 200);
    const welcome = await signInAt(gateway, await beginLogin(gateway), 'bob');
    expect(welcome.headers.get('location')).toMatch(/#access_token=/);
  });

  it('a group', async () => {
    expect((await me('admin')).role).toBe('admin');
    await sql(`DELETE FROM user_groups WHERE group_name = 'Gate Keepers'`);
    await eventually('the role is gone', async () => (await me('admin')).role === 'regular');
    expect((await gateway.call('admin', 'GET', `/guardrails/${NOBODY}`)).status).toBe(403);
    await sql(
      `INSERT INTO user_groups SELECT org_id, id, 'readers', 'manual' FROM users WHERE subject = 'admin'`,
    );
    await eventually('another role is there', async () => (await me('admin')).role === 'auditor');
    await sql(`UPDATE user_groups SET group_name = 'dba' WHERE source = 'manual'`);
    await eventually('and gone again', async () => (await me('admin')).groups.join() === 'dba');
  });

  it('a deleted user’s token is refused until the next sign-in', async () => {
    const token = await gateway.token('alice');
    expect((await whoIs(gateway, token)).status).toBe(200);
    await sql(`DELETE FROM users WHERE subject = 'alice'`);
    await eventually('alice is refused', async () => (await statusOf('alice')) === 401);
    expect((await whoIs(gateway, token)).body).toEqual({ message: 'this user no longer exists' });
    const next = await passwordToken(gateway.provider.issuer, 'alice');
    expect((await whoIs(gateway, next)).body).toMatchObject({
      id: 'alice',
      groups: ['auditor', 'engineering', 'gate keepers'],
    });
  });

  it('no stale answers while the change feed is down, and when it is back', async () => {
    const token = await passwordToken(gateway.provider.issuer, 'alice');
    expect((await whoIs(gateway, token)).status).toBe(200);
    const feed = gateway.app.get(ChangeFeed);
    const rename = async (name: string) => sql(`UPDATE users SET name = $1 WHERE subject = 'alice'`, [name]);
    const nameNow = async () => (await whoIs(gateway, token)).body.name as string;

    const release = await keepFeedDown(gateway);
    for (const name of ['Alice One', 'Alice Two', 'Alice Three']) {
      await rename(name);
      expect(await nameNow()).toBe(name);
    }
    await sql(`UPDATE users SET status = 'inactive' WHERE subject = 'alice'`);
    expect((await whoIs(gateway, token)).status).toBe(401);
    await sql(`UPDATE users SET status = 'active' WHERE subject = 'alice'`);
    expect((await whoIs(gateway, token)).status).toBe(200);
    expect(feed.live).toBe(false);

    await release();
    await eventually('the feed is back', async () => feed.live);
    await rename('Alice Again');
    await eventually('changes are heard of again', async () => (await nameNow()) === 'Alice Again');
  });
});
