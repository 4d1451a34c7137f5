// Measures the time to read the first, the middle and the last page of each list, in a large organization
// compared with one of 1 000 rows per table.
import { Client } from 'pg';
import { startGateway } from './gateway.mjs';
import { bounded, median, rounded } from './kit/figures.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 60, 1, 1_000);
const WARM_UP = Math.min(20, ROUNDS);
const PAGE = 50;
const AIM = 2;
const SMALL = { rules: 1_000, connections: 1_000, users: 1_000, lines: 1_000 };
const USERS = bounded('BENCH_USERS', 100_000, 2_000, 1_000_000);
const BIG = { rules: USERS / 10, connections: USERS / 10, users: USERS, lines: USERS };
const LISTS = ['/guardrails', '/access-requests/rules', '/connections', '/users', '/audit/logs'];

export default async function admin() {
  const sides = { small: await organization(SMALL), big: await organization(BIG) };
  const rows = [];
  for (const path of LISTS) {
    const pages = {};
    for (const [side, gateway] of Object.entries(sides)) pages[side] = await pagesOf(gateway, path);
    for (const place of ['first', 'middle', 'last']) rows.push(await compare(sides, path, pages, place));
  }
  print(rows);
  return { ratios: worst(rows) };
}

async function organization(sizes) {
  const gateway = await startGateway();
  await gateway.call('GET', '/userinfo');
  const client = new Client({ connectionString: gateway.postgres.url('gateway') });
  await client.connect();
  await client.query('BEGIN');
  for (const [table, rows] of Object.entries(rowsOf(sizes))) await client.query(rows).catch(naming(table));
  await client.query('COMMIT');
  await client.query('VACUUM ANALYZE');
  await client.end();
  return gateway;
}

/**
 * Returns statements that insert the rows of an organization. Each row is 10 ms newer than the previous one.
 */
function rowsOf({ rules, connections, users, lines }) {
  const org = '(SELECT id FROM organizations LIMIT 1)';
  const at = (count) => `now() - (${count} - n) * interval '10 ms'`;
  const each = (count) => `FROM generate_series(1, ${count}) AS n`;
  const set = `jsonb_build_object('rules', jsonb_build_array(jsonb_build_object(
    'type', 'deny_words_list', 'words', jsonb_build_array('word-' || n), 'pattern_regex', '')))`;
  return {
    attributes: `INSERT INTO attributes (org_id, name) SELECT ${org}, 'attribute-' || n ${each(100)}`,
    guardrail_rules: `INSERT INTO guardrail_rules (org_id, name, input, output, attributes, created_at)
      SELECT ${org}, 'rule-' || n, ${set}, '{"rules": []}', ARRAY['attribute-' || n % 100], ${at(rules)} ${each(rules)}`,
    access_request_rules: `INSERT INTO access_request_rules
        (org_id, name, access_type, min_approvals, reviewers_groups, connection_names, created_at)
      SELECT ${org}, 'rule-' || n, 'command', 1, '{dba}', ARRAY['connection-' || n], ${at(rules)} ${each(rules)}`,
    connections: `INSERT INTO connections (org_id, name, type, subtype, secret, secret_names, attributes, created_at)
      SELECT ${org}, 'connection-' || n, 'database', 'postgres', decode(md5(n::text), 'hex'), '{DB,HOST,PASS,PORT,USER}',
        ARRAY['attribute-' || n % 100], ${at(connections)} ${each(connections)}`,
    guardrail_connections: `INSERT INTO guardrail_connections (org_id, rule_id, connection_id)
      SELECT r.org_id, r.id, c.id FROM guardrail_rules r JOIN connections c ON substr(c.name, 12) = substr(r.name, 6)`,
    users: `INSERT INTO users (org_id, subject, email, name, created_at)
      SELECT ${org}, 'user-' || n, 'user-' || n || '@example.com', 'User ' || n, ${at(users)} ${each(users)}`,
    user_groups: `INSERT INTO user_groups (org_id, user_id, group_name, source)
      SELECT org_id, id, 'group-' || right(subject, 2), 'idp' FROM users WHERE subject LIKE 'user-%'`,
    audit_log: `INSERT INTO audit_log (org_id, seq, created_at, actor_id, actor_email, actor_type, action, resource_type,
        resource_id, outcome, status, client_address, request_id, changes, previous, hash)
      SELECT ${org}, n, ${at(lines)}, 'user-' || n % 100, 'user-' || n % 100 || '@example.com', 'user', 'update',
        'guardrails', md5(n::text), 'success', 200, '127.0.0.1', md5(n::text),
        '[{"field": "description", "before": "", "after": "x"}]', sha256(n::text::bytea), sha256(n::text::bytea)
      ${each(lines)}`,
  };
}

function naming(table) {
  return (error) => {
    throw new Error(`${table}: ${error.message}`);
  };
}

async function pagesOf(gateway, path) {
  const { pages } = JSON.parse(await gateway.call('GET', `${path}?page_size=${PAGE}`));
  const last = Math.ceil(pages.total / PAGE);
  return { first: 1, middle: Math.ceil(last / 2), last };
}

/** Sends requests to both organizations alternately, so that other load on the machine affects both. */
async function compare(sides, path, pages, place) {
  const times = { small: [], big: [] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [side, gateway] of Object.entries(sides)) {
      const startedAt = performance.now();
      await gateway.call('GET', `${path}?page_size=${PAGE}&page=${pages[side][place]}`);
      if (round >= 0) times[side].push(performance.now() - startedAt);
    }
  }
  const [small, big] = [median(times.small), median(times.big)];
  return { list: path.slice(1), place, small, big, ratio: rounded(big / small) };
}

function worst(rows) {
  const ratios = {};
  for (const { list, ratio } of rows) ratios[list] = Math.max(ratio, ratios[list] ?? 0);
  return ratios;
}

function print(rows) {
  console.log(
    `Pages of ${PAGE}, ${ROUNDS} requests each, Node ${process.versions.node}; medians, aim ${AIM}×\n`,
  );
  console.log('GET                     page     1 000 rows, ms   big, ms   ratio');
  for (const { list, place, small, big, ratio } of rows) {
    const cells = [small.toFixed(2).padStart(15), big.toFixed(2).padStart(9), ratio.toFixed(2).padStart(7)];
    console.log(`${list.padEnd(23)} ${place.padEnd(8)} ${cells.join(' ')}`);
  }
  console.log();
}
