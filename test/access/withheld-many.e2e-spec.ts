import { Logger } from '@nestjs/common';
import { Principals } from '../../src/identity/auth/users/principals';
import { AccessRevalidator } from '../../src/access/life/access-revalidator';
import { CredentialRevalidation } from '../../src/access/life/credential-revalidation';
import { describeDataPath } from '../support/describe';
import { issue } from '../support/credentials';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';

const MANY = 2_000;
const OFTEN = { HEARTBEAT_SECONDS: '0.3' };

/** Measures the search for access that owners may no longer use, among thousands of credentials. */
describeDataPath('much access', { environment: OFTEN }, ({ path, gateway, begin }) => {
  const other = begin(() => startGateway({ beside: gateway, environment: OFTEN }));

  beforeAll(async () => {
    await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
    // Creates a webhook, because events without a subscriber are not stored.
    await gateway.database.query(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com/', ARRAY['access.revoked'], '\\x00' FROM organizations`,
    );
    await path.connect('shared', { access_groups: ['needed'] });
    await gateway.call('admin', 'GET', '/userinfo');
    const { status, body } = await issue(gateway, 'admin', {}, 'shared');
    expect(status).toBe(201);
    // Disables triggers, so that the gateways do not notice the new rows as changes. Otherwise both gateways
    // would check each row three times.
    await gateway.database.query(
      `SET session_replication_role = replica;
       INSERT INTO users (org_id, subject, email, name)
       SELECT id, 'person-' || n, n || '@example.com', 'Person' FROM organizations, generate_series(1, ${MANY}) AS n;
       INSERT INTO user_groups (org_id, user_id, group_name, source)
       SELECT org_id, id, unnest(ARRAY['needed', 'more']), 'manual' FROM users WHERE subject LIKE 'person-%'`,
    );
    await gateway.database.query(
      `INSERT INTO connection_credentials (org_id, connection_id, identity_type, user_id, iterations, salt, stored_key,
         server_key, created_at, expire_at, owner_groups)
       SELECT like_this.org_id, connection_id, 'user', users.id, iterations, salt, stored_key, server_key,
         like_this.created_at, expire_at, ARRAY['needed', 'more']
       FROM connection_credentials AS like_this, users WHERE like_this.id = $1 AND subject LIKE 'person-%'`,
      [body.id],
    );
  });

  afterEach(() => jest.restoreAllMocks());

  /** Counts the lookups of owners, and the revalidations of access, by both gateways from now on. */
  const watch = () => {
    const both = [gateway, other].map(({ app }) => ({
      current: jest.spyOn(app.get(Principals, { strict: false }), 'current'),
      judged: jest.spyOn(app.get(AccessRevalidator, { strict: false }), 'revalidate'),
    }));
    const sum = (name: 'current' | 'judged'): number =>
      both.reduce((count, spies) => count + spies[name].mock.calls.length, 0);
    return { owners: () => sum('current'), judged: () => sum('judged') };
  };
  /** Returns a function that counts the heartbeats of each gateway from now on. */
  const watchHeartbeats = (): (() => number[]) => {
    const both = [gateway, other].map(({ app }) =>
      jest.spyOn(app.get(CredentialRevalidation, { strict: false }), 'revalidate'),
    );
    // Counts only heartbeats, which pass no people. Other calls pass the people who changed.
    const heartbeats = () =>
      both.map(({ mock }) => mock.calls.filter(([people]) => people === undefined).length);
    const before = heartbeats();
    return () => heartbeats().map((count, place) => count - (before[place] ?? 0));
  };
  /** Waits for three whole heartbeats of both gateways: three have ended when the fourth begins. */
  const someHeartbeats = async (): Promise<void> => {
    const heartbeats = watchHeartbeats();
    await eventually('four heartbeats of both', async () => heartbeats().every((count) => count >= 4));
  };
  const told = async (): Promise<string[]> => {
    const rows = await gateway.database.query<{ said: string }>(
      `SELECT concat_ws(' ', data -> 'user' ->> 'id', data ->> 'reason') AS said FROM outbox WHERE type = 'access.revoked'
       ORDER BY position`,
    );
    return rows.map(({ said }) => said);
  };
  const leave = (group: string, whose: string): Promise<object[]> =>
    gateway.database.query(
      `DELETE FROM user_groups WHERE group_name = $1
         AND user_id IN (SELECT id FROM users WHERE subject LIKE $2)`,
      [group, whose],
    );

  it('is not checked one by one while nobody lost a group', async () => {
    const asked = watch();
    await someHeartbeats();
    expect([asked.owners(), asked.judged()]).toEqual([0, 0]);
  });

  it('is reported once when one of many owners lost a group', async () => {
    const asked = watch();
    await leave('needed', 'person-77');
    await eventually('it is told', async () => (await told()).length > 0);
    await someHeartbeats();
    expect(await told()).toEqual(['person-77 group_lost']);
    expect(asked.owners()).toBeLessThan(10);
  });

  it('is checked once for an unneeded group, and again when the connection changes', async () => {
    const asked = watch();
    await leave('more', 'person-1__');
    // The access of persons 100 to 199 is revalidated by both gateways, which makes 200 revalidations.
    await eventually('they are judged', async () => asked.judged() >= 200);
    await someHeartbeats();
    const before = asked.judged();
    await someHeartbeats();
    expect(asked.judged()).toBe(before);
    await gateway.call('admin', 'PATCH', '/connections/shared', { description: 'another' });
    await eventually('they are judged again', async () => asked.judged() >= before + 200);
    await someHeartbeats();
    expect(asked.judged()).toBe(before + 200);
    expect(await told()).toEqual(['person-77 group_lost']);
  });

  it('is reported when a needed group is lost after an unneeded one', async () => {
    await leave('needed', 'person-150');
    await eventually('it is told', async () => (await told()).length > 1);
    await someHeartbeats();
    expect(await told()).toEqual(['person-77 group_lost', 'person-150 group_lost']);
  });

  it.each([
    ['each of them', new Error('no'), /\(\d{2,} times\): no$/],
    ['the database', new Error('Connection terminated'), /revalidated: Connection terminated$/],
  ])('logs one warning per heartbeat when %s cannot be checked', async (_what, fault, words) => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const heartbeats = watchHeartbeats();
    const asked = [gateway, other].map(({ app }) =>
      jest.spyOn(app.get(AccessRevalidator, { strict: false }), 'revalidate').mockRejectedValue(fault),
    );
    await gateway.call('admin', 'PATCH', '/connections/shared', { description: fault.message });
    await eventually('both warn', async () => warn.mock.calls.length > 1);
    await someHeartbeats();
    const warnings = warn.mock.calls.map(([message]) => String(message));
    expect(warnings.filter((message) => !words.test(message))).toEqual([]);
    // A gateway warns at most once per heartbeat. One more heartbeat may have begun before the count.
    expect(warnings.length).toBeLessThanOrEqual(heartbeats().reduce((sum, count) => sum + count + 1, 0));
    expect(asked.every(({ mock }) => mock.calls.length > 0)).toBe(true);
  });
});
