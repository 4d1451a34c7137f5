import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import type { TestGateway } from '../support/gateway';

/** A script that waits for a review: what each person sees of it, and that nothing runs meanwhile. */
describeDataPath('a script under review', ({ path }) => {
  let count = 0;

  const createRule = async (rule: object): Promise<string> => {
    const name = `rule-${++count}`;
    const answer = await path.gateway.call('admin', 'POST', '/access-requests/rules', {
      name,
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      ...rule,
    });
    expect(answer.status).toBe(201);
    return name;
  };

  /** A connection whose scripts are reviewed. Returns its name. */
  const reviewed = async (rule: object = {}): Promise<string> => {
    const connection = `reviewed-${count}`;
    await path.connect(connection, { attributes: [`attribute-${count}`] });
    await createRule({ connection_names: [connection], ...rule });
    return connection;
  };

  const ask = async (connection: string, person: Parameters<TestGateway['call']>[0] = 'alice') => {
    const answer = await path.run(
      `INSERT INTO customers VALUES (${1000 + count}, 'Eve', NULL)`,
      { connection },
      person!,
    );
    return { status: answer.status, body: answer.body, id: answer.body.session_id as string };
  };

  // promises: REVIEW-1, REVIEW-2, SESSION-4, LIFE-1, RUN-5
  it('is pending: nothing runs, and the answer names the review', async () => {
    const connection = await reviewed({
      reviewers_groups: ['dba', 'engineering'],
      force_approval_groups: ['admin'],
      min_approvals: 2,
    });
    const { status, body, id } = await ask(connection);
    expect(status).toBe(202);
    expect(body).toMatchObject({ output: '', output_status: 'waiting', exit_code: null, has_review: true });
    expect(await path.target.query(`SELECT 1 FROM customers WHERE name = 'Eve'`)).toEqual([]);
    const session = (await path.read(id, '', 'alice')).body;
    expect(session).toMatchObject({ status: 'open', end_date: null, exit_code: null });
    const group = (name: string) => ({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      group: name,
      status: 'PENDING',
      forced_review: false,
      review_date: null,
      reviewed_by: null,
    });
    expect(session.review).toEqual({
      id: body.review_id,
      status: 'PENDING',
      type: 'onetime',
      access_duration: 0,
      access_request_rule_name: `rule-${count}`,
      min_approvals: 2,
      force_approval_groups: ['admin'],
      created_at: expect.stringMatching(/Z$/),
      revoke_at: '',
      reason: null,
      rejection_reason: null,
      force_reason: null,
      emergency: false,
      after_review: null,
      sign_off: null,
      time_window: null,
      review_groups_data: [group('dba'), group('engineering')],
    });
  });

  // promises: RULE-2
  it('is found by attribute', async () => {
    await path.connect('by-attribute', { attributes: ['reviewed'] });
    await createRule({ attributes: ['reviewed'] });
    expect((await ask('by-attribute')).body).toMatchObject({ has_review: true });
  });

  // promises: WHO-4
  it('shows reviewers the request, but not the recording; and strangers nothing', async () => {
    const { id } = await ask(await reviewed());
    const asReviewer = await path.read(id, '', 'bob');
    expect(asReviewer.status).toBe(200);
    expect(asReviewer.body).toMatchObject({
      script: { data: expect.stringMatching(/^INSERT/) },
      event_stream: [],
    });
    for (const query of [
      '?expand=event_stream',
      '?event_stream=utf8',
      '?extension=txt',
      '?event_stream=raw-queries',
    ]) {
      const answer = await path.read(id, query, 'bob');
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ message: 'reviewers see the request, not the recording' });
    }
    const { id: ofAdmin } = await ask(await reviewed({ reviewers_groups: ['security'] }), 'admin');
    expect((await path.read(ofAdmin, '', 'bob')).status).toBe(404);
    expect((await path.read(ofAdmin, '', 'auditor')).status).toBe(200);
    expect((await path.read(id, '?expand=event_stream', 'alice')).status).toBe(200);
  });

  it('is refused by guardrails before anyone is asked', async () => {
    const connection = await reviewed();
    await path.gateway.call('admin', 'POST', '/guardrails', {
      name: 'no-inserts',
      attributes: [`attribute-${count - 1}`],
      input: { rules: [{ type: 'deny_words_list', words: ['insert'], pattern_regex: '' }] },
    });
    const { status, body, id } = await ask(connection);
    expect([status, body.output_status, body.has_review]).toEqual([200, 'blocked', false]);
    expect((await path.read(id)).body).toMatchObject({ status: 'done', review: null });
  });

  // promises: RULE-13, AUTH-8, RULE-10
  it('needs no review for exempt groups, for rules about clients, or while the feature is off', async () => {
    const spared = await reviewed({ skip_review_groups: ['engineering'] });
    expect((await path.run('SELECT 1', { connection: spared }, 'alice')).status).toBe(200);
    expect((await path.run('SELECT 1', { connection: spared }, 'bob')).status).toBe(202);
    const clients = await reviewed({ access_type: 'jit' });
    expect((await path.run('SELECT 1', { connection: clients }, 'bob')).status).toBe(200);
    const feature = (on: boolean) =>
      path.gateway.database.query(
        `UPDATE organizations SET features = features || jsonb_build_object('review', $1::boolean)`,
        [on],
      );
    const both = await reviewed({ access_type: 'jit_command' });
    await feature(false);
    expect((await path.run('SELECT 1', { connection: both }, 'bob')).status).toBe(200);
    await feature(true);
    expect((await path.run('SELECT 1', { connection: both }, 'bob')).status).toBe(202);
  });

  // promises: LIFE-2
  it('expires when nobody decides in time', async () => {
    const { id } = await ask(await reviewed());
    const other = await ask(await reviewed());
    await path.gateway.database.query(
      `UPDATE reviews SET expires_at = now() - interval '1 s' WHERE session_id = $1`,
      [id],
    );
    const session = await eventually('the session is over', async () => {
      const { body } = await path.read(id, '?event_stream=utf8');
      return body.status === 'done' && body;
    });
    expect(session).toMatchObject({
      exit_code: 254,
      end_date: expect.any(String),
      review: { status: 'EXPIRED' },
      event_stream: ['Nobody decided on the review in time.\n'],
    });
    expect((await path.read(other.id)).body).toMatchObject({ status: 'open', review: { status: 'PENDING' } });
  });

  it('ends even if the gateway that expired its review died first', async () => {
    const { id } = await ask(await reviewed());
    await path.gateway.database.query(`UPDATE reviews SET status = 'EXPIRED' WHERE session_id = $1`, [id]);
    await eventually('the session is over', async () => (await path.read(id)).body.status === 'done');
  });
});
