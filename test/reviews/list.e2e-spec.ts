import { randomUUID } from 'node:crypto';
import { describeReviewPath } from '../support/describe';
import { as } from '../support/callers';

const PEOPLE = { carol: ['dba', 'security'], max: ['management'], eve: ['sales'] };

/** GET /reviews and GET /reviews/{id}: which reviews each person finds. */
describeReviewPath('the list of reviews', { people: PEOPLE }, ({ path }) => {
  /** Maps names to review ids. For example, `alice-dba` is a request of alice that the group dba reviews. */
  const ids: Record<string, string> = {};
  let sessionOfFirst: string;

  beforeAll(async () => {
    const ofDba = await path.reviewed({ force_approval_groups: ['management'] });
    const ofSecurity = await path.reviewed({
      reviewers_groups: ['security', 'engineering'],
      min_approvals: 2,
    });
    const asked = async (name: string, connection: string, who: string): Promise<string> => {
      const { id, sessionId } = await path.ask(connection, who);
      ids[name] = id;
      return sessionId;
    };
    sessionOfFirst = await asked('alice-dba', ofDba, 'alice');
    await asked('bob-dba', ofDba, 'bob');
    await asked('alice-security', ofSecurity, 'alice');
    await asked('bob-security', ofSecurity, 'bob');
    await asked('rejected', ofDba, 'alice');
    await path.say('bob', ids['rejected'] ?? '', { status: 'REJECTED' });
    await asked('approved', ofDba, 'eve');
    await path.say('bob', ids['approved'] ?? '', { status: 'APPROVED' });
    await path.say('carol', ids['bob-security'] ?? '', { status: 'APPROVED' });
  });

  const list = (name: string, query = '') => path.by(name, 'GET', `/reviews${query}`);
  const names = (found: readonly { id: string }[]): string[] =>
    found.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? id);

  // promises: REVIEW-13
  it.each([
    ['admin', '', ['approved', 'rejected', 'bob-security', 'alice-security', 'bob-dba', 'alice-dba']],
    ['auditor', '', ['approved', 'rejected', 'bob-security', 'alice-security', 'bob-dba', 'alice-dba']],
    ['alice', '', ['rejected', 'bob-security', 'alice-security', 'alice-dba']],
    ['bob', '', ['approved', 'rejected', 'bob-security', 'bob-dba', 'alice-dba']],
    ['max', '', ['approved', 'rejected', 'bob-dba', 'alice-dba']],
    ['eve', '', ['approved']],
    ['alice', '?mine=requested', ['rejected', 'alice-security', 'alice-dba']],
    ['admin', '?mine=requested', []],
    ['alice', '?mine=to_decide', ['bob-security']],
    ['bob', '?mine=to_decide', ['alice-dba']],
    // `bob-security` is missing, because carol has already decided on it.
    ['carol', '?mine=to_decide', ['alice-security', 'bob-dba', 'alice-dba']],
    ['max', '?mine=to_decide', ['bob-dba', 'alice-dba']],
    ['admin', '?mine=to_decide', []],
    ['auditor', '?mine=to_decide', []],
    ['admin', '?status=REJECTED', ['rejected']],
    ['alice', '?status=PENDING&mine=requested', ['alice-security', 'alice-dba']],
    ['eve', '?status=REJECTED', []],
  ])('is for %s, %s: %s', async (name, query, expected) => {
    const { status, body } = await list(name, query);
    expect(status).toBe(200);
    expect(names(body.data)).toEqual(expected);
    expect(body.pages).toEqual({ page: 1, size: 1000, total: expected.length });
  });

  // promises: REVIEW-13
  it('comes oldest first, also in pages', async () => {
    for (const [name, query] of [
      ['admin', ''],
      ['carol', '&mine=to_decide'],
    ] as const) {
      const whole = (await list(name, `?order=newest${query}`)).body.data.toReversed();
      expect(whole.length).toBeGreaterThan(2);
      const found = [];
      for (let page = 1; found.length < whole.length; page += 1)
        found.push(...(await list(name, `?order=oldest&page=${page}&page_size=2${query}`)).body.data);
      expect(found).toEqual(whole);
    }
  });

  it('comes in pages', async () => {
    for (const name of ['admin', 'alice']) {
      const whole = (await list(name)).body.data;
      const found = [];
      for (let page = 1; found.length < whole.length; page += 1) {
        const { body } = await list(name, `?page=${page}&page_size=3`);
        expect(body.pages).toEqual({ page, size: 3, total: whole.length });
        found.push(...body.data);
      }
      expect(found).toEqual(whole);
    }
  });

  it.each([
    'mine=all',
    'status=pending',
    'status=',
    'order=first',
    'page=0',
    'page_size=1001',
    'mine=requested&mine=to_decide',
  ])('refuses %s', async (query) => {
    expect((await list('admin', `?${query}`)).status).toBe(400);
  });

  it('needs at least one rule', async () => {
    expect((await path.gateway.call(null, 'GET', '/reviews')).status).toBe(401);
  });

  it('is never listed as waiting for an API key', async () => {
    const made = await path.by('admin', 'POST', '/api-keys', { name: 'robot', groups: ['dba'] });
    const by = (query: string) => as(path.gateway, made.body.key, 'GET', `/reviews${query}`);
    expect((await by('?mine=to_decide')).body.data).toEqual([]);
    expect((await by('')).body.data).toHaveLength(4);
  });

  // promises: REVIEW-1, REVIEW-10
  it('shows for each the subject, the groups and the state', async () => {
    const { body } = await list('bob', '?mine=to_decide');
    expect(body.data).toEqual([
      {
        id: ids['alice-dba'],
        call: null,
        status: 'PENDING',
        type: 'onetime',
        access_duration: 0,
        access_request_rule_name: expect.stringMatching(/^rule-\d+$/),
        min_approvals: 1,
        missing: [
          {
            rule: expect.stringMatching(/^rule-\d+$/),
            approvals: 1,
            groups: ['dba'],
            each_of: [],
            one_of: [],
          },
        ],
        force_approval_groups: ['management'],
        created_at: expect.stringMatching(/Z$/),
        revoke_at: '',
        reason: null,
        rejection_reason: null,
        force_reason: null,
        emergency: false,
        after_review: null,
        sign_off: null,
        time_window: null,
        review_groups_data: [
          {
            id: expect.any(String),
            group: 'dba',
            status: 'PENDING',
            forced_review: false,
            review_date: null,
            reviewed_by: null,
          },
        ],
        session_id: sessionOfFirst,
        script_start: 'SELECT 1',
        connection: { id: expect.any(String), name: expect.stringMatching(/^reviewed-/) },
        review_owner: { id: 'alice', name: 'Alice Engineer', email: 'alice@example.com', slack_id: '' },
        approved_at: null,
        expires_at: expect.stringMatching(/Z$/),
      },
    ]);
    const [{ created_at, expires_at }] = body.data;
    expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 3_600_000)).toBe(72);
    for (const id of [ids['alice-dba'], sessionOfFirst])
      expect((await path.by('bob', 'GET', `/reviews/${id}`)).body).toEqual(body.data[0]);
  });

  // promises: HTTP-21
  it('has nothing of another organization, and no review that is not there', async () => {
    const [other] = await path.sql<{ id: string }>(
      `WITH other AS (INSERT INTO organizations (name) VALUES ('other') RETURNING id)
       INSERT INTO reviews (org_id, type, status, access_request_rule_name, min_approvals, expires_at)
       SELECT id, 'jit', 'PENDING', 'theirs', 1, now() + interval '1 hour' FROM other RETURNING id`,
    );
    for (const id of [other?.id, randomUUID()]) {
      const answer = await path.by('admin', 'GET', `/reviews/${id}`);
      expect([answer.status, answer.body]).toEqual([404, { message: 'there is no review with this id' }]);
      expect((await path.say('admin', id ?? '', { status: 'REVOKED' })).status).toBe(404);
    }
    expect((await list('admin')).body.pages.total).toBe(6);
    expect((await path.by('admin', 'GET', '/reviews/1')).status).toBe(400);
    expect((await path.by('admin', 'GET', '/sessions?review.status=PENDING')).body.data).toHaveLength(4);
  });
});
