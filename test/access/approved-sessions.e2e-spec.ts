import { resultWithin } from '../../src/kernel/async/timeout';
import { describeDataPath } from '../support/describe';
import { approve, approvedConnection, decide, hoursFromNow, reviewRow } from '../support/approved-access';
import { issue } from '../support/credentials';
import { SLOWEST, eventually } from '../support/eventually';
import { keepFeedDown } from '../support/feed';
import { type Person, startGateway } from '../support/gateway';
import { psql } from '../support/psql';
import { volume } from '../support/volume';
import { Visitor, killSession, proxyPort } from '../support/visitor';

/** Milliseconds within which a revocation must end the sessions of a grant. */
const CUT_WITHIN_MS = 5_000 * SLOWEST;
/**
 * Number of rounds. Each round revokes the grant a bit later, at most 72 ms after clients start to connect.
 */
const REVOKED_IN_ROUNDS = volume(4, 10);
const CREDENTIAL = { user: '', password: '' };
type Credential = typeof CREDENTIAL;

/**
 * PostgreSQL clients with approved access: every gateway admits them while the approval holds, and ends their
 * sessions with it.
 */
describeDataPath('a PostgreSQL client, where people approve', ({ path, gateway, begin }) => {
  const other = begin(() => startGateway({ beside: gateway }));

  /** Requests access that is not approved yet. Returns the id of the review. */
  const requested = async (connection: string, person: Person = 'alice'): Promise<string> => {
    const { status, body } = await issue(gateway, person, {}, connection);
    expect([status, body.connection_credentials]).toEqual([202, null]);
    return body.review_id;
  };
  const passwordOf = async (connection: string, person: Person = 'alice'): Promise<Credential> => {
    const { status, body } = await issue(gateway, person, {}, connection);
    expect(status).toBe(201);
    return { user: body.connection_credentials.username, password: body.connection_credentials.password };
  };
  const granted = async (connection: string, person: Person = 'alice'): Promise<Credential> => {
    await approve(gateway, await requested(connection, person));
    return passwordOf(connection, person);
  };
  const ownToken = async (person: Person = 'alice'): Promise<Credential> => ({
    user: 'me',
    password: await gateway.token(person),
  });
  /** Connects one busy and one idle client to each gateway. */
  const visitors = async (connection: string, way: Credential): Promise<Visitor[]> => {
    const inside = await Promise.all(
      [gateway, other, gateway, other].map((where) =>
        Visitor.enter(path, { ...way, connection, gateway: where }),
      ),
    );
    await Promise.all(inside.slice(0, 2).map((visitor) => visitor.keepBusy()));
    return inside;
  };
  /** Retries with a longer access if a slow machine admits nobody before the access ends. */
  const withTimeToEnter = async <T>(enter: (seconds: number) => Promise<T>): Promise<T> => {
    for (const seconds of [5, 20]) {
      try {
        return await enter(seconds);
      } catch (error) {
        console.warn(`not in within ${seconds} s: ${String(error)}`);
      }
    }
    return enter(80);
  };
  const expectCut = async (inside: readonly Visitor[], reason: string): Promise<void> => {
    const words = await resultWithin(
      Promise.all(inside.map((visitor) => visitor.lastWords())),
      CUT_WITHIN_MS,
    );
    expect(words).toEqual(inside.map(() => `FATAL 57P01: ${reason}`));
    for (const visitor of inside) {
      expect(await visitor.aftermath()).toEqual({
        exit_code: 254,
        hasEnd: true,
        lastEvent: ['e', `${reason}\n`],
      });
    }
  };

  // promises: SERVICE-3, CREDENTIAL-6
  it('journey: a rule, a request, two approvals, psql, and out when it is revoked', async () => {
    const connection = await approvedConnection(path);
    const review = await requested(connection);
    expect(await Visitor.refused(path, { ...(await ownToken()), connection })).toBe(
      `FATAL 42501: your request for the connection ${connection} waits for its reviewers`,
    );
    await decide(gateway, 'bob', review, { status: 'APPROVED' });
    expect((await issue(gateway, 'alice', {}, connection)).status).toBe(202);
    await decide(other, 'admin', review, { status: 'APPROVED' });
    const way = await passwordOf(connection);
    for (const where of [gateway, other]) {
      const shown = await psql({ host: '127.0.0.1', port: proxyPort(where), database: connection, ...way }, [
        '-At',
        '-c',
        'SELECT name FROM customers ORDER BY id LIMIT 1',
      ]);
      expect(shown).toEqual({ code: 0, stdout: 'Grace\n', stderr: '' });
    }
    const inside = await visitors(connection, way);
    const { id } = (await inside[0]?.session()) ?? { id: '' };
    expect((await path.read(id)).body).toMatchObject({
      credential_id: review,
      status: 'open',
      review: {
        id: review,
        type: 'jit',
        status: 'APPROVED',
        access_duration: 3_600,
        revoke_at: ((await reviewRow(gateway, review))['revoke_at'] as Date).toISOString(),
      },
    });
    await decide(other, 'bob', review, { status: 'REVOKED' });
    await expectCut(inside, 'The review was revoked by bob@example.com.');
    expect((await path.read(id)).body.review).toMatchObject({ id: review, status: 'REVOKED' });
    for (const where of [gateway, other])
      expect(await Visitor.refused(path, { ...way, connection, gateway: where })).toMatch(/^FATAL 28P01: /);
    expect(await Visitor.refused(path, { ...(await ownToken()), connection })).toBe(
      `FATAL 42501: clients of the connection ${connection} need an approval by the rule ${connection}`,
    );
  });

  it('signs in with a token while the grant is valid, and starts it', async () => {
    const connection = await approvedConnection(path);
    const review = await requested(connection);
    await approve(gateway, review);
    expect(await reviewRow(gateway, review)).toMatchObject({ revoke_at: null });
    const visitor = await Visitor.enter(path, { ...(await ownToken()), connection, gateway: other });
    const { rows } = await visitor.query('SELECT count(*)::int FROM customers');
    expect(rows).toEqual([{ count: 2 }]);
    const { revoke_at } = await reviewRow(gateway, review);
    expect((revoke_at as Date).getTime()).toBeGreaterThan(Date.now() + 3_000_000);
    const session = (await path.read((await visitor.session()).id)).body;
    expect(session).toMatchObject({ credential_id: review, review: { id: review } });
    expect((await issue(gateway, 'alice', {}, connection)).body).toMatchObject({
      expire_at: (revoke_at as Date).toISOString(),
    });
    const revoked = await gateway.call(
      'alice',
      'POST',
      `/connections/${connection}/credentials/${review}/revoke`,
    );
    expect(revoked.status).toBe(204);
    await expectCut([visitor], 'The review was revoked by alice@example.com.');
  });

  it('shows reviewers its sessions without their recordings, and lets them revoke it', async () => {
    const connection = await approvedConnection(path);
    const visitor = await Visitor.enter(path, { ...(await granted(connection)), connection });
    const { id } = await visitor.session();
    expect((await path.read(id, '', 'bob')).status).toBe(200);
    const { credential_id: review } = (await path.read(id)).body;
    const ofSession = await gateway.call('bob', 'GET', `/reviews/${id}`);
    expect([ofSession.status, ofSession.body.id]).toEqual([200, review]);
    expect((await path.read(id, '?expand=event_stream', 'bob')).status).toBe(403);
    const found = async (person: Person, status: string): Promise<unknown[]> => {
      const query = `connection=${connection}&review.status=${status}`;
      const { body } = await gateway.call(person, 'GET', `/sessions?${query}`);
      return body.data.map((item: { id: string; review: { status: string } }) => [
        item.id,
        item.review.status,
      ]);
    };
    expect(await found('bob', 'APPROVED')).toEqual([[id, 'APPROVED']]);
    const byApprover = await gateway.call(
      'bob',
      'GET',
      `/sessions?review.approver=bob&connection=${connection}`,
    );
    expect(byApprover.body.data).toMatchObject([{ id }]);
    const revoked = await gateway.call('bob', 'PUT', `/sessions/${id}/review`, { status: 'REVOKED' });
    expect([revoked.status, revoked.body.status]).toEqual([200, 'REVOKED']);
    await expectCut([visitor], 'The review was revoked by bob@example.com.');
    expect([await found('bob', 'APPROVED'), await found('bob', 'REVOKED')]).toEqual([[], [[id, 'REVOKED']]]);
  });

  it('is invisible to groups that were not asked, also in the list', async () => {
    const connection = await approvedConnection(path, { reviewers_groups: ['admin'], min_approvals: 1 });
    await decide(gateway, 'admin', await requested(connection), { status: 'APPROVED' });
    const visitor = await Visitor.enter(path, { ...(await passwordOf(connection)), connection });
    const { id } = await visitor.session();
    const listed = async (person: Person): Promise<unknown[]> =>
      (await gateway.call(person, 'GET', `/sessions?connection=${connection}`)).body.data;
    expect([await listed('bob'), (await path.read(id, '', 'bob')).status]).toEqual([[], 404]);
    expect(await listed('admin')).toMatchObject([{ id }]);
    await visitor.leave();
  });

  it('is refused with a credential of another connection or person, or with an older password', async () => {
    const [connection, elsewhere] = [await approvedConnection(path), await approvedConnection(path)];
    const old = await granted(connection);
    const way = await passwordOf(connection);
    expect(await Visitor.refused(path, { ...way, connection: elsewhere })).toMatch(/^FATAL 3D000: /);
    expect(await Visitor.refused(path, { ...(await ownToken()), connection: elsewhere })).toBe(
      `FATAL 42501: clients of the connection ${elsewhere} need an approval by the rule ${elsewhere}`,
    );
    expect(await Visitor.refused(path, { ...(await ownToken('bob')), connection })).toMatch(/^FATAL 42501: /);
    expect(await Visitor.refused(path, { ...old, connection })).toMatch(/^FATAL 28P01: /);
    expect(await Visitor.refused(path, { ...way, connection })).toBe('it was let in');
  });

  it('continues when the password is replaced', async () => {
    const connection = await approvedConnection(path);
    const visitor = await Visitor.enter(path, { ...(await granted(connection)), connection });
    await passwordOf(connection);
    expect((await visitor.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await visitor.leave();
  });

  it('needs its own grant with a credential from before the rule', async () => {
    await path.connect('ruled-later');
    const before = await passwordOf('ruled-later');
    const rule = { name: 'later', access_type: 'jit', reviewers_groups: ['dba', 'admin'], min_approvals: 2 };
    await gateway.call('admin', 'POST', '/access-requests/rules', {
      ...rule,
      connection_names: ['ruled-later'],
    });
    await granted('ruled-later');
    expect(await Visitor.refused(path, { ...before, connection: 'ruled-later' })).toBe(
      'FATAL 42501: clients of the connection ruled-later need an approval by the rule later',
    );
  });

  it('is ended when the grant ends, busy or not, and cannot reconnect', async () => {
    const { connection, review, way, inside } = await withTimeToEnter(async (seconds) => {
      const connection = await approvedConnection(path);
      const review = await requested(connection);
      await gateway.database.query('UPDATE reviews SET access_duration = $2 WHERE id = $1', [
        review,
        seconds,
      ]);
      await approve(gateway, review);
      const way = await passwordOf(connection);
      return { connection, review, way, inside: await visitors(connection, way) };
    });
    const end = (await reviewRow(gateway, review))['revoke_at'] as Date;
    await new Promise((wait) => setTimeout(wait, end.getTime() - Date.now()));
    await expectCut(inside, 'The access ended.');
    expect(await Visitor.refused(path, { ...way, connection })).toMatch(/^FATAL 28P01: /);
    expect(await Visitor.refused(path, { ...(await ownToken()), connection })).toMatch(/^FATAL 42501: /);
    await eventually(
      'the review has expired',
      async () => (await reviewRow(gateway, review))['status'] === 'EXPIRED',
    );
  });

  it('is admitted only in the approved hours', async () => {
    const connection = await approvedConnection(path);
    const time_window = hoursFromNow(120, 180);
    const { start_time, end_time } = time_window.configuration;
    const review = await requested(connection);
    await approve(gateway, review, { time_window });
    expect(await Visitor.refused(path, { ...(await ownToken()), connection })).toBe(
      `FATAL 42501: the approval can be used from ${start_time} to ${end_time} UTC only`,
    );
    // Issues a password while the approved time window includes the present.
    const open = JSON.stringify(hoursFromNow(-60, 60));
    await gateway.database.query('UPDATE reviews SET time_window = $2 WHERE id = $1', [review, open]);
    const way = await passwordOf(connection);
    await gateway.database.query('UPDATE reviews SET time_window = $2 WHERE id = $1', [
      review,
      JSON.stringify(time_window),
    ]);
    expect(await Visitor.refused(path, { ...way, connection })).toBe(
      `FATAL 42501: the approval can be used from ${start_time} to ${end_time} UTC only`,
    );
  });

  it('is ended when its owner becomes inactive, on every gateway', async () => {
    const connection = await approvedConnection(path, { reviewers_groups: ['dba', 'admin'] });
    const inside = await visitors(connection, await granted(connection));
    await path.setStatus('alice', 'inactive');
    try {
      await expectCut(inside, 'The session was ended: this user is inactive.');
    } finally {
      await path.setStatus('alice', 'active');
    }
  });

  it('is ended when its API key expires', async () => {
    const { inside, end } = await withTimeToEnter(async (seconds) => {
      const end = new Date(Date.now() + seconds * 1_000);
      const asked = { name: `for-${seconds}`, expires_at: end.toISOString() };
      const { body: key } = await gateway.call('admin', 'POST', '/api-keys', asked);
      const way = { user: 'me', password: key.key as string, connection: 'orders' };
      const inside = await Promise.all(
        [gateway, other].map((where) => Visitor.enter(path, { ...way, gateway: where })),
      );
      return { inside, end };
    });
    await new Promise((wait) => setTimeout(wait, end.getTime() - Date.now()));
    await expectCut(inside, 'The session was ended: this API key is expired.');
  });

  describe('of a group', () => {
    const setGroups = async (groups: string[]): Promise<void> => {
      expect((await gateway.call('admin', 'PATCH', '/users/alice', { groups })).status).toBe(200);
    };

    beforeAll(async () => {
      await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
    });
    afterAll(() => gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } }));

    it('is ended when its owner loses it, on every gateway, also without change feed', async () => {
      await setGroups(['night', 'day']);
      const connection = await approvedConnection(path, {}, { access_groups: ['night'] });
      const shared = await approvedConnection(path, {}, { access_groups: ['day'] });
      const inside = await visitors(connection, await granted(connection));
      const unconcerned = await Visitor.enter(path, { ...(await granted(shared)), connection: shared });
      const release = await keepFeedDown(other);
      try {
        await setGroups(['day']);
        await expectCut(
          inside,
          `The session was ended: none of your groups may open the connection ${connection}.`,
        );
      } finally {
        await release();
      }
      expect((await unconcerned.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await unconcerned.leave();
      expect(await Visitor.refused(path, { ...(await ownToken()), connection })).toBe(
        `FATAL 3D000: there is no connection named ${connection}`,
      );
    });

    it('is ended when the lost group exempted its owner from approval; with an approval it continues', async () => {
      await setGroups(['day', 'spared']);
      const connection = await approvedConnection(
        path,
        { skip_review_groups: ['spared'] },
        { access_groups: ['day'] },
      );
      const spared = [
        await Visitor.enter(path, { ...(await passwordOf(connection)), connection }),
        await Visitor.enter(path, { ...(await ownToken()), connection, gateway: other }),
      ];
      await setGroups(['day']);
      await expectCut(
        spared,
        `The session was ended: without a group that they lost, clients of the connection ${connection} need an approval.`,
      );
      await setGroups(['day', 'night']);
      const stays = await Visitor.enter(path, { ...(await granted(connection)), connection });
      await setGroups(['day']);
      await eventually(
        'it was looked at, and goes on',
        async () => (await stays.query('SELECT 1')).rowCount === 1,
      );
      await new Promise((wait) => setTimeout(wait, 500));
      expect((await stays.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await stays.leave();
    });

    it('is ended when its owner becomes an auditor', async () => {
      await setGroups(['day']);
      const connection = await approvedConnection(path, {}, { access_groups: ['day'] });
      const visitor = await Visitor.enter(path, { ...(await granted(connection)), connection });
      await setGroups(['day', 'auditor']);
      await expectCut([visitor], 'The session was ended: auditors may read, but open no connections.');
      await setGroups([]);
    });
  });

  it('is ended with the connection, and by a kill that keeps the grant', async () => {
    const connection = await approvedConnection(path);
    const way = await granted(connection);
    const [killed, cut] = [
      await Visitor.enter(path, { ...way, connection }),
      await Visitor.enter(path, { ...way, connection, gateway: other }),
    ];
    expect((await killSession(gateway, killed)).status).toBeLessThan(300);
    await expectCut([killed], 'The session was ended by admin@example.com.');
    expect((await cut.query('SELECT 1')).rowCount).toBe(1);
    expect((await gateway.call('admin', 'DELETE', `/connections/${connection}`)).status).toBe(204);
    await expectCut([cut], 'The connection was deleted.');
  });

  it('is refused or ended when the grant is revoked at the same time', async () => {
    for (let round = 0; round < REVOKED_IN_ROUNDS; round++) {
      const connection = await approvedConnection(path);
      const review = await requested(connection);
      await approve(gateway, review);
      const ways = [await passwordOf(connection), await ownToken()];
      const coming = [gateway, other, gateway, other].map((where, place) =>
        Visitor.enter(path, { ...(ways[place % 2] ?? CREDENTIAL), connection, gateway: where }),
      );
      // Depending on the round, the grant is revoked before, while or after the clients connect.
      await new Promise((wait) => setTimeout(wait, (round * 80) / REVOKED_IN_ROUNDS));
      await decide(other, 'bob', review, { status: 'REVOKED' });
      for (const outcome of await Promise.allSettled(coming)) {
        if (outcome.status === 'fulfilled')
          await expectCut([outcome.value], 'The review was revoked by bob@example.com.');
      }
      const open = await eventually('all are over', async () => {
        const rows = await gateway.database.query(
          `SELECT id FROM sessions WHERE connection_name = $1 AND status <> 'done'`,
          [connection],
        );
        return rows.length === 0;
      });
      expect(open).toBe(true);
    }
  });
});
