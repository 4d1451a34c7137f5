import { auditLineOf } from '../support/audit';
import { describeReviewPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { Visitor } from '../support/visitor';

const REASON = 'OPS-12: refund of order 4711';

/** The reason for access: required, and shown to everyone who decides or reviews it later. */
describeReviewPath('the reason for access', ({ path, gateway }) => {
  beforeAll(async () => {
    // Events are stored only if a webhook subscribes to them. Which webhook does not matter in this test.
    await path.sql(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com', ARRAY['review.requested', 'session.started', 'session.ended'], ''
       FROM organizations`,
    );
  });

  const run = (connection: string, more: object, person = 'alice') =>
    path.by(person, 'POST', '/sessions', { connection, script: 'SELECT 1', ...more });
  const credentials = (connection: string, body: object) =>
    path.by('alice', 'POST', `/connections/${connection}/credentials`, body);
  const told = async (type: string, key: string, id: string) =>
    eventually(`${type} is told`, async () => {
      const [row] = await path.sql<{ data: { reason?: string | null } }>(
        `SELECT data FROM outbox WHERE type = $1 AND data ->> $2 = $3`,
        [type, key, id],
      );
      return row?.data;
    });

  // promises: RUN-10
  it('of a script is shown to reviewers, in events, in the audit log and in the session', async () => {
    const connection = await path.reviewed();
    const asked = await run(connection, { reason: `  ${REASON}\n` });
    const { status, body } = asked;
    expect([status, body]).toMatchObject([202, { output_status: 'waiting', has_review: true }]);
    const { session_id: session, review_id: review } = body;
    const list = await path.by('bob', 'GET', '/reviews?mine=to_decide');
    expect(list.body.data.find(({ id }: { id: string }) => id === review)).toMatchObject({ reason: REASON });
    expect((await path.by('bob', 'GET', `/reviews/${review}`)).body).toMatchObject({ reason: REASON });
    expect((await path.read(session)).body).toMatchObject({ reason: REASON, review: { reason: REASON } });
    expect(await auditLineOf(gateway, asked)).toMatchObject({
      action: 'execute',
      resource_type: 'sessions',
      resource_id: session,
      changes: [{ field: 'reason', before: null, after: REASON }],
    });
    expect(await told('review.requested', 'review_id', review)).toMatchObject({ reason: REASON });
    expect(await told('session.started', 'session_id', session)).toMatchObject({ reason: REASON });
    await path.say('bob', review, { status: 'APPROVED' });
    const ran = await path.by('alice', 'POST', `/sessions/${session}/exec`);
    expect(ran.body).toMatchObject({ output_status: 'success' });
    expect((await path.read(session)).body).toMatchObject({ reason: REASON });
    expect(await told('session.ended', 'session_id', session)).toMatchObject({ reason: REASON });
  });

  // promises: RULE-15
  it.each(['command', 'jit_command'])(
    'is demanded of scripts by a rule of type %s that says so',
    async (access_type) => {
      const connection = await path.reviewed({ reason_required: true, access_type });
      const before = await path.countSessions();
      for (const said of [{}, { reason: null }, { reason: '' }, { reason: ' \n ' }]) {
        const answer = await run(connection, said);
        expect([answer.status, answer.body.message]).toEqual([
          422,
          expect.stringMatching(/^reason is missing: the access request rule rule-\d+ requires one$/),
        ]);
      }
      expect(await path.countSessions()).toBe(before);
      expect((await run(connection, { reason: REASON })).status).toBe(202);
      expect((await run(connection, { reason: 'x'.repeat(1_001) })).status).toBe(422);
    },
  );

  // promises: RULE-15
  it('is required also of exempt groups, and only for the rule’s kind of access', async () => {
    const connection = await path.reviewed({ reason_required: true, skip_review_groups: ['engineering'] });
    expect((await run(connection, {})).status).toBe(422);
    const { status, body } = await run(connection, { reason: REASON });
    expect([status, (await path.read(body.session_id)).body.reason]).toEqual([200, REASON]);
    expect((await credentials(connection, {})).status).toBe(201);
    const clients = await path.reviewed({ reason_required: true, access_type: 'jit' });
    expect((await run(clients, {})).status).toBe(200);
  });

  it('of credentials that people approve is shown to them, and in the session of who comes with them', async () => {
    const connection = await path.reviewed({ reason_required: true, access_type: 'jit' });
    expect((await credentials(connection, {})).status).toBe(422);
    const asked = await credentials(connection, { reason: REASON });
    expect([asked.status, asked.body]).toMatchObject([202, { reason: REASON }]);
    expect((await path.by('bob', 'GET', `/reviews/${asked.body.review_id}`)).body).toMatchObject({
      reason: REASON,
    });
    expect(await told('review.requested', 'review_id', asked.body.review_id)).toMatchObject({
      reason: REASON,
    });
    const { body: log } = await gateway.call(
      'admin',
      'GET',
      '/audit/logs?resource_type=connection-credentials',
    );
    const line = log.data.find(({ resource_id }: { resource_id: string }) => resource_id === asked.body.id);
    expect(line.changes).toContainEqual({ field: 'reason', before: null, after: REASON });
    await path.say('bob', asked.body.review_id, { status: 'APPROVED' });
    // The request keeps its reason, so the next call returns the password without a reason.
    const issued = await credentials(connection, {});
    expect(issued.status).toBe(201);
    const { username: user, password } = issued.body.connection_credentials;
    const visitor = await Visitor.enter(path, { user, password, connection });
    await visitor.leave();
    expect(await reasonsOn(connection)).toEqual([REASON]);
  });

  it('of credentials without a review is in their sessions; one’s own token brings none', async () => {
    const connection = await path.reviewed({
      reason_required: true,
      access_type: 'jit',
      skip_review_groups: ['engineering'],
    });
    expect((await credentials(connection, {})).status).toBe(422);
    const issued = await credentials(connection, { reason: REASON });
    expect([issued.status, issued.body.reason]).toEqual([201, REASON]);
    expect((await path.by('alice', 'GET', '/connection-credentials')).body.data[0]).toMatchObject({
      reason: REASON,
    });
    const { username: user, password } = issued.body.connection_credentials;
    await (await Visitor.enter(path, { user, password, connection })).leave();
    const token = await gateway.token('alice');
    expect(await Visitor.refused(path, { user: 'me', password: token, connection })).toMatch(
      /^FATAL 42501: clients of the connection \S+ need a reason, because the access request rule \S+ requires one: request credentials with a reason$/,
    );
    expect(await reasonsOn(connection)).toEqual([REASON, null]);
  });

  it('is a field of the rule that is read back', async () => {
    const name = await path.rule({ connection_names: ['orders'], reason_required: true, access_type: 'jit' });
    const { body } = await gateway.call('admin', 'GET', `/access-requests/rules/${name}`);
    expect(body).toMatchObject({ reason_required: true });
    await gateway.call('admin', 'PUT', `/access-requests/rules/${name}`, {
      ...body,
      reason_required: undefined,
    });
    expect((await gateway.call('admin', 'GET', `/access-requests/rules/${name}`)).body).toMatchObject({
      reason_required: false,
    });
  });

  const reasonsOn = async (connection: string) =>
    (
      await path.sql<{ reason: string | null }>(
        `SELECT reason FROM sessions WHERE connection_name = $1 AND verb = 'connect' ORDER BY start_date`,
        [connection],
      )
    ).map(({ reason }) => reason);
});
