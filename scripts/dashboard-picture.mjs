// npm run picture -- dashboard: draws docs/operations/dashboard.svg. A built gateway works for some minutes
// (PICTURE_SECONDS, 240), Debian's prometheus scrapes it, and the expressions of the panels of deploy/grafana
// are evaluated. Grafana is not used: the picture shows its data and layout, not its style.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startGateway } from '../bench/gateway.mjs';
import { endAll, onEnd } from '../bench/kit/ends.mjs';
import { answers, freePort } from '../bench/kit/ports.mjs';
import { drawDashboard } from './dashboard/draw.mjs';
import { work } from './dashboard/work.mjs';

const root = join(import.meta.dirname, '..');
const SECONDS = Number(process.env.PICTURE_SECONDS ?? 240);
const STEP = 2;
/** Interval of rates. It is short, and scrapes are frequent, so that a run of some minutes is enough. */
const RATE_INTERVAL = '20s';

async function startPrometheus(metricsPort) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-picture-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'prometheus.yaml');
  writeFileSync(
    config,
    `global: { scrape_interval: 1s }
scrape_configs:
  - job_name: access-gateway
    static_configs: [{ targets: ['127.0.0.1:${metricsPort}'], labels: { instance: gateway-1 } }]
`,
  );
  const port = await freePort();
  const words = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`];
  const child = spawn('prometheus', [...words, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  onEnd(async () => {
    child.kill();
    await ended;
  });
  await answers(port, () => child.exitCode === null);
  return `http://127.0.0.1:${port}`;
}

async function seriesOf(prometheus, { expr, legendFormat = '' }, from, to) {
  const query = expr.replaceAll('$__rate_interval', RATE_INTERVAL).replaceAll(/\$(?:job|instance)/g, '.*');
  const parameters = new URLSearchParams({ query, start: from, end: to, step: STEP });
  const answer = await fetch(`${prometheus}/api/v1/query_range?${parameters}`);
  const { status, data, error } = await answer.json();
  if (status !== 'success') throw new Error(`${query}: ${error}`);
  return data.result.map(({ metric, values }) => ({
    name: legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? ''),
    points: values.map(([at, value]) => [at, Number(value)]),
  }));
}

async function picture() {
  const metricsPort = await freePort();
  const gateway = await startGateway([], { METRICS_PORT: String(metricsPort) });
  const prometheus = await startPrometheus(metricsPort);
  const from = Date.now() / 1_000;
  await work(gateway, SECONDS);
  // Waits for the last scrapes.
  await delay(5_000);
  const to = Date.now() / 1_000;
  const { panels } = JSON.parse(readFileSync(join(root, 'deploy/grafana/access-gateway.json'), 'utf8'));
  const drawn = [];
  for (const panel of panels) {
    const series = [];
    for (const target of panel.targets ?? []) series.push(...(await seriesOf(prometheus, target, from, to)));
    drawn.push({ ...panel, series });
  }
  const shown = drawn.filter(({ type, series }) => type === 'row' || series.length > 0);
  console.log(`${shown.length} of ${drawn.length} panels and rows have data`);
  writeFileSync(join(root, 'docs/operations/dashboard.svg'), drawDashboard(drawn, from, to));
}

try {
  await picture();
} finally {
  await endAll();
}
