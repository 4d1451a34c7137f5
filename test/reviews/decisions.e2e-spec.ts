import { randomUUID } from 'node:crypto';
import { once } from '../../src/kernel/async/once';
import { describeReviewPath } from '../support/describe';
import { as } from '../support/callers';
import { eventually } from '../support/eventually';
import type { Answer } from '../support/gateway';

const PEOPLE = {
  carol: ['dba', 'security'],
  // Alice and Carol are second accounts of alice and carol, with other subjects but equal e-mail addresses.
  Alice: ['dba', 'management'],
  Carol: ['dba', 'management'],
  dora: ['dba'],
  sam: ['security'],
  max: ['management'],
  eve: ['sales'],
};

/** Decisions on reviews over REST: their answers, and their effect on the session. */
describeReviewPath('deciding on a review', { people: PEOPLE }, ({ path }) => {
  const session = async (id: string, query = '') => (await path.read(id, query)).body;
  const approved = { status: 'APPROVED' };
  /** A connection with one rule. It is shared by all tests that do not need a connection of their own. */
  const plain = once(() => path.reviewed());
  const window = (start_time: unknown, end_time: unknown) => ({
    type: 'time_range',
    configuration: { start_time, end_time },
  });

  // promises: STATE-1, RULE-3, REVIEW-2, AUTH-8
  it('approves: the session is ready, and both show the approver', async () => {
    const { id, sessionId } = await path.ask(
      await path.reviewed({ reviewers_groups: ['dba', 'security'], min_approvals: 2 }),
    );
    const first = await path.say('carol', id, approved);
    expect([first.status, first.body.status]).toEqual([200, 'PENDING']);
    expect(await session(sessionId)).toMatchObject({ status: 'open', end_date: null });
    const second = await path.by('bob', 'PUT', `/sessions/${sessionId}/review`, approved);
    expect(second.status).toBe(200);
    const by = (name: string, group: string) => ({
      group,
      status: 'APPROVED',
      forced_review: false,
      review_date: expect.stringMatching(/Z$/),
      reviewed_by: { id: name, name: expect.any(String), email: `${name}@example.com`, slack_id: '' },
    });
    expect(second.body).toMatchObject({
      id,
      session_id: sessionId,
      status: 'APPROVED',
      connection: { name: expect.stringMatching(/^reviewed-/) },
      review_owner: { id: 'alice', email: 'alice@example.com' },
      approved_at: expect.stringMatching(/Z$/),
      review_groups_data: [by('carol', 'dba'), by('bob', 'dba'), by('carol', 'security')],
    });
    const left = Date.parse(second.body.expires_at) - Date.parse(second.body.approved_at);
    expect(left).toBe(24 * 3_600_000);
    const seen = await session(sessionId);
    expect(seen).toMatchObject({ status: 'ready', end_date: null });
    expect(second.body).toMatchObject(seen.review);
    expect((await path.by('admin', 'GET', '/sessions?review.approver=bob')).body.data).toMatchObject([
      { id: sessionId },
    ]);
  });

  // promises: REVIEW-5
  it('takes accounts with the same e-mail address for one person', async () => {
    const rule = { reviewers_groups: ['dba'], force_approval_groups: ['management'], min_approvals: 2 };
    const { id } = await path.ask(await path.reviewed(rule));
    const forced = { ...approved, force_review: true, force_reason: 'urgent' };
    const toDecide = async (name: string): Promise<string[]> =>
      (await path.by(name, 'GET', '/reviews?mine=to_decide')).body.data.map((one: { id: string }) => one.id);
    expect(await toDecide('Alice')).not.toContain(id);
    expect(await toDecide('Carol')).toContain(id);
    for (const [name, word] of [
      ['Alice', approved],
      ['Alice', forced],
    ] as const)
      expect(await path.say(name, id, word)).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/^another account with your e-mail address asked for this/) },
      });
    expect((await path.say('carol', id, approved)).body.status).toBe('PENDING');
    expect((await path.say('Carol', id, approved)).status).toBe(403);
    expect((await path.say('Carol', id, forced)).status).toBe(403);
    // A second approval by the same account is accepted, but does not count again.
    expect((await path.say('carol', id, approved)).body.status).toBe('PENDING');
    expect((await path.say('dora', id, approved)).body.status).toBe('APPROVED');

    const another = await path.ask(await path.reviewed({ ...rule, min_approvals: 3 }));
    expect((await path.say('Carol', another.id, forced)).body.status).toBe('APPROVED');
    await path.say('carol', another.id, { status: 'REVOKED' });
    const signOff = (name: string) =>
      path.by(name, 'POST', `/reviews/${another.id}/sign-off`, { comment: 'fine' });
    expect((await signOff('carol')).status).toBe(403);
    expect((await signOff('dora')).status).toBe(200);
  });

  // promises: RULE-3, REVIEW-6
  it('counts a person once, also with several groups and votes', async () => {
    const { id } = await path.ask(
      await path.reviewed({ reviewers_groups: ['dba', 'security'], min_approvals: 2 }),
    );
    for (let time = 0; time < 3; time += 1) {
      const answer = await path.say('carol', id, approved);
      expect([answer.status, answer.body.status]).toEqual([200, 'PENDING']);
      expect(answer.body.review_groups_data).toHaveLength(2);
    }
    expect((await path.say('sam', id, approved)).body.status).toBe('APPROVED');
  });

  // promises: LIFE-2, REVIEW-9, REVIEW-14
  it.each([
    [
      'rejected',
      'REJECTED',
      'bob',
      { rejection_reason: 'Not on a Friday.' },
      'The request was rejected by bob@example.com.',
    ],
    ['rejected by an admin', 'REJECTED', 'admin', {}, 'The request was rejected by admin@example.com.'],
    ['rejected by who asked', 'REJECTED', 'alice', {}, 'The request was rejected by alice@example.com.'],
    ['revoked by who asked', 'REVOKED', 'alice', {}, 'The review was revoked by alice@example.com.'],
    ['revoked by a reviewer', 'REVOKED', 'bob', {}, 'The review was revoked by bob@example.com.'],
    ['revoked by an admin', 'REVOKED', 'admin', {}, 'The review was revoked by admin@example.com.'],
  ])('ends a session whose review is %s', async (_, status, name, more, reason) => {
    const { id, sessionId } = await path.ask(await plain());
    const answer = await path.say(name, id, { status, ...more });
    expect([answer.status, answer.body.status]).toEqual([200, status]);
    expect(await session(sessionId, '?event_stream=utf8')).toMatchObject({
      status: 'done',
      exit_code: 254,
      end_date: expect.any(String),
      event_stream: [`${reason}\n`],
      review: { status, rejection_reason: 'rejection_reason' in more ? more.rejection_reason : null },
    });
    expect((await path.by('admin', 'GET', `/sessions/${sessionId}/verify`)).body.status).toBe('valid');
    for (const again of ['APPROVED', 'REJECTED', 'REVOKED']) {
      const late = await path.say('bob', id, { status: again });
      expect([late.status, late.body]).toEqual([409, { message: `the review was ${status.toLowerCase()}` }]);
    }
  });

  it('revokes an approval', async () => {
    const { id, sessionId } = await path.ask(await plain());
    expect((await path.say('bob', id, approved)).body.status).toBe('APPROVED');
    expect((await path.say('dora', id, approved)).body).toEqual({
      message: 'the review is approved already',
    });
    expect((await path.say('dora', id, { status: 'REJECTED' })).status).toBe(409);
    expect((await path.say('dora', id, { status: 'REVOKED' })).body.status).toBe('REVOKED');
    expect(await session(sessionId)).toMatchObject({ status: 'done', exit_code: 254 });
  });

  // promises: RULE-5, REVIEW-7
  it('is forced only by groups that may, and only for the rules that allow it', async () => {
    const connection = await path.reviewed(
      { force_approval_groups: ['management'], min_approvals: 2 },
      { attributes: ['pii'] },
    );
    await path.rule({
      reviewers_groups: ['security'],
      force_approval_groups: ['sales'],
      attributes: ['pii'],
    });
    const { id, sessionId } = await path.ask(connection);
    // A person who may vote under at least one of the rules sees the request.
    expect((await path.by('max', 'GET', `/sessions/${sessionId}`)).body.script).toEqual({
      data: 'SELECT 1',
    });
    expect((await path.by('eve', 'GET', `/sessions/${sessionId}`)).status).toBe(200);
    for (const [name, body, message] of [
      ['max', approved, 'none of your groups may approve this review'],
      [
        'bob',
        { ...approved, force_review: true, force_reason: 'urgent' },
        'none of your groups may force this approval',
      ],
      [
        'sam',
        { ...approved, force_review: true, force_reason: 'urgent' },
        'none of your groups may force this approval',
      ],
    ] as const) {
      const answer = await path.say(name, id, body);
      expect([answer.status, answer.body]).toEqual([403, { message }]);
    }
    const forced = await path.say('max', id, { ...approved, force_review: true, force_reason: 'urgent' });
    expect(forced.body).toMatchObject({ status: 'PENDING', force_approval_groups: [] });
    expect(forced.body.review_groups_data).toMatchObject([
      { group: 'dba', status: 'PENDING' },
      { group: 'management', status: 'APPROVED', forced_review: true, reviewed_by: { id: 'max' } },
      { group: 'security', status: 'PENDING' },
    ]);
    expect((await path.say('sam', id, approved)).body.status).toBe('APPROVED');
    expect(await session(sessionId)).toMatchObject({ status: 'ready' });
    const visible = await path.read(sessionId, '', 'admin');
    expect(visible.body.review.access_request_rule_name).toMatch(/^rule-\d+, rule-\d+$/);
    expect(visible.body.review.min_approvals).toBe(2);
  });

  it('is rejected without force, also by one who forced a rule before', async () => {
    const connection = await path.reviewed({ force_approval_groups: ['management'] }, { attributes: ['hr'] });
    await path.rule({ reviewers_groups: ['security'], attributes: ['hr'] });
    const { id, sessionId } = await path.ask(connection);
    const foundByApprover = async (): Promise<unknown[]> => {
      const found = await Promise.all(
        ['max', 'max@example.com'].map((max) => path.by('admin', 'GET', `/sessions?review.approver=${max}`)),
      );
      return found.map(({ body }) => body.data.some((session: { id: string }) => session.id === sessionId));
    };
    expect(
      (await path.say('max', id, { ...approved, force_review: true, force_reason: 'urgent' })).body.status,
    ).toBe('PENDING');
    expect(await foundByApprover()).toEqual([true, true]);
    const { body } = await path.say('max', id, { status: 'REJECTED' });
    expect(await foundByApprover()).toEqual([false, false]);
    expect(body.review_groups_data).toContainEqual(
      expect.objectContaining({ group: 'management', status: 'REJECTED', forced_review: false }),
    );
    expect(await path.sql('SELECT verdict, forced FROM review_votes WHERE review_id = $1', [id])).toEqual([
      { verdict: 'REJECTED', forced: false },
    ]);
  });

  describe('by the requester', () => {
    // promises: REVIEW-5
    it.each([
      ['as a reviewer', 'bob', {}],
      ['as an admin who may force', 'admin', { force_review: true, force_reason: 'urgent' }],
    ])('is no approval: %s', async (_, name, more) => {
      const connection = await path.reviewed({
        reviewers_groups: ['dba', 'admin'],
        force_approval_groups: ['admin', 'dba'],
      });
      const { id } = await path.ask(connection, name);
      for (const answer of [
        await path.say(name, id, { ...approved, ...more }),
        await path.by(name, 'PUT', `/reviews/${id}`, {
          ...approved,
          force_review: true,
          force_reason: 'urgent',
        }),
      ])
        expect([answer.status, answer.body]).toEqual([
          403,
          { message: 'you cannot approve your own request' },
        ]);
      expect(await path.sql('SELECT FROM review_votes WHERE review_id = $1', [id])).toEqual([]);
    });

    // promises: REVIEW-5
    it('cannot be given with an API key, nor for a request of the approver’s own API key', async () => {
      const connection = await path.reviewed({ reviewers_groups: ['dba', 'admin'] });
      const made = await path.by('admin', 'POST', '/api-keys', { name: 'robot', groups: ['dba', 'admin'] });
      const key = made.body.key as string;
      const { id } = await path.ask(connection, 'admin');
      const byKey = await as(path.gateway, key, 'PUT', `/reviews/${id}`, approved);
      expect([byKey.status, byKey.body.message]).toEqual([403, 'API keys cannot approve reviews']);
      const asked = await as(path.gateway, key, 'POST', '/sessions', { connection, script: 'SELECT 1' });
      const ofKey = await path.say('admin', asked.body.review_id, approved);
      expect([ofKey.status, ofKey.body.message]).toEqual([403, 'you cannot approve your own request']);
      expect((await path.say('bob', asked.body.review_id, approved)).body.status).toBe('APPROVED');
      expect((await as(path.gateway, key, 'PUT', `/reviews/${id}`, { status: 'REVOKED' })).status).toBe(200);
    });

    // promises: REVIEW-5
    it('cannot be given for a request of an API key that the approver’s API key created', async () => {
      const connection = await path.reviewed({ reviewers_groups: ['dba', 'admin'] });
      const first = await path.by('admin', 'POST', '/api-keys', { name: 'maker', groups: ['admin'] });
      const body = { name: 'made', groups: ['engineering'] };
      const second = await as(path.gateway, first.body.key, 'POST', '/api-keys', body);
      expect(second.status).toBe(201);
      const asked = await as(path.gateway, second.body.key, 'POST', '/sessions', {
        connection,
        script: 'SELECT 1',
      });
      const { review_id } = asked.body;
      const own = await path.say('admin', review_id, approved);
      expect([own.status, own.body]).toEqual([403, { message: 'you cannot approve your own request' }]);
      expect((await path.by('admin', 'GET', '/reviews?mine=to_decide')).body.data).not.toContainEqual(
        expect.objectContaining({ id: review_id }),
      );
      expect((await path.say('bob', review_id, approved)).body.status).toBe('APPROVED');
    });
  });

  describe('hours', () => {
    // promises: REVIEW-3, REVIEW-11
    it('of several approvers are the hours that all of them allow', async () => {
      const { id } = await path.ask(await path.reviewed({ min_approvals: 3 }));
      const say = (name: string, start: string, end: string) =>
        path.say(name, id, { ...approved, time_window: window(start, end) });
      expect((await say('bob', '22:00', '06:00')).body.time_window).toEqual(window('22:00', '06:00'));
      const apart = await say('carol', '09:00', '17:00');
      expect([apart.status, apart.body.message]).toEqual([
        422,
        'time_window must overlap with the hours of the other approvers in one continuous range',
      ]);
      expect(await path.sql('SELECT FROM review_votes WHERE review_id = $1', [id])).toHaveLength(1);
      expect((await say('carol', '23:30', '12:00')).body.time_window).toEqual(window('23:30', '06:00'));
      expect((await path.say('dora', id, approved)).body).toMatchObject({
        status: 'APPROVED',
        time_window: window('23:30', '06:00'),
      });
    });
  });

  describe('how long access is given', () => {
    const asked = async (rule: object) => {
      const connection = await path.reviewed({ access_type: 'jit', ...rule });
      const ask = (): Promise<Answer> =>
        path.by('alice', 'POST', `/connections/${connection}/credentials`, {
          access_duration_seconds: 7_200,
        });
      return { id: (await ask()).body.review_id as string, ask };
    };

    // promises: REVIEW-11
    it('is what was asked for, unless an approver shortens it: nobody lengthens it', async () => {
      const { id, ask } = await asked({ min_approvals: 3 });
      const say = async (name: string, access_duration?: number | null) =>
        (await path.say(name, id, { ...approved, access_duration })).body.access_duration;
      expect(await say('bob', 86_400)).toBe(7_200);
      expect(await say('bob', null)).toBe(7_200);
      expect(await say('carol', 900)).toBe(900);
      expect(await say('bob', 3_600)).toBe(900);
      // Simulates a client that sends the whole review back with its vote.
      const { body } = await path.by('dora', 'GET', `/reviews/${id}`);
      const last = await path.say('dora', id, { ...body, ...approved });
      expect(last.body).toMatchObject({ status: 'APPROVED', access_duration: 900 });
      const { connection_credentials, ...credential } = (await ask()).body;
      expect(connection_credentials).not.toBeNull();
      const left = Date.parse(credential.expire_at) - Date.now();
      expect(left).toBeGreaterThan(800_000);
      expect(left).toBeLessThanOrEqual(900_000);
      const { body: log } = await path.by('admin', 'GET', '/audit/logs?resource_type=reviews');
      const changes = log.data.flatMap((line: { changes: object[] }) => line.changes);
      expect(changes).toContainEqual({ field: 'access_duration', before: 7_200, after: 900 });
    });

    it('is at least a minute, and has no meaning for one script', async () => {
      const { id } = await asked({});
      for (const [access_duration, status, message] of [
        [59, 422, /^access_duration must be at least 60 seconds$/],
        [-1, 422, /^access_duration must not be less than 0/],
        [90.5, 400, /^access_duration must be an integer/],
        ['900', 400, /^access_duration must be an integer/],
      ] as const) {
        const answer = await path.say('bob', id, { ...approved, access_duration });
        expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
      }
      expect((await path.say('bob', id, { ...approved, access_duration: 0 })).body).toMatchObject({
        status: 'APPROVED',
        access_duration: 7_200,
      });
      const script = await path.ask(await plain());
      expect((await path.say('bob', script.id, { ...approved, access_duration: 900 })).body).toMatchObject({
        status: 'APPROVED',
        access_duration: 0,
      });
    });
  });

  describe('of one review', () => {
    let id: string;
    let sessionId: string;

    beforeAll(async () => {
      ({ id, sessionId } = await path.ask(await plain()));
    });

    // promises: REVIEW-4
    it.each<[string, object | string, number, RegExp]>([
      ['no state', {}, 400, /^status must be one of/],
      ['an unknown state', { status: 'approved' }, 400, /^status must be one of: .*APPROVED, REJECTED/],
      ['a state that is no text', { status: ['APPROVED'] }, 400, /^status must be one of/],
      [
        'a state that cannot be set',
        { status: 'EXECUTED' },
        422,
        /^status can be set to APPROVED, REJECTED or REVOKED only$/,
      ],
      ['the state that it has', { status: 'PENDING' }, 422, /^status can be set to/],
      [
        'a number for a time',
        { ...approved, time_window: window(22, '06:00') },
        400,
        /^time_window.configuration.start_time must be a string$/,
      ],
      [
        'no such hour',
        { ...approved, time_window: window('24:00', '06:00') },
        400,
        /start_time must be a time of day such as 22:00$/,
      ],
      [
        'a time with seconds',
        { ...approved, time_window: window('22:00', '06:00:00') },
        400,
        /end_time must be a time of day/,
      ],
      [
        'hours without an end',
        { ...approved, time_window: { type: 'time_range', configuration: { start_time: '22:00' } } },
        400,
        /end_time must be a string$/,
      ],
      [
        'hours without times',
        { ...approved, time_window: { type: 'time_range' } },
        400,
        /configuration must be an object/,
      ],
      ['hours as a text', { ...approved, time_window: '22:00-06:00' }, 400, /^time_window must be an object/],
      [
        'another kind of hours',
        { ...approved, time_window: { ...window('22:00', '06:00'), type: 'weekdays' } },
        400,
        /^time_window.type must be one of/,
      ],
      [
        'hours that end when they start',
        { ...approved, time_window: window('06:00', '06:00') },
        422,
        /^time_window must not start and end at the same time/,
      ],
      ['force that is a text', { ...approved, force_review: 'true' }, 400, /^force_review must be a boolean/],
      [
        'force with a rejection',
        { status: 'REJECTED', force_review: true, force_reason: 'urgent' },
        422,
        /^force_review is allowed with the status APPROVED only$/,
      ],
      [
        'a reason that is too long',
        { status: 'REJECTED', rejection_reason: 'x'.repeat(2_501) },
        422,
        /^rejection_reason must be shorter/,
      ],
      [
        'a reason with NUL',
        { status: 'REJECTED', rejection_reason: 'a\0b' },
        422,
        /must not contain control,/,
      ],
      ['an unknown field', { ...approved, reviewer: 'bob' }, 400, /^unknown field reviewer$/],
      ['no object', '[]', 400, /must be a JSON object$/],
      ['no JSON', '{', 400, /./],
    ])('refuses %s, and changes nothing', async (_, body, status, message) => {
      const before = await path.by('admin', 'GET', `/reviews/${id}`);
      const answer = await path.say('bob', id, body as object);
      expect([answer.status, answer.body]).toEqual([status, { message: expect.stringMatching(message) }]);
      expect((await path.by('admin', 'GET', `/reviews/${id}`)).body).toEqual(before.body);
      expect(await session(sessionId)).toMatchObject({ status: 'open' });
    });
  });

  it('accepts the body that was read, with another status', async () => {
    const { id } = await path.ask(await plain());
    const { body } = await path.by('bob', 'GET', `/reviews/${id}`);
    expect((await path.say('bob', id, { ...body, status: 'APPROVED' })).body.status).toBe('APPROVED');
  });

  // promises: REVIEW-14
  it('is 404 for strangers, and 403 for those who may only read', async () => {
    const { id, sessionId } = await path.ask(await plain());
    const unknown = await path.say('eve', randomUUID(), approved);
    for (const status of ['APPROVED', 'REJECTED', 'REVOKED']) {
      for (const answer of [
        await path.say('eve', id, { status }),
        await path.by('eve', 'PUT', `/sessions/${sessionId}/review`, { status }),
      ])
        expect([answer.status, answer.body]).toEqual([404, unknown.body]);
      const asAuditor = await path.say('auditor', id, { status });
      expect(asAuditor.status).toBe(403);
    }
    expect((await path.by('eve', 'GET', `/reviews/${id}`)).body).toEqual(unknown.body);
    // An admin who is in no reviewer group cannot approve.
    expect((await path.say('admin', id, approved)).body).toEqual({
      message: 'none of your groups may approve this review',
    });
    expect((await path.say('bob', 'not-a-uuid', approved)).status).toBe(400);
    const bare = (await path.by('alice', 'POST', '/sessions', { connection: 'orders', script: 'SELECT 1' }))
      .body;
    expect((await path.by('alice', 'PUT', `/sessions/${bare.session_id}/review`, approved)).status).toBe(404);
    expect((await path.by('admin', 'GET', `/reviews/${id}`)).body.status).toBe('PENDING');
  });

  // promises: REVIEW-8
  it('uses the rules of the time of the request', async () => {
    const connection = await path.reviewed({ min_approvals: 2 });
    const { id } = await path.ask(connection);
    const { name } = {
      name: (await path.by('admin', 'GET', `/reviews/${id}`)).body.access_request_rule_name,
    };
    const rule = {
      name,
      access_type: 'command',
      reviewers_groups: ['sales'],
      min_approvals: 1,
      connection_names: [connection],
    };
    expect((await path.by('admin', 'PUT', `/access-requests/rules/${name}`, rule)).status).toBe(200);
    expect((await path.say('eve', id, approved)).status).toBe(404);
    expect((await path.say('bob', id, approved)).body).toMatchObject({
      status: 'PENDING',
      min_approvals: 2,
    });
    expect((await path.by('admin', 'DELETE', `/access-requests/rules/${name}`)).status).toBe(204);
    expect((await path.say('dora', id, approved)).body.status).toBe('APPROVED');
  });

  it('refuses to approve a deleted connection, and allows to reject', async () => {
    const connection = await path.reviewed();
    const { id, sessionId } = await path.ask(connection);
    expect((await path.by('admin', 'DELETE', `/connections/${connection}`)).status).toBe(204);
    const answer = await path.say('bob', id, approved);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      `the connection ${connection} was deleted after the request`,
    ]);
    expect(await path.sql('SELECT FROM review_votes WHERE review_id = $1', [id])).toEqual([]);
    expect((await path.say('bob', id, { status: 'REJECTED' })).body.status).toBe('REJECTED');
    expect(await session(sessionId)).toMatchObject({ status: 'done' });
  });

  it('does not bring back a session that was killed', async () => {
    const { id, sessionId } = await path.ask(await plain());
    expect((await path.by('alice', 'POST', `/sessions/${sessionId}/kill`)).status).toBe(204);
    expect((await path.say('bob', id, approved)).body).toEqual({ message: 'the review was revoked' });
    expect(await session(sessionId)).toMatchObject({ status: 'done', review: { status: 'REVOKED' } });
  });

  // promises: REVIEW-10
  it.each([
    ['waits', false, 'Nobody decided on the review in time.'],
    ['was approved', true, 'The approval was not used in time.'],
  ])('expires when it %s too long, with its session', async (_, isApproved, reason) => {
    const { id, sessionId } = await path.ask(await plain());
    if (isApproved) await path.say('bob', id, approved);
    await path.sql(`UPDATE reviews SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
    // A decision is refused after the expiry, even before the gateway has changed the review's status.
    expect((await path.say('dora', id, { status: 'REVOKED' })).body).toEqual({
      message: 'the review has expired',
    });
    const over = await eventually('the session is over', async () => {
      const seen = await session(sessionId, '?event_stream=utf8');
      return seen.status === 'done' && seen;
    });
    expect(over).toMatchObject({
      exit_code: 254,
      event_stream: [`${reason}\n`],
      review: { status: 'EXPIRED' },
    });
    expect((await path.by('admin', 'GET', `/sessions/${sessionId}/verify`)).body.status).toBe('valid');
  });

  // promises: REVIEW-9
  it('is final, also for writers of the database', async () => {
    const { id } = await path.ask(await plain());
    await path.say('bob', id, { status: 'REJECTED' });
    for (const status of ['PENDING', 'APPROVED', 'PROCESSING', 'EXECUTED', 'REVOKED'])
      await expect(path.sql('UPDATE reviews SET status = $2 WHERE id = $1', [id, status])).rejects.toThrow(
        `a review that is REJECTED cannot become ${status}`,
      );
  });

  // promises: REVIEW-15
  it('is in the audit log: who decided, and how', async () => {
    const { id } = await path.ask(await path.reviewed({ min_approvals: 2 }));
    await path.say('bob', id, approved);
    await path.say('max', id, approved);
    const told = async () => {
      const { body } = await path.by('admin', 'GET', '/audit/logs?resource_type=reviews');
      return body.data.filter((line: { resource_id: string }) => line.resource_id === id);
    };
    // The audit line of a refused vote is written after the answer.
    await eventually('two lines are written', async () => (await told()).length === 2);
    await path.say('dora', id, approved);
    const lines = await told();
    expect(
      lines.map((line: { actor: { id: string }; outcome: string }) => [line.actor.id, line.outcome]),
    ).toEqual([
      ['dora', 'success'],
      ['max', 'failed'],
      ['bob', 'success'],
    ]);
    expect(lines[0].changes).toEqual(
      expect.arrayContaining([{ field: 'status', before: 'PENDING', after: 'APPROVED' }]),
    );
    expect(lines[2].changes).toEqual([
      { field: 'vote', before: null, after: { verdict: 'APPROVED', groups: ['dba'], forced: false } },
    ]);
  });
});
