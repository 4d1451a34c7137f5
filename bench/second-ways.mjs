// Compares optimizations ("second ways") with the plain way of the same build. See docs/decisions/README.md.
import { loadavg } from 'node:os';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { load, processorSeconds, profiling } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { seed } from './rest.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 50);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 30);
const WAYS = listed('BENCH_WAYS', ['ready', 'direct']);
const CONNECTIONS = 16;
/** Header that turns optimizations off: conditional requests bypass answers from memory and direct routes. */
const PLAIN = { 'if-none-match': '"none"' };
const GETS = {
  ready: ['guardrail', 'access-request-rules'],
  direct: ['session', 'session-events'],
};

export default async function secondWays() {
  const gateway = await startGateway(profiling());
  const paths = await seed(gateway);
  const rows = [];
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
