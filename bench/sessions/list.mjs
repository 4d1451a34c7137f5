// Cost of the list of sessions with 300 000 stored sessions, compared with 1 000: the first page, a far page,
// and each filter.
import { Client } from 'pg';
import { startGateway } from '../gateway.mjs';
import { startBucket } from '../kit/bucket.mjs';
import { bounded, median } from '../kit/figures.mjs';
import { archived, purged } from './kept.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 60, 1, 1_000);
const WARM_UP = Math.min(20, ROUNDS);
const AIM = 1.3;
const CONNECTIONS = 50;
const SIZES = { small: 1_000, big: bounded('BENCH_SESSIONS', 300_000, 1_000, 3_000_000) };

/** Returns, for each request, the ratio of its time with many stored sessions to its time with few. */
export async function list() {
  const buckets = { small: await startBucket(), big: await startBucket() };
  const sides = {
    small: await organization(SIZES.small, buckets.small.variables),
    big: await organization(SIZES.big, buckets.big.variables),
  };
  const rows = [];
  rows.push(await compare(sides, 'one session', ({ oneId }) => `/${oneId}`));
  for (const [name, query] of queries()) rows.push(await compare(sides, name, () => `?${encodeURI(query)}`));
  rows.push(await purged(sides), await archived(sides, buckets));
  print(rows);
  return { list: Object.fromEntries(rows.map(({ name, ratio }) => [name, ratio])) };
}

function queries() {
  const day = (daysAgo) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const single = {
    user: 'user=user-7',
    connection: 'connection=connection-7',
    type: 'type=database',
    verb: 'verb=exec',
    status: 'status=done',
    start: `start_date=${day(1)}`,
    end: `end_date=${day(1)}`,
    'review.status': 'review.status=EXECUTED',
    'review.approver': 'review.approver=carol@example.com',
    batch: 'batch_id=batch-40',
    correlation: 'correlation_id=change-500',
    guardrail: 'guardrail=no-drops',
  };
  const names = Object.keys(single);
  const pairs = names.flatMap((one, place) =>
    names.slice(place + 1).map((other) => [`${one} + ${other}`, `${single[one]}&${single[other]}`]),
  );
  const rows = Object.entries({
    'first page': '',
    'first page, not counted': 'count=none',
    'first page, 100 sessions': 'limit=100',
    'offset 900': 'offset=900',
    'offset 10 000': 'offset=10000',
    'counted exactly': 'count=exact',
    user: 'user=user-7',
    'user by e-mail': 'user=user-7@example.com',
    connection: 'connection=connection-3',
    'type, many': 'type=database',
    'type, few': 'type=application',
    'verb, many': 'verb=exec',
    'status, few': 'status=open',
    'status, many': 'status=done',
    'last day': `start_date=${day(1)}`,
    'before last week': `end_date=${day(7)}`,
    'review.status, few': 'review.status=PENDING',
    'review.status, many': 'review.status=EXECUTED',
    'review.approver': 'review.approver=carol@example.com',
    batch_id: 'batch_id=batch-40',
    correlation_id: 'correlation_id=change-500',
    guardrail: 'guardrail=no-drops',
    'user and connection, none': 'user=user-7&connection=connection-3',
    'connection and type, none': 'connection=connection-3&type=application',
    'connection and verb, none': 'connection=connection-3&verb=connect',
    nobody: 'user=of-nobody',
    'search, in every session': 'q=select',
    'search, a phrase in every': 'q=public.orders',
    'search, in few': 'q=unicorn',
    'search, in none': 'q=nothing_has_this',
    'search, in one of a hundred': 'q="drop table"',
    'search, a beginning': 'q=ord*',
    'search, not counted': 'q=select&count=none',
    'search of a user': 'q=select&user=user-7&count=none',
    'search, in few, status': 'q=unicorn&status=done',
    'search, never together': 'q=even odd',
  });
  return [...rows, ...pairs];
}

/** Starts a gateway with `count` stored sessions. */
export async function organization(count, variables = {}) {
  const gateway = await startGateway([], variables);
  await gateway.call('GET', '/userinfo');
  for (let n = 0; n < CONNECTIONS; n++)
    await gateway.call('POST', '/connections', {
      name: `connection-${n}`,
      type: 'database',
      subtype: 'postgres',
      secret: { HOST: '127.0.0.1', PORT: '1', USER: 'any', PASS: 'any', DB: 'any', SSLMODE: 'disable' },
    });
  const client = new Client({ connectionString: gateway.postgres.url('gateway') });
  await client.connect();
  // Otherwise the trigger would make the gateway sign ledger entries of all sessions during the measurement.
  await client.query('ALTER TABLE sessions DISABLE TRIGGER sessions_ledger_begun');
  await client.query('BEGIN');
  for (const rows of rowsOf(count)) await client.query(rows);
  await client.query('COMMIT');
  await client.query('ALTER TABLE sessions ENABLE TRIGGER sessions_ledger_begun');
  await client.query('VACUUM ANALYZE');
  // Selects a session from the middle of the history.
  const { rows } = await client.query('SELECT id FROM sessions ORDER BY start_date OFFSET $1 LIMIT 1', [
    count / 2,
  ]);
  await client.end();
  return { ...gateway, oneId: rows[0].id };
}

