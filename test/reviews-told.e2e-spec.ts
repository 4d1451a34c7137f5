import { approve, approvedConnection } from './support/approved-access';
import { issue } from './support/credentials';
import { type DataPath, startDataPath } from './support/data-path';
import { eventually } from './support/eventually';
import { heldElsewhere } from './support/feed';
import type { Person } from './support/gateway';
import { type Approvals, approvalsOn } from './support/waiting-scripts';

/** What subscribers, auditors and reviewers are told of reviews that end without a word of their reviewers. */
describe('a review that ends', () => {
  let path: DataPath;
  let approvals: Approvals;

  beforeAll(async () => {
    path = await startDataPath({ HEARTBEAT_SECONDS: '1' });
    approvals = approvalsOn(path);
    await path.gateway.database.query(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com/', ARRAY['review.decided', 'access.revoked'], '\\x00' FROM organizations`,
    );
  });

  afterAll(() => path.close());

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
      const { id, review } = await (state === 'waited' ? approvals.ask : approvals.approved)(
        'SELECT 1',
        connection,
      );
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

    it('by two, on a gateway that hears of nothing: says who was first', async () => {
      const { id, review } = await approvals.ask('SELECT 2', await approvals.reviewed());
      await heldElsewhere(path.gateway, id, async () => {
        expect([await kill(id, 'admin'), await kill(id, 'alice')]).toEqual([202, 202]);
      });
      await path.gateway.database.query('UPDATE sessions SET gateway_id = NULL WHERE id = $1', [id]);
      await eventually('it is told', async () => (await told(review)).length > 0);
      expect((await told(review)).map(({ data }) => data['decided_by'])).toMatchObject([{ id: 'admin' }]);
    });
  });
});
