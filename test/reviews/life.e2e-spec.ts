import { DataSource, type EntityManager } from 'typeorm';
import { Principals } from '../../src/identity/auth/users/principals';
import { OverdueReviews } from '../../src/access/life/overdue-reviews';
import { ReviewDesk } from '../../src/gate/ports/review-desk';
import { inputHash } from '../../src/gate/script-input';
import type { Principal } from '../../src/kernel/principal';
import { ReviewExecutions } from '../../src/approvals/reviews/decisions/review-executions';
import { describeReviewPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { heldElsewhere } from '../support/feed';

const approved = { status: 'APPROVED' };
const hashOf = (script: string): Promise<Buffer> => inputHash({ script, arguments: [], environment: {} });

/** Reviews that end without a decision: by an execution, with their grant, or with their session. */
describeReviewPath('the life of a review', { people: { dora: ['dba'] } }, ({ path }) => {
  let executions: ReviewExecutions;
  let overdue: OverdueReviews;
  let orgId: string;

  beforeAll(async () => {
    executions = path.gateway.app.get(ReviewExecutions, { strict: false });
    overdue = path.gateway.app.get(OverdueReviews, { strict: false });
    orgId = (await path.sql<{ id: string }>('SELECT id FROM organizations'))[0]?.id ?? '';
  });

  const within = <T>(work: (db: EntityManager) => Promise<T>): Promise<T> =>
    path.gateway.app.get(DataSource, { strict: false }).transaction(work);
  const claim = (id: string, hash = hashOf('SELECT 1')) =>
    within(async (db) => executions.claim(db, orgId, id, await hash));
  const statusOf = async (id: string): Promise<string> =>
    (await path.by('admin', 'GET', `/reviews/${id}`)).body.status;
  const ready = async () => {
    const asked = await path.ask(await path.reviewed());
    expect((await path.say('bob', asked.id, approved)).body.status).toBe('APPROVED');
    return asked;
  };
  /** Simulates that the session ended on some gateway. `ago` is the PostgreSQL interval since its end. */
  const ended = (sessionId: string, exitCode: number, ago: string) =>
    path.sql(
      `WITH older AS (UPDATE reviews SET created_at = now() - interval '1 day' WHERE session_id = $1)
       UPDATE sessions SET status = 'done', exit_code = $2, end_date = now() - $3::interval WHERE id = $1`,
      [sessionId, exitCode, ago],
    );

  it('leaves it unused when the execution fails before it begins', async () => {
    const { id } = await ready();
    const fault = within(async (db) => {
      await executions.claim(db, orgId, id, await hashOf('SELECT 1'));
      throw new Error('the session could not be claimed');
    });
    await expect(fault).rejects.toThrow('the session could not be claimed');
    expect(await statusOf(id)).toBe('APPROVED');
    expect((await claim(id)).status).toBe('PROCESSING');
  });

  it('allows only the approved input, in its hours, once', async () => {
    const { id, sessionId } = await path.ask(await path.reviewed());
    await expect(claim(id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'the review waits for its reviewers',
    });
    const now = Date.now();
    const clock = (hours: number) => new Date(now + hours * 3_600_000).toISOString().slice(11, 16);
    const hours = (from: number, to: number) => ({
      type: 'time_range',
      configuration: { start_time: clock(from), end_time: clock(to) },
    });
    await path.say('bob', id, { ...approved, time_window: hours(2, 23) });
    await expect(claim(id)).rejects.toMatchObject({
      code: 'conflict',
      message: `the approval can be used from ${clock(2)} to ${clock(23)} UTC only`,
    });
    await path.sql(`UPDATE reviews SET time_window = $2 WHERE id = $1`, [id, hours(-2, 2)]);
    await expect(claim(id, hashOf('SELECT  1'))).rejects.toMatchObject({
      code: 'conflict',
      message: 'this is not the input that was approved',
    });
    expect(await statusOf(id)).toBe('APPROVED');
    expect((await claim(sessionId)).status).toBe('PROCESSING');
    expect((await path.say('bob', id, { status: 'REVOKED' })).body).toEqual({
      message: 'the review is being executed',
    });
    await executions.executed(orgId, sessionId);
    await executions.executed(orgId, id);
    expect(await statusOf(id)).toBe('EXECUTED');
    await expect(claim(id)).rejects.toMatchObject({ message: 'the review was executed already' });
  });

  it.each([
    ['ran and nobody said so', 'PROCESSING', 0, 'EXECUTED'],
    ['was cut while it ran', 'PROCESSING', 254, 'UNKNOWN'],
    ['ended before it was run', 'APPROVED', 254, 'REVOKED'],
    ['ended before anybody decided', 'PENDING', 254, 'REVOKED'],
  ])('settles the review of a session that %s', async (_, state, exitCode, expected) => {
    const { id, sessionId } = state === 'PENDING' ? await path.ask(await path.reviewed()) : await ready();
    if (state === 'PROCESSING') await claim(id);
    await ended(sessionId, exitCode, '10 seconds');
    await overdue.settleEnded(orgId);
    expect(await statusOf(id)).toBe(state);
    await ended(sessionId, exitCode, '2 minutes');
    await eventually('the review is over', async () => (await statusOf(id)) === expected);
  });

  it('ends the others even if one cannot be ended', async () => {
    const stuck = await path.ask(await path.reviewed());
    const other = await path.ask(await path.reviewed());
    await heldElsewhere(path.gateway, stuck.sessionId, async () => {
      await path.sql(`UPDATE reviews SET expires_at = now() - interval '1 s' WHERE id IN ($1, $2)`, [
        stuck.id,
        other.id,
      ]);
      await eventually('the other is over', async () => (await statusOf(other.id)) === 'EXPIRED');
      expect(await statusOf(stuck.id)).toBe('PENDING');
    });
  });

  it('cannot be decided before the request is recorded', async () => {
    const { id, sessionId } = await path.ask(await path.reviewed());
    await heldElsewhere(path.gateway, sessionId, async () => {
      for (const status of ['APPROVED', 'REJECTED', 'REVOKED']) {
        const answer = await path.say('bob', id, { status });
        expect([answer.status, answer.body.message]).toEqual([
          409,
          'the request is still being recorded; try again in a moment',
        ]);
      }
      expect(await path.sql('SELECT FROM review_votes WHERE review_id = $1', [id])).toEqual([]);
    });
    await path.sql('UPDATE sessions SET gateway_id = NULL WHERE id = $1', [sessionId]);
    expect((await path.say('bob', id, approved)).body.status).toBe('APPROVED');
  });

  describe('of a span of time', () => {
    let requester: Principal;
    let connection: { id: string; name: string; subtype: string };

    beforeAll(async () => {
      const { principal } = await path.gateway.app.get(Principals, { strict: false }).find(orgId, 'alice');
      requester = principal;
      connection = { id: path.connectionId, name: 'orders', subtype: 'postgres' };
    });

    const askTime = async (): Promise<string> => {
      const desk = path.gateway.app.get(ReviewDesk, { strict: false });
      const rule = {
        id: orgId,
        name: 'time',
        reviewersGroups: ['dba'],
        approvalRequiredGroups: [],
        forceApprovalGroups: [],
        allGroupsMustApprove: false,
        minApprovals: 1,
        accessMaxDuration: 3_600,
      };
      const what = { type: 'jit', accessDuration: 600 } as const;
      const answer = await desk.requestReview({ requester, connection, rules: [rule], reason: null, what });
      return answer.kind === 'pending' ? answer.reviewId : '';
    };
    const open = () => within((db) => executions.openGrant(db, requester, connection.id));

    it('needs no session, and is found again by its requester', async () => {
      expect(await open()).toBeNull();
      const id = await askTime();
      expect((await open())?.id).toBe(id);
      expect((await path.by('bob', 'GET', `/reviews/${id}`)).body).toMatchObject({
        type: 'jit',
        session_id: null,
        access_duration: 600,
        status: 'PENDING',
      });
      expect((await path.say('bob', id, approved)).body.status).toBe('APPROVED');
      expect(await open()).toMatchObject({ id, status: 'APPROVED' });
      expect((await path.by('bob', 'GET', '/sessions?review.status=APPROVED')).status).toBe(200);
      expect((await path.say('dora', id, { status: 'REVOKED' })).body.status).toBe('REVOKED');
      expect(await open()).toBeNull();
    });

    it('lasts as long as its grant', async () => {
      const id = await askTime();
      await path.say('bob', id, approved);
      const until = new Date(Date.now() + 600_000);
      await within(async (db) => {
        const review = await executions.openGrant(db, requester, connection.id);
        if (review !== null) await executions.granted(db, review, until);
      });
      expect((await path.by('alice', 'GET', `/reviews/${id}`)).body).toMatchObject({
        status: 'APPROVED',
        revoke_at: until.toISOString(),
        expires_at: until.toISOString(),
      });
      await path.sql(`UPDATE reviews SET expires_at = now() WHERE id = $1`, [id]);
      await eventually('it is over', async () => (await statusOf(id)) === 'EXPIRED');
    });
  });
});
