import { describeDataPath } from '../support/describe';
import type { Person } from '../support/gateway';

/** Access groups of connections, while the organization's feature `access_control` is on. */
describeDataPath('connections', ({ path }) => {
  const call = (person: Person, method: string, to: string, body?: object) =>
    path.gateway.call(person, method, to, body);
  const admin = (method: string, to: string, body?: object) => call('admin', method, to, body);
  const runs = (connection: string, person: Person) => path.run('SELECT 1', { connection }, person);

  it('under access control: strangers neither see nor open them', async () => {
    await path.connect('for-dba', { access_groups: ['dba'] });
    await admin('PATCH', '/organization', { features: { access_control: true } });
    const seen = async (person: Person) => {
      const { body } = await call(person, 'GET', '/connections?search=for-dba');
      return [body.pages.total, (await call(person, 'GET', '/connections/for-dba')).status];
    };
    expect([await seen('bob'), await seen('alice'), await seen('auditor'), await seen('admin')]).toEqual([
      [1, 200],
      [0, 404],
      [1, 200],
      [1, 200],
    ]);
    expect((await call('alice', 'GET', '/connections')).body.data).toEqual([]);
    expect((await runs('for-dba', 'alice')).status).toBe(404);
    expect((await runs('for-dba', 'bob')).status).toBe(200);
    expect((await runs('for-dba', 'admin')).status).toBe(200);
    // The connection has no access groups at all, so only admins may open it.
    expect((await runs('orders', 'bob')).status).toBe(404);
    await admin('PATCH', '/organization', { features: { access_control: false } });
    expect((await runs('for-dba', 'alice')).status).toBe(200);
  });
});