/**
 * Returns statements that insert a session every three minutes: every tenth reviewed, every fiftieth blocked.
 */
function rowsOf(count) {
  const org = '(SELECT id FROM organizations LIMIT 1)';
  return [
    `SELECT ensure_recording_month(now() - n * interval '1 month') FROM generate_series(0, ${count} / 14400 + 1) AS n`,
    `INSERT INTO sessions (id, org_id, status, verb, type, connection_id, connection_name, connection_subtype, identity_type,
        user_subject, user_email, user_name, start_date, end_date, exit_code, script, script_size, event_size,
        events_received, events_stored, guardrails_info, session_batch_id, correlation_id, metadata)
      SELECT (left(first_session_id(at)::text, 14) || substr(gen_random_uuid()::text, 15))::uuid, ${org}, CASE WHEN n > ${count} - 10 THEN 'open' ELSE 'done' END, CASE n % 4 WHEN 0 THEN 'connect' ELSE 'exec' END,
        CASE n % 100 WHEN 1 THEN 'application' ELSE 'database' END, connections.id, connections.name, 'postgres', 'user',
        'user-' || n % 100, 'user-' || n % 100 || '@example.com', 'User ' || n % 100, at, CASE WHEN n <= ${count} - 10 THEN at END,
        0, repeat('SELECT ' || n || '; ', 20), 240, 4000, 12, 12,
        CASE n % 50 WHEN 3 THEN '[{"rule_name": "no-drops", "direction": "input", "entry": 0, "rule": {}, "matched_words": ["drop"],
          "matches": [], "message": "We keep our tables."}]'::jsonb ELSE '[]' END,
        CASE n % 5 WHEN 0 THEN 'batch-' || n / 20 END, CASE n % 3 WHEN 0 THEN 'change-' || n / 2 END, '{"ticket": "OPS-12"}'
      FROM generate_series(1, ${count}) AS n JOIN connections ON connections.name = 'connection-' || n % ${CONNECTIONS},
        LATERAL (VALUES (now() - (${count} - n) * interval '3 min')) AS placed (at)`,
    `INSERT INTO reviews (org_id, session_id, type, status, access_request_rule_name, min_approvals, input_hash, expires_at)
      SELECT org_id, id, 'onetime', CASE row_number % 10 WHEN 0 THEN 'REJECTED' ELSE CASE WHEN row_number < 5 THEN 'PENDING' ELSE 'EXECUTED' END END,
        'prod', 1, '', now()
      FROM (SELECT org_id, id, row_number() OVER (ORDER BY start_date DESC) FROM sessions WHERE right(user_subject, 1) = '7') AS asked`,
    `INSERT INTO review_groups (org_id, review_id, group_name, status, reviewed_by)
      SELECT org_id, id, name, CASE status WHEN 'EXECUTED' THEN 'APPROVED' ELSE status END,
        CASE status WHEN 'PENDING' THEN NULL ELSE '{"id": "carol", "name": "Carol", "email": "carol@example.com", "slack_id": ""}'::jsonb END
      FROM reviews, (VALUES ('dba'), ('security')) AS groups (name)`,
    // Each session has one input; every tenth has three. About thirty sessions, among them the newest,
    // contain `unicorn`.
    `INSERT INTO session_texts (org_id, session_id, seq, part, session_start, words)
      SELECT org_id, id, input, 0, start_date, session_words('SELECT o.id, o.total FROM public.orders AS o JOIN customers AS c
        ON c.id = o.customer_id WHERE o.id = ' || n || ' AND c.region = ''r' || n % 1000 || '''' || CASE n % 2 WHEN 0 THEN ' -- even ' ELSE ' -- odd ' END
        || md5(n::text) || CASE WHEN n % (${count} / 30) = 0 THEN ' unicorn' ELSE '' END
        || CASE n % 100 WHEN 3 THEN '; DROP TABLE tmp_' || n ELSE '' END)
      FROM (SELECT *, row_number() OVER (ORDER BY start_date DESC) - 1 AS n FROM sessions) AS session,
        generate_series(1, CASE n % 10 WHEN 0 THEN 3 ELSE 1 END) AS input`,
  ];
}

/** Sends requests to both gateways alternately, so that other load on the machine affects both. */
async function compare(sides, name, pathOn) {
  const times = { small: [], big: [] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [side, gateway] of Object.entries(sides)) {
      const startedAt = performance.now();
      await gateway.call('GET', `/sessions${pathOn(gateway)}`);
      if (round >= 0) times[side].push(performance.now() - startedAt);
    }
  }
  const [small, big] = [median(times.small), median(times.big)];
  return { name, small, big, ratio: Math.round((big / small) * 100) / 100 };
}

function print(rows) {
  console.log(
    `GET /sessions, ${ROUNDS} requests each, Node ${process.versions.node}; medians, aim ${AIM}×\n`,
  );
  console.log(`                            1 000, ms   ${SIZES.big}, ms   ratio`);
  for (const { name, small, big, ratio } of rows) {
    const cells = [small.toFixed(2).padStart(9), big.toFixed(2).padStart(11), ratio.toFixed(2).padStart(8)];
    console.log(`${name.padEnd(27)} ${cells.join(' ')}`);
  }
  console.log();
}
