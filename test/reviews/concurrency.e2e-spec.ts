import { DataSource } from 'typeorm';
import { inputHash } from '../../src/gate/script-input';
import { ReviewExecutions } from '../../src/approvals/reviews/decisions/review-executions';
import { type TestGateway, startGateway } from '../support/gateway';
import { volume } from '../support/volume';
import { type ReviewPath, startReviewPath } from '../support/review-path';

/** Number of reviewers. Even the small number is, per gateway, larger than a gateway's connection pool. */
const MANY = volume(24, 50);
const REVIEWERS = Array.from({ length: MANY }, (_, n) => `reviewer-${n}`);
const approve = { status: 'APPROVED' };

/** Many people at once, on two gateways. */
describe('reviews with concurrent decisions', () => {
  let path: ReviewPath;
  let other: TestGateway;

  beforeAll(async () => {
    path = await startReviewPath({
      ...Object.fromEntries(REVIEWERS.map((name) => [name, ['dba']])),
      sam: ['security'],
    });
    other = await startGateway({ beside: path.gateway });
  }, 480_000);

  afterAll(async () => {
    await other.close();
    await path.close();
  });

  const half = (place: number): TestGateway => (place % 2 === 0 ? path.gateway : other);
  /** All reviewers decide in parallel. Returns the number of answers by HTTP status. */
  const all = async (id: string, bodies: (place: number) => object): Promise<Record<number, number>> => {
    const answers = await Promise.all(
      REVIEWERS.map((name, place) => path.say(name, id, bodies(place), half(place))),
    );
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const votesOn = async (id: string): Promise<number> =>
    (await path.sql('SELECT FROM review_votes WHERE review_id = $1', [id])).length;
  /** Number of audit lines about the review's transition into that state. */
  const times = async (id: string, status: string): Promise<number> =>
    (
      await path.sql(
        `SELECT FROM audit_log WHERE resource_id = $1 AND changes @> jsonb_build_array(jsonb_build_object(
           'field', 'status', 'after', $2::text))`,
        [id, status],
      )
    ).length;
  const sessionOf = async (id: string) => (await path.read(id)).body;

  // promises: REVIEW-12
  it.each([1, 2, 5])('settle once, and lose no vote: min_approvals %s', async (minApprovals) => {
    const connection = await path.reviewed({ min_approvals: minApprovals });
    for (let round = 0; round < volume(1, 3); round += 1) {
      const { id, sessionId } = await path.ask(connection);
      expect(await all(id, () => approve)).toEqual({ 200: minApprovals, 409: MANY - minApprovals });
      expect(await votesOn(id)).toBe(minApprovals);
      expect(await times(id, 'APPROVED')).toBe(1);
      const session = await sessionOf(sessionId);
      expect(session).toMatchObject({ status: 'ready', review: { status: 'APPROVED' } });
      const said = session.review.review_groups_data as { status: string; reviewed_by: { id: string } }[];
      expect(new Set(said.map(({ reviewed_by }) => reviewed_by.id)).size).toBe(minApprovals);
    }
  });

  it('count surplus votes that arrive while another group is missing', async () => {
    const connection = await path.reviewed({ min_approvals: 2 }, { attributes: ['guarded'] });
    await path.rule({ reviewers_groups: ['security'], attributes: ['guarded'] });
    const { id, sessionId } = await path.ask(connection);
    expect(await all(id, () => approve)).toEqual({ 200: MANY });
    expect(await votesOn(id)).toBe(MANY);
    expect(await sessionOf(sessionId)).toMatchObject({ status: 'open', review: { status: 'PENDING' } });
    expect((await path.say('sam', id, approve, other)).status).toBe(200);
    expect(await votesOn(id)).toBe(MANY + 1);
    expect(await times(id, 'APPROVED')).toBe(1);
    expect(await sessionOf(sessionId)).toMatchObject({ status: 'ready', review: { status: 'APPROVED' } });
  });

  // promises: REVIEW-12
  it('reach exactly one final state, and so does the session', async () => {
    const connection = await path.reviewed({ min_approvals: 5 });
    const words = ['APPROVED', 'APPROVED', 'APPROVED', 'REJECTED', 'REVOKED'];
    for (let round = 0; round < volume(3, 6); round += 1) {
      const { id, sessionId } = await path.ask(connection);
      const counts = await all(id, (place) => ({ status: words[(place + round) % 5] }));
      expect(Object.keys(counts).filter((status) => !['200', '409'].includes(status))).toEqual([]);
      const session = await sessionOf(sessionId);
      expect(['REJECTED', 'REVOKED']).toContain(session.review.status);
      expect(session).toMatchObject({ status: 'done', exit_code: 254 });
      expect((await times(id, 'REJECTED')) + (await times(id, 'REVOKED'))).toBe(1);
      expect((await path.by('admin', 'GET', `/sessions/${sessionId}/verify`)).body.status).toBe('valid');
    }
  });

  it('are claimed by exactly one of concurrent executions', async () => {
    const connection = await path.reviewed();
    const [organization] = await path.sql<{ id: string }>('SELECT id FROM organizations');
    const orgId = organization?.id ?? '';
    const hash = await inputHash({ script: 'SELECT 1', arguments: [], environment: {} });
    const claim = (place: number, id: string): Promise<string> => {
      const { app } = half(place);
      const executions = app.get(ReviewExecutions, { strict: false });
      return app
        .get(DataSource, { strict: false })
        .transaction((db) => executions.claim(db, orgId, id, hash))
        .then(({ status }) => status)
        .catch((error: Error) => error.message);
    };
    for (let round = 0; round < volume(2, 5); round += 1) {
      const { id, sessionId } = await path.ask(connection);
      expect((await path.say('bob', id, approve)).status).toBe(200);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, place) => claim(place, place % 3 === 0 ? sessionId : id)),
      );
      expect(replies.filter((reply) => reply === 'PROCESSING')).toHaveLength(1);
      expect(replies.filter((reply) => reply === 'the review is being executed')).toHaveLength(19);
    }
  });
});
