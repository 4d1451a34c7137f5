import { startGateway } from '../support/gateway';
import { describeReviewPath } from '../support/describe';

const PEOPLE = { max: ['management'], eve: ['management'], bob: ['dba'], carol: ['dba'], olaf: ['others'] };
const forced = { status: 'APPROVED', force_review: true, force_reason: 'The site is down.' };

describeReviewPath('forced approvals', { people: PEOPLE }, ({ path, gateway, begin }) => {
  const beside = begin(() => startGateway({ beside: gateway }));

  const reviewed = () =>
    path.reviewed({
      reviewers_groups: ['dba'],
      force_approval_groups: ['management'],
      min_approvals: 2,
    });
  const signOff = (name: string, id: string, comment: unknown = 'INC-204, correct') =>
    path.by(name, 'POST', `/reviews/${id}/sign-off`, { comment });
  const openOnes = async (name: string): Promise<string[]> => {
    const { body } = await path.by(name, 'GET', '/reviews?after_review=open');
    return (body.data as { id: string }[]).map(({ id }) => id);
  };

  // promises: REVIEW-20, REVIEW-21
  it('need a reason, and are listed until a person who did not force them signs them off', async () => {
    const { id, sessionId } = await path.ask(await reviewed());
    for (const why of [{}, { force_reason: null }, { force_reason: '  ' }]) {
      const refused = await path.say('max', id, { status: 'APPROVED', force_review: true, ...why });
      expect([refused.status, refused.body.message]).toEqual([
        422,
        'force_reason is missing: it says why the others are not waited for',
      ]);
    }
    expect((await signOff('carol', id)).status).toBe(409);
    expect((await path.say('max', id, forced)).body).toMatchObject({
      status: 'APPROVED',
      after_review: 'open',
      sign_off: null,
    });
    expect(await openOnes('admin')).toEqual([id]);
    expect(await openOnes('carol')).toEqual([id]);
    expect(await openOnes('olaf')).toEqual([]);
    const marked = async (state: string) =>
      (
        (await path.by('admin', 'GET', `/sessions?review.after_review=${state}`)).body.data as {
          id: string;
        }[]
      ).map((one) => one.id);
    expect([await marked('open'), await marked('signed_off')]).toEqual([[sessionId], []]);

    for (const [name, status, message] of [
      ['max', 403, 'you cannot sign off an approval that you forced'],
      ['olaf', 404, 'there is no review with this id'],
      ['auditor', 403, 'auditors may read, but change nothing'],
    ] as const)
      expect([name, await signOff(name, id)]).toMatchObject([name, { status, body: { message } }]);
    for (const comment of ['', ' ', 'a\u0000', null])
      expect((await signOff('carol', id, comment)).status).toBeGreaterThanOrEqual(400);
    expect((await signOff('carol', id)).body.message).toMatch(/^the approval can still be used/);
    await path.say('max', id, { status: 'REVOKED' });
    const done = await signOff('carol', id);
    expect(done.body).toMatchObject({
      after_review: 'signed_off',
      sign_off: { by: { id: 'carol' }, comment: 'INC-204, correct' },
    });
    expect((await signOff('eve', id)).status).toBe(409);
    expect(await openOnes('admin')).toEqual([]);
    expect([await marked('open'), await marked('signed_off')]).toEqual([[], [sessionId]]);
  });

  // promises: REVIEW-21
  it('are told as forced, and why, also when another vote settles them', async () => {
    await path.sql(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com/', ARRAY['review.decided'], '\\x00' FROM organizations`,
    );
    const rule = { reviewers_groups: ['dba'], force_approval_groups: ['management'] };
    const connection = await path.reviewed(rule, { attributes: ['two-rules'] });
    await path.rule({ reviewers_groups: ['others'], attributes: ['two-rules'] });
    const { id } = await path.ask(connection);
    expect((await path.say('max', id, forced)).body.status).toBe('PENDING');
    expect((await path.say('olaf', id, { status: 'APPROVED' })).body.status).toBe('APPROVED');
    await path.say('olaf', id, { status: 'REVOKED' });
    const told = await path.sql(
      `SELECT data FROM outbox WHERE type = 'review.decided' AND data->>'review_id' = $1 ORDER BY position`,
      [id],
    );
    expect(told).toMatchObject([
      {
        data: {
          status: 'APPROVED',
          decided_by: { id: 'olaf' },
          forced: true,
          force_reason: 'The site is down.',
        },
      },
      { data: { status: 'REVOKED', decided_by: { id: 'olaf' }, forced: false, force_reason: null } },
    ]);
  });

  // promises: REVIEW-21
  it('are signed off once, by the first at any gateway, and told once', async () => {
    await path.sql(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com/', ARRAY['review.signed_off'], '\\x00' FROM organizations`,
    );
    const { id } = await path.ask(await reviewed());
    await path.say('max', id, forced);
    await path.say('max', id, { status: 'REVOKED' });
    const answers = await Promise.all(
      ['bob', 'carol', 'eve', 'admin'].map((name, at) =>
        path.by(
          name,
          'POST',
          `/reviews/${id}/sign-off`,
          { comment: `seen by ${name}` },
          at % 2 === 0 ? gateway : beside,
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const told = await path.sql(
      `SELECT FROM outbox WHERE type = 'review.signed_off' AND data->>'review_id' = $1`,
      [id],
    );
    expect(told).toHaveLength(1);
  });
});
