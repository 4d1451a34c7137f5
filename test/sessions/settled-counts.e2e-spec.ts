import { randomUUID } from 'node:crypto';
import * as fc from '../support/fast-check';
import type { Principal } from '../../src/kernel/principal';
import { sessionListing } from '../../src/sessions/search/session-list-query';
import { SettledCounts } from '../../src/sessions/search/settled-counts';
import { describeDataPath } from '../support/describe';
import { keepFeedDown } from '../support/feed';
import { type TestGateway, startGateway } from '../support/gateway';
import {
  type Listed,
  type Query,
  RULES,
  matching,
  sampleSessions,
  storeSessions,
} from '../support/listed-sessions';
import { IS_LONG, volume } from '../support/volume';

const KINDS = ['late', 'new', 'hit', 'moved', 'renamed', 'decided', 'approved', 'over'] as const;

/** Possible next states of a review. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['APPROVED', 'REJECTED', 'REVOKED', 'EXPIRED'],
  APPROVED: ['PROCESSING', 'REVOKED', 'EXPIRED'],
  PROCESSING: ['EXECUTED', 'UNKNOWN'],
};

/**
 * GET /sessions with cached counts of the sessions that have ended. After any change, the answer must equal
 * the result of a filter in memory.
 */
describeDataPath('the remembered length of a list', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  const sessions: Listed[] = sampleSessions(160).map((session, n) => ({
    ...session,
    // The 150 oldest sessions have ended.
    status: n < 150 ? 'done' : session.status,
  }));
  let orgId: string;

  beforeAll(async () => {
    const [org] = await path.gateway.database.query<{ id: string }>('SELECT id FROM organizations');
    orgId = org?.id ?? '';
    await storeSessions(path.gateway.database, orgId, sessions);
  });

  const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

  async function agrees(
    gateway: TestGateway,
    query: Query,
    counts = ['capped', 'exact', 'none'],
  ): Promise<void> {
    const expected = ids(matching(sessions, query));
    for (const count of counts) {
      const asked = new URLSearchParams({ ...query, count, limit: '10' }).toString();
      const { status, body } = await gateway.call('admin', 'GET', `/sessions?${asked}`);
      expect([asked, status, ids(body.data), body.total, body.total_is_capped]).toEqual([
        asked,
        200,
        expected.slice(0, 10),
        count === 'none' ? null : expected.length,
        false,
      ]);
    }
  }

  const auditor = (): Principal => ({
    orgId,
    userId: randomUUID(),
    subject: 'admin',
    email: '',
    name: '',
    groups: [],
    role: 'admin',
    identityType: 'user',
  });
  const known = (gateway: TestGateway, query: Query) =>
    gateway.app.get(SettledCounts).of(auditor(), sessionListing(query));

  const QUERIES: readonly Query[] = [
    {},
    { user: 'alice' },
    { connection: 'orders', verb: 'exec' },
    { connection: 'orders', status: 'done' },
    { status: 'open' },
    { type: 'application', connection: 'billing' },
    { user: 'carol', guardrail: 'no-drops' },
    { guardrail: RULES[1]?.rule_id ?? '' },
    { user: 'nobody', type: 'database' },
    { connection: 'late' },
    { batch_id: 'batch-4', correlation_id: '=change-3' },
    { 'review.status': 'PENDING' },
    { 'review.status': 'EXPIRED', connection: 'orders' },
    { 'review.status': 'APPROVED', verb: 'exec' },
    { 'review.approver': 'bob', type: 'database' },
    { 'review.status': 'EXECUTED', 'review.approver': 'dora@example.com' },
    { user: 'alice', end_date: '2026-03-01T00:00:00Z' },
    { start_date: '2026-01-20T00:00:00Z', end_date: '2026-03-10T00:00:00Z' },
    { 'review.status': 'REVOKED', end_date: '2026-03-10T00:00:00Z' },
  ];

  it('is remembered, and told of what changes in the past', async () => {
    for (const query of QUERIES) await agrees(path.gateway, query);
    for (const query of QUERIES) expect(await known(path.gateway, query)).toBeDefined();
    expect(await known(path.gateway, { connection: 'late' })).toMatchObject({ count: 0, isWhole: true });
    await change({ kind: 'late', at: 3 });
    for (const [n, query] of QUERIES.entries())
      await agrees(path.gateway, query, IS_LONG ? undefined : [n % 2 === 0 ? 'capped' : 'exact']);
    // Counts for these filters are not cached: a start time is rarely repeated, and open sessions may change.
    const open: Query[] = [{ start_date: '2026-03-01T00:00:00Z' }, { end_date: '2026-04-10T00:00:00Z' }];
    for (const query of open) {
      await agrees(path.gateway, query);
      expect(await known(path.gateway, query)).toBeUndefined();
    }
  });

  it('stays remembered while sessions that are not over are decided, and is told of all others', async () => {
    const query = { 'review.status': 'PENDING' };
    const decide = (session: Listed): Promise<unknown> =>
      path.gateway.database.query(`UPDATE reviews SET status = 'REJECTED' WHERE session_id = $1`, [
        session.id,
      ]);
    const isAsked = ({ review }: Listed): boolean => review?.status === 'PENDING' && review.grant === null;
    const old = sessions.find((session) => isAsked(session) && session.status === 'done') as Listed;
    const waiting: Listed = {
      ...old,
      id: randomUUID(),
      start: '2026-04-20T00:00:00.000000Z',
      status: 'open',
    };
    waiting.review = {
      status: 'PENDING',
      grant: null,
      groups: [{ name: 'dba', status: 'PENDING', by: null }],
    };
    await storeSessions(path.gateway.database, orgId, [waiting]);
    sessions.push(waiting);
    await agrees(path.gateway, query);
    const before = await known(path.gateway, query);
    expect(before).toBeDefined();
    await decide(waiting);
    waiting.review.status = 'REJECTED';
    expect(await known(path.gateway, query)).toEqual(before);
    await agrees(path.gateway, query);
    await decide(old);
    (old.review as NonNullable<Listed['review']>).status = 'REJECTED';
    expect(await known(path.gateway, query)).toBeUndefined();
    await agrees(path.gateway, query);
  });

  type Change =
    | { readonly kind: (typeof KINDS)[number]; readonly at: number }
    | { readonly kind: 'ask'; readonly at: number; readonly isOther: boolean };

  async function change({ kind, at }: Change): Promise<void> {
    const { database } = path.gateway;
    const session = sessions[at % sessions.length] as Listed;
    if (kind === 'late' || kind === 'new') {
      const start = (kind === 'late' ? new Date(Date.UTC(2026, 0, 1 + (at % 60))) : new Date()).toISOString();
      const added: Listed = {
        ...session,
        id: randomUUID(),
        start: start.replace('Z', '000Z'),
        connection: 'late',
        review: null,
        status: kind === 'late' ? 'done' : 'open',
      };
      await storeSessions(database, orgId, [added]);
      sessions.push(added);
    }
    if (kind === 'hit') {
      session.hits = [...RULES];
      const hits = RULES.map((rule) => ({ ...rule, direction: 'input', message: '', matched_words: [] }));
      const text = 'UPDATE sessions SET guardrails_info = $2::jsonb WHERE id = $1';
      await database.query(text, [session.id, JSON.stringify(hits)]);
    }
    // Moves only ended sessions, because the start of an open session never changes.
    if (kind === 'moved' && session.status === 'done') {
      session.start = new Date(Date.UTC(2026, 2, 1 + (at % 30), 1, 2, 3, at % 1000))
        .toISOString()
        .replace('Z', '000Z');
      await database.query('UPDATE sessions SET start_date = $2 WHERE id = $1', [session.id, session.start]);
    }
    if (kind === 'renamed') {
      session.connection = at % 2 === 0 ? 'late' : 'orders';
      const text = 'UPDATE sessions SET connection_name = $2 WHERE id = $1';
      await database.query(text, [session.id, session.connection]);
    }
    if (kind === 'decided') await decide(session, at);
    if (kind === 'approved') await approve(session);
    if (kind === 'over') {
      session.status = 'done';
      const text = `UPDATE sessions SET status = 'done', end_date = coalesce(end_date, now()) WHERE id = $1`;
      await database.query(text, [session.id]);
    }
  }

  /**
   * Moves the review of a session to its next status. The review of a grant changes all sessions under that
   * grant.
   */
  async function decide(session: Listed, at: number): Promise<void> {
    const { review } = session;
    const next = NEXT[review?.status ?? ''] ?? [];
    if (review === null || next.length === 0) return;
    const status = next[at % next.length] as string;
    const concerned = sessions.filter(
      (one) => one === session || (review.grant !== null && one.review?.grant === review.grant),
    );
    for (const one of concerned) if (one.review !== null) one.review.status = status;
    await path.gateway.database.query(
      `UPDATE reviews SET status = $2 WHERE ${review.grant === null ? 'session_id' : 'id'} = $1`,
      [review.grant ?? session.id, status],
    );
  }

  /** Approves the session's review for a group that has not voted yet. */
  async function approve({ id, review }: Listed): Promise<void> {
    const group = review?.grant === null ? review.groups.find(({ by }) => by === null) : undefined;
    if (group === undefined) return;
    Object.assign(group, { by: 'bob', status: 'APPROVED' });
    const text = `UPDATE review_groups SET status = 'APPROVED', approver_id = 'bob', approver_email = 'bob@example.com',
      reviewed_by = '{"id": "bob", "name": "bob", "email": "bob@example.com", "slack_id": ""}'
      WHERE review_id = (SELECT id FROM reviews WHERE session_id = $1) AND group_name = $2`;
    await path.gateway.database.query(text, [id, group.name]);
  }

  async function does(step: Change): Promise<void> {
    if (step.kind !== 'ask') return change(step);
    await agrees(step.isOther ? other : path.gateway, QUERIES[step.at % QUERIES.length] as Query);
  }

  const steps = fc.array(
    fc.oneof(
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('ask' as const), at: fc.nat(99), isOther: fc.boolean() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constantFrom(...KINDS),
          at: fc.nat(999),
        }),
      },
    ),
    { minLength: 20, maxLength: 40 },
  );

  it('is right after any changes, on two gateways', async () => {
    const run = async (given: readonly Change[]): Promise<void> => {
      for (const step of given) await does(step);
    };
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: volume(2, 4), endOnFailure: true });
  }, 120_000);

  it('is right while the change feed is stopped, and afterwards', async () => {
    for (const query of QUERIES) await agrees(path.gateway, query, ['capped']);
    const release = await keepFeedDown(path.gateway);
    try {
      for (const [turn, kind] of KINDS.entries()) {
        await change({ kind, at: 7 });
        // In `npm test`, runs a quarter of the queries after each change, in turn.
        const asked = QUERIES.filter((_, n) => IS_LONG || (n + turn) % 4 === 0);
        for (const query of asked) await agrees(path.gateway, query, ['capped']);
        expect(await known(path.gateway, {})).toBeUndefined();
      }
    } finally {
      await release();
    }
    for (const query of QUERIES) await agrees(path.gateway, query, ['capped']);
  }, 60_000);

  // promises: LIST-3
  it('is capped and exact, with what came since', async () => {
    const { gateway } = path;
    const store = (rows: number, start: string): Promise<unknown> =>
      gateway.database.query(
        `INSERT INTO sessions (org_id, status, verb, type, connection_id, connection_name, connection_subtype,
           identity_type, user_subject, user_email, user_name, start_date, end_date)
         SELECT $1, 'done', 'exec', 'database', gen_random_uuid(), 'many', 'postgres', 'user', 'm', '', '', ${start}, now()
         FROM generate_series(1, ${rows}) AS n`,
        [orgId],
      );
    const total = async (count: string): Promise<unknown[]> => {
      const { body } = await gateway.call('admin', 'GET', `/sessions?connection=many&count=${count}&limit=1`);
      return [body.total, body.total_is_capped, body.has_next_page];
    };
    const past = `timestamptz '2025-01-01' + n * interval '1 s'`;
    await store(9_990, past);
    for (let n = 0; n < 2; n++) expect(await total('capped')).toEqual([9_990, false, true]);
    await store(10, 'now()');
    expect(await total('capped')).toEqual([10_000, false, true]);
    await store(1, 'now()');
    expect(await total('capped')).toEqual([10_000, true, true]);
    await store(40, past);
    for (let n = 0; n < 2; n++) expect(await total('capped')).toEqual([10_000, true, true]);
    for (let n = 0; n < 2; n++) expect(await total('exact')).toEqual([10_041, false, true]);
    expect(await total('capped')).toEqual([10_000, true, true]);
    // Adds more than 1,000 new sessions, so that the cached count is extended to include them.
    await store(1_500, 'now()');
    for (let n = 0; n < 2; n++) expect(await total('exact')).toEqual([11_541, false, true]);
  }, 60_000);
});
