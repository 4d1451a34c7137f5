// Compares optimizations ("second ways") with the plain way of the same build. See docs/decisions/README.md.
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { load, processorSeconds, profiling, serverSeconds, startPart } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { seed, targetOf } from './rest.mjs';
import { analyze, run } from './scripts.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 50);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 30);
const WARM_UP = bounded('BENCH_WARM_UP', 1_000, 0, 100_000);
const WAYS = listed('BENCH_WAYS', ['ready', 'direct', 'dialled-ahead']);
/** One-way delay to the distant target. */
const AWAY_MS = bounded('BENCH_AWAY_MS', 5, 1, 1_000);
const CONNECTIONS = 16;
/** Header that turns optimizations off: conditional requests bypass answers from memory and direct routes. */
const PLAIN = { 'if-none-match': '"none"' };
const GETS = {
  ready: ['guardrail', 'access-request-rules'],
  direct: ['session', 'session-events'],
};
const SETTINGS = { 'dialled-ahead': { SCRIPTS_DIAL_AHEAD: '0' } };

export default async function secondWays() {
  const gateway = await startGateway(profiling());
  const paths = await seed(gateway);
  // Compares scripts first, so that all sides have run the same number of scripts before they are measured.
  const rows = await compareScripts(
    gateway,
    WAYS.filter((way) => way in SETTINGS),
  );
  const gets = WAYS.flatMap((way) => (GETS[way] ?? []).map((name) => ({ way, name, path: paths[name] })));
  for (const { way, name, path } of gets)
    rows.push({ way, what: name, of: await compareGets(gateway, path) });
  print(rows);
  return { node: process.versions.node, ratios: Object.fromEntries(rows.map(keyed)) };
}

async function compareGets({ origin, token, pid }, path) {
  const authorization = `Bearer ${token}`;
  const sides = { second: { authorization }, plain: { authorization, ...PLAIN } };
  return byTurns(sides, ROUNDS, async (headers) => {
    const before = processorSeconds(pid);
    const got = await load({
      url: `${origin}/api${path}`,
      headers,
      connections: CONNECTIONS,
      duration: SECONDS,
    });
    return {
      ms: (CONNECTIONS * 1000) / got.perSecond,
      costMs: ((processorSeconds(pid) - before) * 1000) / got.requests,
    };
  });
}

/**
 * Compares the gateway with gateways that each have one optimization turned off. Each gateway has its own
 * database server.
 */
async function compareScripts(gateway, ways) {
  const sides = { gateway };
  for (const way of ways) {
    sides[way] = await startGateway(profiling(), SETTINGS[way]);
    await seed(sides[way]);
  }
  if (ways.length === 0) return [];
  for (const side of Object.values(sides)) {
    if (WARM_UP > 0) await run(scriptsOf(side, 'target'), { clients: 8, count: WARM_UP });
    await analyze(side.postgres.url('gateway'));
    await addDistant(side);
  }
  const rows = [];
  for (const target of ['target', 'distant'])
    for (const clients of [1, 8]) {
      const of = await byTurns(sides, ROUNDS, async (side) => {
        const before = spent(side);
        const { p50, count } = await run(scriptsOf(side, target), { clients, seconds: SECONDS });
        return { ms: p50, costMs: ((spent(side) - before) * 1000) / count };
      });
      const what = `scripts, ${clients} at once${target === 'distant' ? `, ${AWAY_MS} ms away` : ''}`;
      for (const way of ways) rows.push({ way, what, of: { second: of.gateway, plain: of[way] } });
    }
  return rows;
}

/** Creates a connection that reaches the same target with a delay. */
async function addDistant({ call, postgres }) {
  const target = targetOf(postgres);
  const port = await freePort();
  const distance = startPart('kit/distance.mjs', [port, target.secret.PORT, AWAY_MS].map(String));
  await once(distance, 'message');
  const secret = { ...target.secret, PORT: String(port) };
  await call('POST', '/connections', { ...target, name: 'distant', secret });
}

function scriptsOf({ origin, token }, connection) {
  return {
    kind: 'rest',
    url: `${origin}/api/sessions`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ connection, script: 'select 1' }),
  };
}

/** Seconds of processor time of the gateway and its database server. */
function spent({ pid, folder }) {
  return processorSeconds(pid) + serverSeconds(join(folder, 'postgres'));
}

/** Returns the figure without the optimization as a multiple of the figure with it. */
function ratio({ of }, figure) {
  return of.plain[figure] / of.second[figure];
}

function keyed(row) {
  const key = `${row.way}, ${row.what}`;
  return [key, { processor: rounded(ratio(row, 'costMs')), time: rounded(ratio(row, 'ms')) }];
}

function print(rows) {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each by turns, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians. ms: of an answer or script. Times: how many times as much the plain way takes\n`,
  );
  console.log(
    'way                  of                               processor ms   plain   times          ms    plain   times',
  );
  for (const row of rows) {
    const { second, plain } = row.of;
    console.log(
      [
        row.way.padEnd(20),
        row.what.padEnd(32),
        second.costMs.toFixed(3).padStart(12),
        plain.costMs.toFixed(3).padStart(7),
        ratio(row, 'costMs').toFixed(2).padStart(7),
        second.ms.toFixed(2).padStart(11),
        plain.ms.toFixed(2).padStart(8),
        ratio(row, 'ms').toFixed(2).padStart(7),
      ].join(' '),
    );
  }
  console.log();
}
