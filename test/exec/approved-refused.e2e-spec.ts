import { AnalysisTimeout } from '../../src/guardrails/analysis/analysis-errors';
import { AnalysisPool, LIMITS } from '../../src/guardrails/analysis/analysis-pool';
import { createRule, denyPattern } from '../support/guardrails';
import { describeDataPath } from '../support/describe';
import { type Approvals, approvalsOn, approve, window } from '../support/waiting-scripts';
import { eventually } from '../support/eventually';
import { heldElsewhere } from '../support/feed';
import type { Person } from '../support/gateway';

const NOBODY = '00000000-0000-4000-8000-000000000000';
/** A script that is long enough to be judged in an analysis thread. */
const LONG = `SELECT 7; ${'SELECT 1 WHERE false;'.repeat(3_000)}`;

/** With an invalid approval nothing runs and nothing changes, and the answer has the reason. */
describeDataPath('a script that may not run', ({ path }) => {
  let on: Approvals;
  let connection: string;
  let count = 0;

  beforeAll(async () => {
    on = approvalsOn(path);
    connection = await on.reviewed();
  });

  const sql = (text: string, ...values: unknown[]) => path.gateway.database.query(text, values);
  const changing = () => `INSERT INTO customers VALUES (${100 + ++count}, 'Eve', NULL)`;

  /**
   * Expects a refusal with this message. It must change nothing in the target, the session, its recording or
   * its review.
   */
  const expectRefused = async (
    id: string,
    status: number,
    message: string,
    person: Person = 'alice',
  ): Promise<void> => {
    const look = async () => ({
      session: (await path.read(id)).body as object,
      recording: await path.recording(id),
      row: await sql('SELECT gateway_id, chunk_count, journaled FROM sessions WHERE id = $1', id),
    });
    const before = await look();
    const answer = await on.exec(id, person);
    expect([answer.status, answer.body]).toEqual([status, { message }]);
    expect(await look()).toEqual(before);
    expect(await path.target.query(`SELECT 1 FROM customers WHERE name = 'Eve'`)).toEqual([]);
  };

  it('because nobody decided yet', async () => {
    const { id } = await on.ask(changing(), connection);
    await expectRefused(id, 409, 'the review waits for its reviewers');
    await expectRefused(id, 409, 'the review waits for its reviewers', 'admin');
  });

  it.each([
    ['REJECTED', 'was rejected'],
    ['REVOKED', 'was revoked'],
  ])('because its review is %s', async (status, words) => {
    const { id } = await on.ask(changing(), connection);
    await sql('UPDATE reviews SET status = $2, ended_at = now() WHERE session_id = $1', id, status);
    await expectRefused(id, 409, `the review ${words}`);
  });

  // promises: EXEC-4
  it('because the approval has expired, although that is not stored yet', async () => {
    const { id } = await on.approved(changing(), connection);
    await sql(`UPDATE reviews SET expires_at = now() - interval '1 ms' WHERE session_id = $1`, id);
    const answer = await on.exec(id);
    expect([answer.status, answer.body]).toEqual([409, { message: 'the review has expired' }]);
    expect(await path.target.query(`SELECT 1 FROM customers WHERE name = 'Eve'`)).toEqual([]);
  });

  // promises: EXEC-4
  it('because these are not the hours for which it was approved', async () => {
    const { id, review } = await on.ask(changing(), connection);
    const hours = window(1, 2) as { configuration: { start_time: string; end_time: string } };
    await approve(path.gateway, review, { time_window: hours });
    const { start_time, end_time } = hours.configuration;
    await expectRefused(id, 409, `the approval can be used from ${start_time} to ${end_time} UTC only`);
  });

  // promises: EXEC-5
  it('because of the caller', async () => {
    const { id } = await on.approved(changing(), connection);
    await expectRefused(id, 403, 'only the requester or an admin may run this', 'bob');
    await expectRefused(id, 403, 'auditors may read, but change nothing', 'auditor');
    const { id: ofAdmin } = await on.approved(changing(), connection, 'admin');
    await expectRefused(ofAdmin, 404, 'there is no session with this id', 'alice');
    expect((await on.exec(NOBODY)).body).toEqual({ message: 'there is no session with this id' });
    expect((await path.gateway.call(null, 'POST', `/sessions/${id}/exec`)).status).toBe(401);
  });

  it('because it has no review', async () => {
    const { body } = await path.run('SELECT 1', {}, 'alice');
    const message = 'this session has no review, so there is no approved script to run';
    await expectRefused(body.session_id, 409, message);
  });

  it('because of what was sent', async () => {
    const { id } = await on.approved(changing(), connection);
    for (const [status, body] of [
      [400, { connection: 'orders' }],
      [400, { script: 1 }],
      [400, { client_args: 'x' }],
      [400, 'no json'],
      [422, { script: 'a\0b' }],
      [409, { script: '' }],
      [400, { client_args: null }],
      [400, { env_vars: null }],
    ] as const)
      expect((await path.gateway.call('alice', 'POST', `/sessions/${id}/exec`, body)).status).toBe(status);
    expect((await path.gateway.call('alice', 'POST', '/sessions/of-nobody/exec')).status).toBe(400);
    expect(await on.stateOf(id)).toEqual(['ready', 'APPROVED']);
  });

  // promises: EXEC-5
  it('because the requester may not open the connection any more, also when another person runs it', async () => {
    const name = await on.reviewed({ access_groups: ['engineering', 'dba'] });
    await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
    const { id } = await on.approved(changing(), name);
    await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_groups: ['dba'] });
    await expectRefused(id, 409, goneOrClosed(name));
    await expectRefused(id, 403, `its requester may not open the connection ${name} any more`, 'admin');
    await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_groups: ['engineering'] });
    await sql(`UPDATE user_groups SET group_name = 'others' FROM users
      WHERE users.id = user_id AND subject = 'alice' AND group_name = 'engineering'`);
    await expectRefused(id, 403, `its requester may not open the connection ${name} any more`, 'admin');
    await sql(`UPDATE user_groups SET group_name = 'engineering' WHERE group_name = 'others'`);
    await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_mode_exec: 'disabled' });
    await expectRefused(id, 403, `the connection ${name} does not accept scripts`);
    await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_mode_exec: 'enabled' });
    await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } });
  });

  // promises: EXEC-5
  it('because the requester is inactive', async () => {
    const { id } = await on.approved(changing(), connection);
    await path.setStatus('alice', 'inactive');
    await expectRefused(id, 403, 'its requester may no longer act', 'admin');
    expect((await on.exec(id)).status).toBe(401);
    await path.setStatus('alice', 'active');
    expect(await on.stateOf(id)).toEqual(['ready', 'APPROVED']);
  });

  // promises: EXEC-5
  it('because the requester became an auditor', async () => {
    const { id } = await on.approved(changing(), connection);
    await sql(`INSERT INTO user_groups (org_id, user_id, group_name, source)
      SELECT org_id, id, 'auditor', 'manual' FROM users WHERE subject = 'alice'`);
    const readsRules = async () => (await path.gateway.call('alice', 'GET', '/guardrails')).status === 200;
    await eventually('it is known', readsRules);
    await expectRefused(id, 403, 'its requester may no longer act', 'admin');
    await sql(`DELETE FROM user_groups WHERE group_name = 'auditor' AND source = 'manual'`);
    await eventually('they are none any more', async () => !(await readsRules()));
    expect(await on.stateOf(id)).toEqual(['ready', 'APPROVED']);
  });

  it('because its connection was deleted, also when another one has its name now', async () => {
    const name = await on.reviewed();
    const { id } = await on.approved(changing(), name);
    await path.gateway.call('admin', 'DELETE', `/connections/${name}`);
    await expectRefused(id, 409, goneOrClosed(name));
    await path.connect(name);
    await expectRefused(id, 409, goneOrClosed(name));
  });

  // promises: EXEC-2, EXEC-6
  it('because too many texts wait to be judged: it runs later, once', async () => {
    const name = await on.reviewed();
    await createRule(path.gateway, { name, attributes: [name], input: denyPattern('never said') });
    const { id } = await on.approved(LONG, name);
    const message = 'You already have too many texts that wait to be judged; try again later.';
    await whileNoneMayWait(() => expectRefused(id, 429, message));
    expect(await on.stateOf(id)).toEqual(['ready', 'APPROVED']);
    const answers = await Promise.all([on.exec(id), on.exec(id)]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await on.stateOf(id)).toEqual(['done', 'EXECUTED']);
    expect((await path.read(id)).body).toMatchObject({ metrics: { guardrails: { checked: 2 } } });
  });

  // promises: EXEC-3, EXEC-4
  it('because of its approval, also while too many texts wait: it is not judged for that', async () => {
    const name = await on.reviewed();
    await createRule(path.gateway, { name, attributes: [name], input: denyPattern('never said') });
    const { id, review } = await on.ask(LONG, name);
    const hours = window(1, 2) as { configuration: { start_time: string; end_time: string } };
    await approve(path.gateway, review, { time_window: hours });
    const { start_time, end_time } = hours.configuration;
    await whileNoneMayWait(async () => {
      await expectRefused(id, 409, `the approval can be used from ${start_time} to ${end_time} UTC only`);
      const other = await on.exec(id, 'alice', { script: 'SELECT 8' });
      expect([other.status, other.body]).toEqual([
        409,
        { message: 'this is not the input that was approved' },
      ]);
      await sql(`UPDATE reviews SET expires_at = now() - interval '1 ms' WHERE session_id = $1`, id);
      const late = await on.exec(id);
      expect([late.status, late.body]).toEqual([409, { message: 'the review has expired' }]);
    });
  });

  // promises: EXEC-6
  it('because it takes too long to judge: it is judged once, recorded, and over', async () => {
    const name = await on.reviewed();
    await createRule(path.gateway, { name, attributes: [name], input: denyPattern('never said') });
    const { id } = await on.approved(LONG, name);
    // Simulates the time-out, because a real time limit would depend on the speed of the machine.
    const judged = jest
      .spyOn(path.gateway.app.get(AnalysisPool), 'run')
      .mockRejectedValue(new AnalysisTimeout(10_000));
    try {
      const answer = await on.exec(id);
      expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(/^The text takes/)]);
      expect(await on.stateOf(id)).toEqual(['done', 'EXECUTED']);
      expect(JSON.stringify(await path.recording(id))).toContain(answer.body.message);
      expect((await on.exec(id)).status).toBe(409);
      expect(judged.mock.calls.length).toBe(1);
    } finally {
      judged.mockRestore();
    }
  });

  it('because it was killed', async () => {
    const { id } = await on.approved(changing(), connection);
    // The session has a stop request, and another transaction is about to write its end.
    await heldElsewhere(path.gateway, id, async () => {
      await sql(`UPDATE sessions SET stop_reason = 'Because.' WHERE id = $1`, id);
      await expectRefused(id, 409, 'the session is over, or is being ended');
    });
  });
});

/** One message for both causes, because a caller without access must not learn that a connection exists. */
function goneOrClosed(name: string): string {
  return `the connection ${name} was deleted after the request, or is not open to you any more`;
}

/** Runs the work while the limit of texts per user that wait for an analysis thread is 0. */
async function whileNoneMayWait(work: () => Promise<void>): Promise<void> {
  const { waiting } = LIMITS;
  const before = { ...waiting };
  try {
    Object.assign(waiting, { user: 0 });
    await work();
  } finally {
    Object.assign(waiting, before);
  }
}
