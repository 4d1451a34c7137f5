// Requests per second of the specification's GET endpoints, and the processor time of each, compared with a
// bare Express handler with the same bytes.
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { load, processorSeconds, profiling, startPart } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 50);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 30);
const CONNECTIONS = 16;
/**
 * Targets: the minimum share of the bare handler's requests per second, and the maximum multiple of its
 * processor time per request.
 */
const AIMS =
  Number(process.versions.node.split('.')[0]) >= 24
    ? {
        'mcp-catalog': { share: 0.85 },
        guardrail: { share: 0.25, cost: 4.5 },
        'access-request-rules': { share: 0.25, cost: 4.5 },
        session: { share: 0.15, cost: 7 },
        'session-events': { share: 0.12, cost: 8 },
      }
    : {
        'mcp-catalog': { share: 0.85 },
        guardrail: { share: 0.35, cost: 3 },
        'access-request-rules': { share: 0.35, cost: 3 },
        session: { share: 0.33, cost: 3.2 },
        'session-events': { share: 0.3, cost: 3.5 },
      };

export default async function rest() {
  const gateway = await startGateway(profiling());
  const yardstick = startPart('bare-express.mjs');
  const paths = Object.entries(await seed(gateway)).filter(([name]) =>
    listed('BENCH_PATHS', Object.keys(AIMS)).includes(name),
  );
  const bodies = {};
  for (const [name, path] of paths) bodies[`/api/${name}`] = await gateway.call('GET', path);
  yardstick.send(bodies);
  const [port] = await once(yardstick, 'message');

  const rows = [];
  for (const [name, path] of paths) {
    const sides = {
      gateway: { url: `${gateway.origin}/api${path}`, pid: gateway.pid },
      bare: { url: `http://127.0.0.1:${port}/api/${name}`, pid: yardstick.pid },
    };
    rows.push(await compare(name, sides, { authorization: `Bearer ${gateway.token}` }));
  }
  print(rows);
  const each = (figure) => Object.fromEntries(rows.map((row) => [row.name, rounded(figure(row))]));
  return {
    node: process.versions.node,
    ratios: each(({ share }) => share),
    costs: each(({ cost }) => cost),
    processorMs: each(({ gateway: { costMs } }) => costMs),
    bareMs: each(({ bare: { costMs } }) => costMs),
  };
}

async function compare(name, sides, headers) {
  const { gateway, bare } = await byTurns(sides, ROUNDS, async ({ url, pid }) => {
    const before = processorSeconds(pid);
    const figures = await load({ url, headers, connections: CONNECTIONS, duration: SECONDS });
    return { ...figures, costMs: ((processorSeconds(pid) - before) * 1000) / figures.requests };
  });
  const [share, cost] = [gateway.perSecond / bare.perSecond, gateway.costMs / bare.costMs];
  return { name, gateway, bare, share, cost };
}

/** Returns the settings of a connection to the database `target`, without its name. */
export function targetOf(postgres) {
  const { hostname: HOST, port: PORT, username: USER, password: PASS } = new URL(postgres.url('target'));
  const secret = { HOST, PORT, USER, PASS, DB: 'target', SSLMODE: 'disable' };
  return { type: 'database', subtype: 'postgres', secret };
}

/**
 * Creates ten access request rules, a guardrail and the session of a small script. Returns paths to read
 * them.
 */
export async function seed({ call, postgres }) {
  await postgres.createDatabase('target');
  const connection = { name: 'target', ...targetOf(postgres) };
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
    'session-events': `/sessions/${sessionId}?expand=event_stream`,
  };
}

function print(rows) {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each by turns, ${CONNECTIONS} connections, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians\n`,
  );
  console.log(
    'GET                     gateway/s    bare/s   ratio   aim   p99 ms   processor ms    bare ms   times   aim',
  );
  for (const { name, gateway, bare, share, cost } of rows) {
    const aim = AIMS[name];
    console.log(
      [
        name.padEnd(22),
        gateway.perSecond.toFixed(0).padStart(10),
        bare.perSecond.toFixed(0).padStart(9),
        share.toFixed(2).padStart(7),
        aim.share.toFixed(2).padStart(5),
        gateway.p99.toFixed(0).padStart(8),
        gateway.costMs.toFixed(3).padStart(14),
        bare.costMs.toFixed(3).padStart(10),
        cost.toFixed(1).padStart(7),
        (aim.cost?.toFixed(1) ?? '').padStart(5),
      ].join(' '),
    );
  }
  console.log();
}
