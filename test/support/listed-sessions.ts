import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { TestDatabase } from './database';

/** A session that a test writes directly into the store, with its related rows. */
export interface Listed {
  id: string;
  /** Start time in RFC 3339 with microseconds. Such texts sort in the order of time. */
  start: string;
  status: 'open' | 'done';
  verb: 'connect' | 'exec';
  type: string;
  connection: string;
  subject: string;
  email: string;
  machine: boolean;
  batch: string | null;
  correlation: string | null;
  /** Guardrails that blocked input or output of the session: id and name. */
  hits: { rule_id: string; rule_name: string }[];
  review: {
    status: string;
    groups: { name: string; status: string; by: string | null }[];
    /** Id of the review of the session's grant; null if the session has its own review. */
    grant: string | null;
  } | null;
}

/** Query of GET /sessions. */
export type Query = Readonly<Record<string, string>>;

export const RULES = [
  { rule_id: randomUUID(), rule_name: 'no-drops' },
  { rule_id: randomUUID(), rule_name: 'no <i>cards</i>' },
];

const SUBJECTS = ['alice', 'bob', 'admin', 'carol', `o'hara`, '<b>eve</b>'];
const CONNECTIONS = ['orders', 'billing', `=cmd|'/c'!A1`, '<script>alert(1)</script>'];
const REVIEWS = ['PENDING', 'APPROVED', 'REJECTED', 'EXECUTED'];
const GRANTS = ['APPROVED', 'REVOKED', 'EXPIRED'];

/**
 * Returns sessions of each kind, 15 hours apart. Every fourth session starts in the same millisecond as the
 * session before it.
 */
export function sampleSessions(count: number): Listed[] {
  const at = Date.UTC(2026, 0, 1);
  const grants = Array.from({ length: (count >> 5) + 1 }, () => randomUUID());
  return Array.from({ length: count }, (_, n) => {
    const subject = pick(SUBJECTS, n * 7 + (n >> 3));
    const minute = new Date(at + (n - (n % 4 === 3 ? 1 : 0)) * 15 * 3_600_000).toISOString();
    const isMachine = n % 17 === 5;
    return {
      id: randomUUID(),
      start: minute.replace('.000Z', `.${String(100_000 + ((n % 4) >> 1) * 7 + (n % 3) * 250).slice(0, 6)}Z`),
      status: n % 11 === 0 ? 'open' : 'done',
      verb: n % 3 === 0 ? 'connect' : 'exec',
      type: n % 5 === 0 ? 'application' : 'database',
      connection: pick(CONNECTIONS, n >> 1),
      subject,
      // Some sessions have the subject of another person as the user's e-mail address.
      email: n % 13 === 1 ? 'carol' : `${subject}@example.com`,
      machine: isMachine,
      batch: n % 4 === 0 ? `batch-${n % 9}` : null,
      correlation: n % 6 === 0 ? `=change-${n % 7}` : null,
      hits: n % 9 === 2 ? (n % 2 === 0 ? RULES : RULES.slice(1)) : [],
      review: n % 7 < 3 ? (n % 3 === 0 ? grantOf(n >> 5, grants) : reviewOf(n)) : null,
    };
  });
}

function reviewOf(n: number): NonNullable<Listed['review']> {
  const status = pick(REVIEWS, n >> 2);
  const names = pick([['dba'], ['engineering', 'dba'], ['security'], ['DBA ', 'security']], n >> 1);
  const isDecided = status !== 'PENDING';
  const says = status === 'REJECTED' ? 'REJECTED' : 'APPROVED';
  return {
    status,
    grant: null,
    groups: names.map((name, place) => {
      const hasSaid = isDecided && (place === 0 || n % 3 > 0);
      return {
        name,
        status: hasSaid ? says : 'PENDING',
        by: hasSaid ? pick(['bob', 'dora'], (n % 8) >> 2) : null,
      };
    }),
  };
}

/** Returns the review of a grant. Successive sessions of the same grant share one review. */
function grantOf(n: number, ids: readonly string[]): Listed['review'] {
  return { ...reviewOf(n * 4 + 1), status: pick(GRANTS, n), grant: pick(ids, n) };
}

function pick<T>(items: readonly T[], n: number): T {
  return items[n % items.length] as T;
}

/**
 * Stores sessions in one organization. Uses one connection, because opening a connection takes longer than
 * these statements.
 */
export async function storeSessions(
  { url }: TestDatabase,
  orgId: string,
  sessions: readonly Listed[],
): Promise<void> {
  const database = new Client({ connectionString: url });
  await database.connect();
  try {
    await store(database, orgId, sessions);
  } finally {
    await database.end();
  }
}

