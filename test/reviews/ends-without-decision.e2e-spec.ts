import { describeDataPath } from '../support/describe';
import { approve, approvedConnection } from '../support/approved-access';
import { issue, revoke } from '../support/credentials';
import { eventually } from '../support/eventually';
import { heldElsewhere } from '../support/feed';
import type { Person } from '../support/gateway';
import { type Approvals, approvalsOn } from '../support/waiting-scripts';

/**
 * Messages to subscribers, auditors and reviewers about reviews that end without a decision of a reviewer.
 */
describeDataPath('a review that ends', { environment: { HEARTBEAT_SECONDS: '0.3' } }, ({ path }) => {
  let approvals: Approvals;

  beforeAll(async () => {
    approvals = approvalsOn(path);
    await path.gateway.database.query(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com/', ARRAY['review.decided', 'access.revoked'], '\\x00' FROM organizations`,
    );
  });

  type Event = { type: string; data: Record<string, unknown> };
  const told = (review: string): Promise<Event[]> =>
    path.gateway.database.query<Event>(
      `SELECT type, data FROM outbox WHERE data ->> 'review_id' = $1 ORDER BY position`,
      [review],
    );
  const kill = async (id: string, person: Person): Promise<number> =>
    (await path.gateway.call(person, 'POST', `/sessions/${id}/kill`)).status;

  describe('with its session, which was killed', () => {
    it.each([
      ['waited', 'alice'],
      ['waited', 'admin'],
      ['was ready', 'admin'],
    ] as const)('while it %s, by %s: says who', async (state, person) => {
      const connection = await approvals.reviewed();
      const { id, review } = await approvals[state === 'waited' ? 'ask' : 'approved']('SELECT 1', connection);
      expect(await kill(id, person)).toBe(204);
      expect((await told(review)).at(-1)).toMatchObject({
        type: 'review.decided',
        data: {
          status: 'REVOKED',
          decided_by: { id: person, email: `${person}@example.com`, identity_type: 'user' },
          forced: false,
        },
      });
      expect(await approvals.stateOf(id)).toEqual(['done', 'REVOKED']);
    });

    it('by two, on a gateway without change feed: reports the first one', async () => {
      const { id, review } = await approvals.ask('SELECT 2', await approvals.reviewed());
      await heldElsewhere(path.gateway, id, async () => {
        expect([await kill(id, 'admin'), await kill(id, 'alice')]).toEqual([202, 202]);
      });
      await path.gateway.database.query('UPDATE sessions SET gateway_id = NULL WHERE id = $1', [id]);
      await eventually('the end is reported', async () => (await told(review)).length > 0);
      expect((await told(review)).map(({ data }) => data['decided_by'])).toMatchObject([{ id: 'admin' }]);
    });
  });

  describe('with its connection, which was deleted', () => {
    const remove = async (connection: string): Promise<void> => {
      expect((await path.gateway.call('admin', 'DELETE', `/connections/${connection}`)).status).toBe(204);
    };
    const requested = async (connection: string): Promise<string> => {
      const { status, body } = await issue(path.gateway, 'alice', {}, connection);
      expect(status).toBe(202);
      return body.id;
    };
    const reviewOf = async (id: string): Promise<Record<string, unknown>> =>
      (await path.gateway.call('alice', 'GET', `/reviews/${id}`)).body;

    it('waiting: is revoked, and reported', async () => {
      const connection = await approvedConnection(path);
      const id = await requested(connection);
      const others = await requested(await approvedConnection(path));
      await remove(connection);
      expect(await reviewOf(id)).toMatchObject({
        status: 'REVOKED',
        rejection_reason: 'The connection was deleted.',
      });
      expect(await told(id)).toMatchObject([
        { type: 'review.decided', data: { status: 'REVOKED', decided_by: { id: 'admin' } } },
      ]);
      expect(await reviewOf(others)).toMatchObject({ status: 'PENDING' });
      const voted = await path.gateway.call('bob', 'PUT', `/reviews/${id}`, { status: 'APPROVED' });
      expect(voted.status).toBe(409);
      const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=reviews');
      const changes = body.data.filter((line: { outcome: string }) => line.outcome === 'success');
      expect(changes.find((line: { resource_id: string }) => line.resource_id === id)).toMatchObject({
        action: 'update',
        actor: { id: 'admin' },
        changes: [{ field: 'status', before: 'PENDING', after: 'REVOKED' }],
      });
    });

    it.each(['approved', 'in use'])(
      '%s: is revoked, and so is the access, which is told once',
      async (state) => {
        const connection = await approvedConnection(path);
        const id = await requested(connection);
        await approve(path.gateway, id);
        if (state === 'in use') expect((await issue(path.gateway, 'alice', {}, connection)).status).toBe(201);
        await remove(connection);
        expect((await reviewOf(id))['status']).toBe('REVOKED');
        expect((await told(id)).slice(1)).toMatchObject([
          {
            type: 'access.revoked',
            data: { credential_id: id, reason: 'revoked', revoked_by: { id: 'admin' } },
          },
          { type: 'review.decided', data: { status: 'REVOKED', decided_by: { id: 'admin' } } },
        ]);
        const open = await path.gateway.call('alice', 'GET', '/reviews?status=APPROVED');
        expect(open.body.data.map((review: { id: string }) => review.id)).not.toContain(id);
      },
    );

    it('and grants that needed no review: are reported too, unless they were over', async () => {
      await path.connect('free');
      const [live, ended] = [
        (await issue(path.gateway, 'alice', {}, 'free')).body.id,
        (await issue(path.gateway, 'alice', {}, 'free')).body.id,
      ];
      await revoke(path.gateway, 'alice', ended, 'free');
      await remove('free');
      const rows = await path.gateway.database.query<Event>(
        `SELECT data FROM outbox WHERE data ->> 'credential_id' = ANY ($1) ORDER BY position`,
        [[live, ended]],
      );
      expect(rows.map(({ data }) => data)).toMatchObject([
        { credential_id: ended, revoked_by: { id: 'alice' } },
        { credential_id: live, reason: 'revoked', connection: { name: 'free' }, revoked_by: { id: 'admin' } },
      ]);
    });
  });

  it('as nobody decided, or used it, in time: has a line of the gateway in the audit log', async () => {
    const connection = await approvals.reviewed();
    const waiting = (await approvals.ask('SELECT 3', connection)).review;
    const unused = (await approvals.approved('SELECT 4', connection)).review;
    await path.gateway.database.query(`UPDATE reviews SET expires_at = now() WHERE id = ANY ($1)`, [
      [waiting, unused],
    ]);
    const linesOf = async (id: string) => {
      const query = '/audit/logs?resource_type=reviews&actor=gateway';
      const { body } = await path.gateway.call('admin', 'GET', query);
      return body.data.filter((line: { resource_id: string }) => line.resource_id === id);
    };
    await eventually('both are told', async () =>
      (await Promise.all([linesOf(waiting), linesOf(unused)])).every((lines) => lines.length > 0),
    );
    for (const [id, before] of [
      [waiting, 'PENDING'],
      [unused, 'APPROVED'],
    ] as const) {
      expect(await linesOf(id)).toMatchObject([
        {
          action: 'update',
          outcome: 'success',
          actor: { id: 'gateway', type: 'machine' },
          changes: [{ field: 'status', before, after: 'EXPIRED' }],
        },
      ]);
    }
    expect((await path.gateway.call('admin', 'GET', '/audit/verify')).body.valid).toBe(true);
  });
});
