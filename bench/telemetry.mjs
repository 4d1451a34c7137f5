// Cost of metrics and traces: compares the requests per second of the specification's GET endpoints, and the
// processor time of each request, between gateways with and without metrics and traces.
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { load, processorSeconds, startPart } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { seed } from './rest.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 50);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 30);
const CONNECTIONS = 16;
/** Smallest accepted share of the requests per second of a gateway without metrics and traces. */
const AIM = 0.95;
/** Share of the requests that is traced, by its name in the table. */
const PARTS = { 'a tenth': '0.1', all: '1' };

export default async function telemetry() {
  const collector = startPart('otlp-sink.mjs');
  const [port] = await once(collector, 'message');
  const metrics = async () => ({ METRICS_PORT: String(await freePort()) });
  const traces = (part) => ({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: part,
  });
  const variables = {
    neither: {},
    metrics: await metrics(),
    ...Object.fromEntries(
      await Promise.all(
        Object.entries(PARTS).map(async ([name, part]) => [
          `metrics, traces of ${name}`,
          { ...(await metrics()), ...traces(part) },
        ]),
      ),
    ),
  };
  const gateways = {};
  for (const [side, given] of Object.entries(variables)) {
    const gateway = await startGateway([], given);
    gateways[side] = { gateway, paths: await seed(gateway) };
  }
  const names = listed(
    'BENCH_PATHS',
    ['guardrail', 'access-request-rules', 'session', 'session-events'],
    Object.keys(gateways.neither.paths),
  );
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each by turns, ${CONNECTIONS} connections, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians\n`,
  );
  console.log('GET                     with                             requests/s   share   processor ms');
  const shares = {};
  for (const name of names) {
    const figures = await byTurns(gateways, ROUNDS, ({ gateway, paths }) => measure(gateway, paths[name]));
    for (const [side, { perSecond, costMs }] of Object.entries(figures)) {
      const share = perSecond / figures.neither.perSecond;
      const columns = [
        name.padEnd(22),
        side.padEnd(32),
        perSecond.toFixed(0),
        share.toFixed(2),
        costMs.toFixed(3),
      ];
      console.log(columns.join(' '), side !== 'neither' && share < AIM ? '(below the aim)' : '');
      (shares[side] ??= {})[name] = rounded(share);
    }
  }
  return { node: process.versions.node, aim: AIM, shares };
}

async function measure({ origin, pid, token }, path) {
  const before = processorSeconds(pid);
  const figures = await load({
    url: `${origin}/api${path}`,
    headers: { authorization: `Bearer ${token}` },
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  return { ...figures, costMs: ((processorSeconds(pid) - before) * 1000) / figures.requests };
}