async function store(database: Client, orgId: string, sessions: readonly Listed[]): Promise<void> {
  const rows = JSON.stringify(sessions);
  const given = `jsonb_to_recordset($2) AS it (id uuid, start timestamptz, status text, verb text, type text,
    connection text, subject text, email text, machine boolean, batch text, correlation text, hits jsonb, review jsonb)`;
  await storeGrants(database, orgId, given, rows);
  // The trigger would refuse these sessions, because their credentials are not valid.
  await database.query('ALTER TABLE sessions DISABLE TRIGGER sessions_credential');
  await database.query(
    `INSERT INTO sessions (id, org_id, status, verb, type, connection_id, connection_name, connection_subtype,
       identity_type, user_subject, user_email, user_name, start_date, end_date, script, script_size,
       session_batch_id, correlation_id, guardrails_info, credential_id)
     SELECT id, $1, status, verb, type, gen_random_uuid(), connection, 'postgres',
       CASE WHEN machine THEN 'machine' ELSE 'user' END, subject, email, subject, start,
       CASE status WHEN 'done' THEN start END, 'SELECT 1', 8, batch, correlation,
       (SELECT coalesce(jsonb_agg(hit || '{"direction": "input", "message": "No.", "matched_words": ["x"]}'), '[]')
        FROM jsonb_array_elements(hits) AS hit), (review ->> 'grant')::uuid
     FROM ${given}`,
    [orgId, rows],
  );
  await database.query('ALTER TABLE sessions ENABLE TRIGGER sessions_credential');
  await database.query(
    `UPDATE reviews AS r SET status = review ->> 'status'
     FROM ${given} WHERE r.org_id = $1 AND r.id = (review ->> 'grant')::uuid AND review ->> 'status' <> 'APPROVED'`,
    [orgId, rows],
  );
  await database.query(
    `INSERT INTO reviews (org_id, session_id, type, status, access_request_rule_name, min_approvals, input_hash, expires_at)
     SELECT $1, id, 'onetime', review ->> 'status', 'prod', 1, '', now() + interval '1 day'
     FROM ${given} WHERE review ->> 'grant' IS NULL AND review <> 'null'`,
    [orgId, rows],
  );
  const waited = 'JOIN reviews AS r ON r.session_id = it.id';
  await storeGroups(database, orgId, `${given} ${waited}`, rows);
}

/** Stores grants as approved. Their final status is set after their sessions are stored. */
async function storeGrants(database: Client, orgId: string, given: string, rows: string): Promise<void> {
  const grants = `(SELECT DISTINCT (review ->> 'grant')::uuid AS id, review FROM ${given} WHERE review ->> 'grant' IS NOT NULL) AS it`;
  await database.query(
    `INSERT INTO reviews (id, org_id, type, status, access_request_rule_name, min_approvals, expires_at)
     SELECT id, $1, 'jit', 'APPROVED', 'prod', 1, now() + interval '1 day' FROM ${grants}`,
    [orgId, rows],
  );
  await storeGroups(database, orgId, `${grants} JOIN reviews AS r ON r.id = it.id`, rows);
}

/** Stores the groups of reviews in the order of real reviews: first as requested, then with the votes. */
async function storeGroups(database: Client, orgId: string, reviews: string, rows: string): Promise<void> {
  await database.query(
    `INSERT INTO review_groups (org_id, review_id, group_name)
     SELECT $1, r.id, said ->> 'name' FROM ${reviews},
       jsonb_array_elements(it.review -> 'groups') AS said WHERE it.review <> 'null'`,
    [orgId, rows],
  );
  await database.query(
    `UPDATE review_groups AS g SET status = said ->> 'status', reviewed_by = jsonb_build_object(
       'id', said ->> 'by', 'name', said ->> 'by', 'email', (said ->> 'by') || '@example.com', 'slack_id', ''),
       approver_id = CASE said ->> 'status' WHEN 'APPROVED' THEN said ->> 'by' END,
       approver_email = CASE said ->> 'status' WHEN 'APPROVED' THEN (said ->> 'by') || '@example.com' END
     FROM ${reviews}, jsonb_array_elements(it.review -> 'groups') AS said
     WHERE g.org_id = $1 AND g.review_id = r.id AND g.group_name = said ->> 'name' AND said ->> 'by' IS NOT NULL`,
    [orgId, rows],
  );
}

/** Reference implementation of the filters: tests each session. Returns the newest first. */
export function matching(sessions: readonly Listed[], query: Query): Listed[] {
  const tests = Object.entries(query).flatMap(([name, value]) => {
    const test = filters[name];
    return test === undefined ? [] : [(session: Listed) => test(session, value)];
  });
  return sessions
    .filter((session) => tests.every((test) => test(session)))
    .sort((a, b) => (`${a.start} ${a.id}` < `${b.start} ${b.id}` ? 1 : -1));
}

const shownStart = ({ start }: Listed): number => Date.parse(`${start.slice(0, 23)}Z`);

const filters: Readonly<Record<string, (session: Listed, value: string) => boolean>> = {
  user: ({ subject, email }, value) => value === subject || value === email,
  connection: ({ connection }, value) => value === connection,
  type: ({ type }, value) => value === type,
  verb: ({ verb }, value) => value === verb,
  status: ({ status }, value) => value === status,
  start_date: (session, value) => shownStart(session) >= Date.parse(value),
  end_date: (session, value) => shownStart(session) <= Date.parse(value),
  'review.status': ({ review }, value) => review?.status === value,
  'review.approver': ({ review }, value) =>
    review?.groups.some(
      ({ by, status }) => status === 'APPROVED' && by !== null && [by, `${by}@example.com`].includes(value),
    ) === true,
  batch_id: ({ batch }, value) => value === batch,
  correlation_id: ({ correlation }, value) => value === correlation,
  guardrail: ({ hits }, value) => hits.some((hit) => [hit.rule_id, hit.rule_name].includes(value)),
};

/** Returns a function that tests whether a regular user may see a session. */
export function isSeenBy(subject: string, groups: readonly string[], machine = false) {
  return (session: Listed): boolean =>
    (session.subject === subject && session.machine === machine) ||
    session.review?.groups.some(({ name }) => groups.includes(name)) === true;
}
