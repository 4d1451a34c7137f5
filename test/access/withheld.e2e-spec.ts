import { describeDataPath } from '../support/describe';
import { approve, approvedConnection } from '../support/approved-access';
import { type Caller, issue, revoke } from '../support/credentials';
import { eventually } from '../support/eventually';
import { keepFeedDown } from '../support/feed';
import { startGateway } from '../support/gateway';
import { Visitor } from '../support/visitor';

const HEARTBEAT_MS = 300;
const SETTINGS = { environment: { HEARTBEAT_SECONDS: String(HEARTBEAT_MS / 1_000) } };

/** Events that report access that its owner may no longer use, although nobody revoked it. */
describeDataPath('access that its owner may not use any more', SETTINGS, ({ path, gateway, begin }) => {
  const other = begin(() => startGateway({ beside: gateway, ...SETTINGS }));

  beforeAll(async () => {
    await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
    await gateway.database.query(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com/', ARRAY['access.revoked'], '\\x00' FROM organizations`,
    );
    await gateway.call('alice', 'GET', '/userinfo');
    await setGroups(['night', 'day']);
  });

  const setGroups = async (groups: string[]): Promise<void> => {
    expect((await gateway.call('admin', 'PATCH', '/users/alice', { groups })).status).toBe(200);
  };
  const plain = async (connection: string, caller: Caller = 'alice'): Promise<string> => {
    const { status, body } = await issue(gateway, caller, {}, connection);
    expect(status).toBe(201);
    return body.id;
  };
  const asked = async (connection: string): Promise<string> => {
    const { status, body } = await issue(gateway, 'alice', {}, connection);
    expect(status).toBe(202);
    return body.id;
  };
  const granted = async (connection: string): Promise<string> => {
    const id = await asked(connection);
    await approve(gateway, id);
    return id;
  };
  type Told = { credential_id: string; reason: string } & Record<string, unknown>;
  const told = async (): Promise<Told[]> => {
    const rows = await gateway.database.query<{ data: Told }>(
      `SELECT data FROM outbox WHERE type = 'access.revoked' ORDER BY position`,
    );
    return rows.map(({ data }) => data);
  };
  const reasons = async (): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    for (const { credential_id, reason } of await told()) (found[credential_id] ??= []).push(reason);
    return found;
  };
  /** Waits longer than both gateways need to revalidate all access. */
  const someHeartbeats = (): Promise<void> => new Promise((wait) => setTimeout(wait, 2.5 * HEARTBEAT_MS));

  // promises: WEBHOOK-9
  it('is reported once with the reason while its owner is inactive, and usable again afterwards', async () => {
    const connection = await approvedConnection(path, {}, { access_groups: ['day'] });
    await asked(await approvedConnection(path, {}, { access_groups: ['day'] }));
    const free = await path.connect('free', { access_groups: ['day'] });
    const ended = await plain('free');
    await revoke(gateway, 'alice', ended, 'free');
    const [leave, credential] = [await granted(connection), await plain('free')];
    const { body } = await issue(gateway, 'alice', {}, connection);
    const { username: user, password } = body.connection_credentials;
    const inside = await Promise.all(
      [gateway, other].map((where) => Visitor.enter(path, { user, password, connection, gateway: where })),
    );
    for (const status of ['inactive', 'active', 'inactive'] as const) {
      await path.setStatus('alice', status);
      await eventually('it is told', async () => (await reasons())[leave] !== undefined);
      await someHeartbeats();
    }
    await Promise.all(inside.map((visitor) => visitor.lastWords()));
    await path.setStatus('alice', 'active');
    expect(await reasons()).toEqual({
      [ended]: ['revoked'],
      [leave]: ['owner_inactive'],
      [credential]: ['owner_inactive'],
    });
    expect((await told()).find(({ credential_id }) => credential_id === credential)).toEqual({
      credential_id: credential,
      review_id: null,
      connection: { id: free, name: 'free', subtype: 'postgres' },
      user: { id: 'alice', email: 'alice@example.com', name: 'Alice Engineer', identity_type: 'user' },
      reason: 'owner_inactive',
      revoked_by: null,
    });
    expect((await told()).find(({ credential_id }) => credential_id === leave)).toMatchObject({
      review_id: leave,
    });
    await eventually(
      'they are active again',
      async () => (await issue(gateway, 'alice', {}, connection)).status === 201,
    );
    await revoke(gateway, 'alice', leave, connection);
    expect((await reasons())[leave]).toEqual(['owner_inactive', 'revoked']);
  });

  it('is reported when its owner loses a group that it needs', async () => {
    const [night, day] = [
      await approvedConnection(path, {}, { access_groups: ['night'] }),
      await approvedConnection(path, {}, { access_groups: ['day', 'night'] }),
    ];
    const spared = await approvedConnection(
      path,
      { skip_review_groups: ['spared'] },
      { access_groups: ['day'] },
    );
    await setGroups(['night', 'day', 'spared']);
    const [lost, kept, sparedIt] = [await granted(night), await granted(day), await plain(spared)];
    await setGroups(['night', 'day', 'spared', 'more']);
    await setGroups(['night', 'day', 'spared']);
    await someHeartbeats();
    expect(Object.keys(await reasons())).not.toContain(lost);
    const release = await keepFeedDown(other);
    try {
      await setGroups(['day']);
      await eventually('it is told', async () => (await reasons())[sparedIt] !== undefined);
    } finally {
      await release();
    }
    await someHeartbeats();
    const found = await reasons();
    expect([found[lost], found[kept], found[sparedIt]]).toEqual([['group_lost'], undefined, ['group_lost']]);
  });

  it.each([['withheld_at = NULL'], [`withheld_at = now() + interval '1 s'`], [`owner_groups = '{}'`]])(
    'stays told, by the database’s own word: not %s',
    async (change) => {
      const [row] = await gateway.database.query<{ id: string }>(
        'SELECT id FROM connection_credentials WHERE withheld_at IS NOT NULL AND revoked_at IS NULL LIMIT 1',
      );
      const changing = gateway.database.query(`UPDATE connection_credentials SET ${change} WHERE id = $1`, [
        row?.id,
      ]);
      await expect(changing).rejects.toThrow('a credential that was issued cannot be changed');
    },
  );

  it('is not reported when only the connection or a rule changed', async () => {
    await setGroups(['day']);
    const connection = await approvedConnection(path, {}, { access_groups: ['day'] });
    const id = await granted(connection);
    const { status } = await gateway.call('admin', 'PATCH', `/connections/${connection}`, {
      access_groups: ['night'],
    });
    expect(status).toBe(200);
    await someHeartbeats();
    expect((await reasons())[id]).toBeUndefined();
  });

  it('is reported when the API key of its owner expires', async () => {
    await path.connect('for-machines', { access_groups: [] });
    const { body: key } = await gateway.call('admin', 'POST', '/api-keys', {
      name: 'short',
      groups: ['admin'],
      expires_at: new Date(Date.now() + 3_000).toISOString(),
    });
    const id = await plain('for-machines', key);
    await eventually('it is told', async () => (await reasons())[id] !== undefined);
    await someHeartbeats();
    expect((await told()).filter(({ credential_id }) => credential_id === id)).toMatchObject([
      {
        reason: 'owner_inactive',
        user: { id: `api-key:${key.id}`, name: 'short', identity_type: 'machine' },
      },
    ]);
  });
});
