// Requests per second of the specification's GET endpoints, compared with a bare Express handler with the same bytes.
import { once } from 'node:events';
import { startGateway } from './gateway.mjs';
import { bounded, rounded } from './kit/figures.mjs';
import { load, startPart } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 50);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 30);
const CONNECTIONS = 16;
const AIMS = { 'mcp-catalog': 0.7, guardrail: 0.5, 'access-request-rules': 0.5, session: 0.5 };

export default async function rest() {
  const gateway = await startGateway();
  const yardstick = startPart('bare-express.mjs');
  try {
    const paths = await seed(gateway);
    const bodies = {};
    for (const path of Object.values(paths)) bodies[`/api${path}`] = await gateway.call('GET', path);
    yardstick.send(bodies);
    const [port] = await once(yardstick, 'message');
    const bare = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${gateway.token}` };

    const rows = [];
    for (const [name, path] of Object.entries(paths)) {
      rows.push(await compare(name, `/api${path}`, gateway.origin, bare, headers));
    }
    print(rows);
    return { ratios: Object.fromEntries(rows.map(({ name, ratio }) => [name, ratio])) };
  } finally {
    yardstick.kill();
    await gateway.stop();
  }
}

async function compare(name, path, gateway, bare, headers) {
  const sides = Object.fromEntries(
    Object.entries({ gateway, bare }).map(([side, origin]) => [side, { url: `${origin}${path}`, headers }]),
  );
  const of = await byTurns(sides, ROUNDS, (side) =>
    load({ ...side, connections: CONNECTIONS, duration: SECONDS }),
  );
  const [ours, theirs] = [of.gateway.perSecond, of.bare.perSecond];
  return { name, ours, theirs, ratio: rounded(ours / theirs), p99: of.gateway.p99 };
}

/** One of each thing to read: ten access rules, a guardrail, and the session of a small script. */
export async function seed({ call, postgres }) {
  await postgres.createDatabase('target');
  const url = new URL(postgres.url('target'));
  const secret = {
    HOST: url.hostname,
    PORT: url.port,
    USER: url.username,
    PASS: url.password,
    DB: 'target',
    SSLMODE: 'disable',
  };
  const connection = { name: 'target', type: 'database', subtype: 'postgres', secret };
  const { id: connectionId } = JSON.parse(await call('POST', '/connections', connection));
  const entry = {
    type: 'deny_words_list',
    words: ['DROP TABLE', 'TRUNCATE'],
    pattern_regex: '',
    message: 'Not here.',
  };
  const guardrail = { name: 'keep-tables', input: { rules: [entry] }, connection_ids: [connectionId] };
  const { id: guardrailId } = JSON.parse(await call('POST', '/guardrails', guardrail));
  const script = { connection: 'target', script: 'SELECT n FROM generate_series(1, 20) AS n' };
  const { session_id: sessionId } = JSON.parse(await call('POST', '/sessions', script));
  for (let n = 0; n < 10; n++) {
    await call('POST', '/access-requests/rules', {
      name: `rule-${n}`,
      access_type: 'command',
      attributes: [`attribute-${n}`],
      reviewers_groups: ['dba'],
      min_approvals: 1,
    });
  }
  return {
    'mcp-catalog': '/mcp-catalog',
    guardrail: `/guardrails/${guardrailId}`,
    'access-request-rules': '/access-requests/rules',
    session: `/sessions/${sessionId}`,
  };
}

function print(rows) {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections, Node ${process.versions.node}; medians\n`,
  );
  console.log('GET                     gateway/s    bare/s   ratio   aim   p99 ms');
  for (const { name, ours, theirs, ratio, p99 } of rows) {
    const cells = [Math.round(ours).toString().padStart(9), Math.round(theirs).toString().padStart(9)];
    cells.push(ratio.toFixed(2).padStart(7), AIMS[name].toFixed(2).padStart(5), p99.toFixed(0).padStart(8));
    console.log(`${name.padEnd(22)} ${cells.join(' ')}`);
  }
  console.log();
}
