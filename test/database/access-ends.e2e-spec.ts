import { randomUUID } from 'node:crypto';
import { escapeLiteral } from 'pg';
import { CredentialWithholding } from '../../src/access/life/credential-withholding';
import { EVENT_TYPES } from '../../src/platform/events/event';
import { SessionEnder } from '../../src/sessions/list/session-ender';
import { approve, approvedConnection } from '../support/approved-access';
import { enter, find, issue, revoke } from '../support/credentials';
import { describeDataPath } from '../support/describe';
import { type Answer, type TestGateway, startGateway } from '../support/gateway';
import { subscribe } from '../support/webhook-receiver';
import { volume } from '../support/volume';

const ROUNDS = volume(12, 10_000);

/** A connection with two credentials, one of them approved by people, and one session of each credential. */
interface Access {
  readonly connection: string;
  readonly approved: string;
  readonly unreviewed: string;
  readonly sessions: readonly [string, string];
}

/**
 * Ends the same access in every way at the same time, on two gateways. The transactions may wait for each
 * other's locks, but there must be no deadlock.
 */
describeDataPath('access that several ends reach at once', ({ path, begin }) => {
  const query = <T extends object>(sql: string, values?: unknown[]) =>
    path.gateway.database.query<T>(sql, values);
  /** The second gateway. It detects a deadlock in the database after 5 ms, the first gateway after 1 s. */
  const other = begin(async () => {
    await query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''5ms''', current_database()); END $$`,
    );
    return startGateway({ beside: path.gateway });
  });
  const deadlocks = async (): Promise<number> => {
    const [row] = await query<{ deadlocks: number }>(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    return row?.deadlocks ?? -1;
  };

  let model: Access;
  let orgId: string;
  let bob: string;

  /** Creates the rows that each round copies. */
  beforeAll(async () => {
    await subscribe(path.gateway, 'https://192.0.2.1/all', [...EVENT_TYPES]);
    const connection = await approvedConnection(path);
    const asked = await issue(path.gateway, 'alice', {}, connection);
    await approve(path.gateway, asked.body.id);
    const approved = (await issue(path.gateway, 'alice', {}, connection)).body.id as string;
    const unreviewed = (await issue(path.gateway, 'bob')).body.id as string;
    const sessions: string[] = [];
    for (const id of [approved, unreviewed]) {
      const session = await openedWith(path.gateway, id);
      await session.end(0);
      sessions.push(session.id);
    }
    const [first = '', second = ''] = sessions;
    model = { connection, approved, unreviewed, sessions: [first, second] };
    orgId = (await path.gateway.call('admin', 'GET', '/connections/orders')).body.org_id as string;
    const owned = 'SELECT user_id AS id FROM connection_credentials WHERE id = $1';
    bob = (await query<{ id: string }>(owned, [unreviewed]))[0]?.id ?? '';
  });

  const copyOf = (table: string, id: string, changes: object): string =>
    `INSERT INTO ${table} SELECT (jsonb_populate_record(model, ${escapeLiteral(JSON.stringify(changes))})).*
     FROM ${table} AS model WHERE id = ${escapeLiteral(id)}`;

  const prepare = async (): Promise<Access> => {
    const [connection, approved, unreviewed, first, second] = Array.from({ length: 5 }, () => randomUUID());
    const { body } = await path.gateway.call('admin', 'GET', `/connections/${model.connection}`);
    const ofConnection = { connection_id: connection, revoked_at: null, withheld_at: null };
    const ofApproved = { ...ofConnection, id: approved, review_id: approved };
    const open = { connection_id: connection, status: 'open', exit_code: null, end_date: null, seal: null };
    await query(
      [
        copyOf('connections', body.id, { id: connection, name: `copy-${connection}` }),
        copyOf('reviews', model.approved, { id: approved, connection_id: connection }),
        copyOf('connection_credentials', model.approved, ofApproved),
        copyOf('connection_credentials', model.unreviewed, { ...ofConnection, id: unreviewed }),
        copyOf('sessions', model.sessions[0], { ...open, id: first, credential_id: approved }),
        copyOf('sessions', model.sessions[1], { ...open, id: second, credential_id: unreviewed }),
      ].join(';\n'),
    );
    return { connection, approved, unreviewed, sessions: [first, second] } as Access;
  };

  /** Withholds the credential, as a gateway does when it notices that the owner lost access. */
  const withhold = (gateway: TestGateway, { connection, unreviewed }: Access) => {
    const owner = { identityType: 'user', userId: bob, ownerGroups: [], groupsNow: [] } as const;
    const candidate = {
      orgId,
      id: unreviewed,
      connectionId: connection,
      reviewId: null,
      state: '',
      ...owner,
    };
    return gateway.app.get(CredentialWithholding, { strict: false }).withhold(candidate, 'group_lost');
  };

  const endSession = (gateway: TestGateway, id: string) =>
    gateway.app.get(SessionEnder, { strict: false }).end({ orgId, id }, 'Its gateway stopped.');

  const round = async (): Promise<Answer[]> => {
    const access = await prepare();
    const { connection, approved, unreviewed, sessions } = access;
    const [answers] = await Promise.all([
      Promise.all([
        path.gateway.call('admin', 'DELETE', `/connections/${connection}`),
        revoke(other, 'admin', unreviewed, connection),
        revoke(path.gateway, 'admin', approved, connection),
        revoke(other, 'admin', approved, connection),
      ]),
      withhold(other, access),
      endSession(path.gateway, sessions[0]),
      endSession(other, sessions[1]),
      openedWith(other, unreviewed).then(
        (session) => session.end(0),
        // The session was refused, because the access had already ended.
        () => undefined,
      ),
    ]);
    return answers;
  };

  it(
    'ends without a deadlock, and leaves nothing open',
    async () => {
      const before = await deadlocks();
      const answers: Answer[] = [];
      for (let done = 0; done < ROUNDS; done++) answers.push(...(await round()));
      const unexpected = answers.filter(({ status }) => status !== 204 && status !== 404);
      expect(unexpected.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
      expect(await query(`SELECT FROM connections WHERE name LIKE 'copy-%'`)).toEqual([]);
      expect(await deadlocks()).toBe(before);
    },
    volume(240_000, 4 * 3_600_000),
  );
});

async function openedWith(gateway: TestGateway, id: string) {
  const credential = await find(gateway, id);
  if (credential === undefined) throw new Error(`there is no credential ${id}`);
  return enter(gateway, credential);
}
