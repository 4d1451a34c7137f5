// Time that one request blocks the event loop of a gateway: the worst bodies of each route, long scripts, and
// large answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { bodyOperations, bodyShapes } from './bodies/shapes.mjs';
import { textShapes } from './bodies/texts.mjs';
import { startGateway } from './gateway.mjs';
import { bounded, listed, median, rounded } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';

/** Seconds to try all bodies and to measure the slowest again. Bodies not tried in this time are counted. */
const SECONDS = bounded('BENCH_SECONDS', 90, 1, 3_600);
/** Number of measurements of each of the slowest bodies. The result is their median. */
const ROUNDS = bounded('BENCH_ROUNDS', 3, 1, 100);
const AGAIN = 8;
const ONLY = process.env.BENCH_OPERATIONS?.split(',');
const SCRIPTS_MB = listed('BENCH_SCRIPTS_MB', ['1', '4']).map(Number);
const LISTED = 1_000;
const NOTHING = '00000000-0000-4000-8000-000000000000';
const MEBIBYTE = 1024 * 1024;
const PROMISED_MS = 50;

const document = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8'));

export default async function bench() {
  const port = await freePort();
  const gateway = await startGateway(['--import', join(import.meta.dirname, 'bodies', 'loop-watch.mjs')], {
    BENCH_LOOP_PORT: String(port),
    BODY_LIMIT_MB: String(Math.max(...SCRIPTS_MB)),
    REQUEST_SECONDS: '600',
  });
  const watch = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
  const send = async (method, path, body) => {
    const response = await fetch(`${gateway.origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    await response.arrayBuffer();
    if (response.status >= 500) console.log(`${method} ${path}: ${response.status}`);
    return response.status;
  };
  const measure = async ({ method = 'GET', path, body }) => {
    const bytes = body?.();
    await watch('/start');
    await send(method, path, bytes);
    return watch('/stop');
  };
  // Warms up: the gateway compiles its code and fills its caches.
  for (let round = 0; round < 20; round++)
    await send('POST', '/groups', JSON.stringify({ name: `warm${round}` }));
  await fill(gateway);
  for (const { path } of answers()) await send('GET', path);
  for (const { path, body } of scripts()) await send('POST', path, body());
  const all = [...bodies(), ...texts()].sort((a, b) => a.place - b.place);
  const rows = [];
  for (const request of [...queries(), ...answers(), ...scripts(), ...(await sessions(gateway))])
    rows.push({ ...request, figures: [await measure(request)] });
  const start = performance.now();
  const isTimeLeft = (share) => performance.now() - start < share * SECONDS * 1_000;
  let tried = 0;
  for (; tried < all.length && isTimeLeft(0.8); tried++)
    rows.push({ ...all[tried], figures: [await measure(all[tried])] });
  for (const row of rows.sort((a, b) => medianOf(b) - medianOf(a)).slice(0, AGAIN))
    for (let round = 1; round < ROUNDS && isTimeLeft(1); round++) row.figures.push(await measure(row));
  rows.sort((a, b) => medianOf(b) - medianOf(a));
  console.log('longest turn of the event loop, ms: of its thread on the processor, by the clock');
  for (const row of rows.slice(0, 25))
    console.log(
      `${medianOf(row).toFixed(1).padStart(8)}${medianOf(row, 'clock').toFixed(1).padStart(8)}  ${row.name}`,
    );
  if (tried < all.length) console.log(`${all.length - tried} of ${all.length} bodies were not tried`);
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const worst = (kind) => Math.max(...rows.filter((row) => row.kind === kind).map((row) => medianOf(row)));
  return {
    requests: rows.length,
    bodies: { tried, of: all.length },
    worstMs: Object.fromEntries(kinds.map((kind) => [kind, rounded(worst(kind))])),
    ratios: { worstToPromise: rounded(Math.max(...kinds.map(worst)) / PROMISED_MS) },
  };
}

const medianOf = ({ figures }, of = 'processor') => median(figures.map((figure) => figure[of]));

/**
 * Returns requests with the first body of each operation, then with the second of each, and so on, so that
 * every operation is tried if time is short.
 */
function bodies() {
  const operations = bodyOperations(document).filter(({ id }) => ONLY?.includes(id) ?? true);
  const rows = operations.flatMap((operation) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, NOTHING);
    return bodyShapes(document, operation).map((shape, place) => ({
      kind: 'body',
      name: `${operation.id}: ${shape.name}`,
      method: operation.method,
      path,
      body: () => shape.body,
      place,
    }));
  });
  return rows.sort((a, b) => a.place - b.place);
}

const SEED = bounded('BENCH_SEED', 1, 0, 2 ** 31);
const RULES = [
  { type: 'deny_words_list', words: ['drop table'], pattern_regex: '' },
  { type: 'pattern_match', words: [], pattern_regex: '(?i)pg_sleep\\s*\\(' },
  { type: 'sql_statement', words: [], pattern_regex: '', kinds: ['drop'], without_where: true },
];

const FOUND = [
  {
    type: 'detector',
    words: [],
    pattern_regex: '',
    detectors: ['email', 'payment_card', 'us_ssn', 'iban', 'phone'],
  },
  { type: 'detector', words: [], pattern_regex: '', detectors: ['aws_key', 'jwt', 'private_key'] },
  { type: 'pattern_match', words: [], pattern_regex: '(?i)(a|b)+c' },
];

/**
 * Returns requests that judge generated texts (`texts.mjs`) as SQL and screen them as a result. The texts are
 * just short enough to be read on the event loop.
 */
function texts() {
  const judge = (direction, text) => {
    const [input, output] = direction === 'input' ? [RULES, []] : [[], FOUND];
    const rule = { name: 'searched', input: { rules: input }, output: { rules: output } };
    return JSON.stringify({ rule, direction, text });
  };
  return [...textShapes(SEED, 300)].flatMap(({ name, make }, index) =>
    ['input', 'output'].map((direction) => ({
      kind: `${direction} that was searched for`,
      name: `dryRunGuardRails, ${direction}: ${JSON.stringify(name)}`,
      method: 'POST',
      path: '/guardrails/dry-run',
      body: () => judge(direction, make(32_000)),
      // Spreads the texts among the request bodies, so that all kinds are tried even if time is short.
      place: index / 50,
    })),
  );
}

/** Returns requests with the largest number of query parameters that fits into headers of 16 KiB. */
function queries() {
  const pairs = { 'unknown parameters': 'a&', 'one parameter': 'page=1&', 'broken parameters': '%zz&' };
  return Object.entries(pairs).map(([name, pair]) => ({
    kind: 'query',
    name: `query: ${name}`,
    path: `/users?${pair.repeat(Math.floor(15_000 / pair.length))}`,
  }));
}

const TEXTS = {
  letters: (size) => 'x'.repeat(size),
  'wide characters': (size) => '\u{1F4A9}'.repeat(size / 4),
  'Cyrillic letters': (size) => 'ж'.repeat(size / 2),
  'escaped line breaks': (size) => '\n'.repeat(size / 2),
};

const NOWHERE = 'of-nobody';
const RUNS = 'runs';

/**
 * Returns requests with long scripts. For each script, one request names a connection that does not exist, to
 * measure the HTTP handling alone, and one request runs the script.
 */
function scripts() {
  return SCRIPTS_MB.flatMap((megabytes) =>
    Object.entries(TEXTS).flatMap(([name, text]) =>
      [NOWHERE, RUNS].map((connection) => ({
        kind: `script of ${megabytes} MB${connection === RUNS ? ', run' : ''}`,
        name: `createSession: ${megabytes} MB of ${name}${connection === RUNS ? ', run' : ''}`,
        method: 'POST',
        path: '/sessions',
        body: () => JSON.stringify({ connection, script: scriptOf(text, megabytes) }),
      })),
    ),
  );
}

function scriptOf(text, megabytes) {
  return `SELECT length('${text(megabytes * MEBIBYTE - 1_000)}')`;
}

/** Runs the long scripts, and returns requests for their sessions, whose answers contain the scripts. */
async function sessions(gateway) {
  const rows = [];
  for (const megabytes of SCRIPTS_MB)
    for (const [name, text] of Object.entries(TEXTS)) {
      const answer = await gateway.call('POST', '/sessions', {
        connection: RUNS,
        script: scriptOf(text, megabytes),
      });
      const { session_id } = JSON.parse(answer);
      for (const query of ['', '?event_stream=utf8&events=i'])
        rows.push({
          kind: `session with a script of ${megabytes} MB`,
          name: `getSession${query}: ${megabytes} MB of ${name}`,
          path: `/sessions/${session_id}${query}`,
        });
    }
  return rows;
}

const LISTS = [
  '/attributes',
  '/guardrails',
  '/connections',
  '/users',
  '/access-requests/rules',
  '/audit/logs',
];

function answers() {
  return [...LISTS, '/openapi.json', '/openapi.yaml', '/guardrails/LARGEST'].map((path) => ({
    kind: 'answer',
    name: `GET ${path}`,
    path: path.replace('LARGEST', LARGEST),
  }));
}

const LARGEST = '00000000-0000-4000-8000-000000000001';

/** Creates a full page of large items for each list, and a connection that runs scripts. */
async function fill(gateway) {
  const { postgres } = gateway;
  const { hostname: HOST, port: PORT, username: USER, password: PASS } = new URL(postgres.url('gateway'));
  const secret = { HOST, PORT, USER, PASS, DB: 'gateway', SSLMODE: 'disable' };
  const kind = { type: 'database', subtype: 'postgres', access_groups: ['*'] };
  await gateway.call('POST', '/connections', { name: RUNS, ...kind, secret });
  const client = new Client({ connectionString: postgres.url('gateway') });
  await client.connect();
  const org = '(SELECT id FROM organizations)';
  const long = "repeat('d', 4000)";
  const words = `(SELECT jsonb_build_object('rules', jsonb_build_array(jsonb_build_object('type', 'deny_words_list',
    'words', jsonb_agg('a word that is denied ' || w), 'pattern_regex', ''))) FROM generate_series(1, 1000) AS w)`;
  const names = "(SELECT array_agg('attribute' || a) FROM generate_series(1, 100) AS a)";
  const series = `generate_series(1, ${LISTED}) AS n`;
  await client.query(`
    INSERT INTO attributes (org_id, name, description) SELECT ${org}, 'listed' || n, ${long} FROM ${series};
    INSERT INTO users (org_id, subject, email, name) SELECT ${org}, 'u' || n, 'u' || n || '@example.com', 'u' || n FROM ${series};
    INSERT INTO guardrail_rules (org_id, name, description, input, output)
      SELECT ${org}, 'r' || n, ${long}, ${words}, '{"rules": []}' FROM ${series};
    UPDATE guardrail_rules SET id = '${LARGEST}' WHERE name = 'r1';
    INSERT INTO access_request_rules (org_id, name, access_type, reviewers_groups, force_approval_groups, attributes,
      connection_names) SELECT ${org}, 'rule' || n, 'command', ${names}, ${names}, ${names}, ${names} FROM ${series};
    INSERT INTO connections (org_id, name, type, subtype, secret, secret_names, description, attributes)
      SELECT ${org}, 'c' || n, 'database', 'postgres', '', '{}', ${long}, ${names} FROM ${series};
  `);
  await client.end();
}
