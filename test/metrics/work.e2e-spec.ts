import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { load } from 'js-yaml';
import { entries } from '../support/guarded-path';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/gateway';
import { GatewayProcess, until } from '../support/gateway-process';
import { ROOT } from '../support/root';
import { type ScrapedSeries, scrapeMetrics, sumOf } from '../support/scrape';
import { secretOf } from '../support/target';
import { IMPATIENT, WebhookReceiver } from '../support/webhook-receiver';

const STARTS_WITHIN_MS = 240_000;

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

function readDeployed(path: string): string {
  return readFileSync(join(ROOT, 'deploy', path), 'utf8');
}

/** Returns the PromQL expressions of the dashboard, as Grafana sends them. */
function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(readDeployed('grafana/access-gateway.json')) as Dashboard;
  return panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(?:job|instance)/g, '.*'),
    ),
  );
}

function alertExpressions(): string[] {
  const { groups } = load(readDeployed('prometheus/alerts.yaml')) as Alerts;
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
}

/** Returns the metrics that a PromQL expression names. @throws if the expression is invalid */
function metricsOf(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expression}`);
      if (type.name === 'Identifier') names.push(expression.slice(from, to));
    },
  });
  return names;
}

describeProcesses('metrics of what a gateway does', ({ folder, target, production }) => {
  let gateway: GatewayProcess;
  let metricsPort: string;
  let token: string;

  const scrape = (): Promise<ScrapedSeries[]> => scrapeMetrics(metricsPort);

  async function create(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await gateway.post(path, token, body);
    const answer = (await response.json()) as Record<string, unknown>;
    if (response.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  const connection = (name: string): Promise<Record<string, unknown>> =>
    create('/connections', { name, type: 'database', subtype: 'postgres', secret: secretOf(target) });

  const run = async (name: string, script: string): Promise<void> => {
    await (await gateway.post('/sessions', token, { connection: name, script })).text();
  };

  beforeAll(async () => {
    metricsPort = String(await freePort());
    gateway = await GatewayProcess.start({
      ...production.variables,
      JOURNAL_DIR: folder.path,
      METRICS_PORT: metricsPort,
      ...IMPATIENT,
      // No syslog server listens on this port. The metrics of exported and waiting lines must exist all the
      // same.
      SYSLOG_URL: `tcp://127.0.0.1:${await freePort()}`,
    });
    token = await production.token();
    const { id } = await connection('orders');
    await create('/guardrails', {
      name: 'no secrets',
      connection_ids: [id],
      input: entries({ type: 'deny_words_list', words: ['forbidden'] }),
    });
    await connection('reviewed');
    await create('/access-requests/rules', {
      name: 'reviewed',
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      connection_names: ['reviewed'],
    });
  }, STARTS_WITHIN_MS);

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
  });

  it('count sessions by protocol and verdict, hits, and what is recorded', async () => {
    await run('orders', 'SELECT 1');
    await run('orders', 'SELECT forbidden');
    await run('orders', 'SELECT nonsense FROM nowhere');
    await run('reviewed', 'SELECT 2');
    const ended = (series: ScrapedSeries[], verdict: string): number =>
      sumOf(series, 'gateway_sessions_ended_total', { protocol: 'script', verdict });
    await until(async () => {
      const series = await scrape();
      return (
        ended(series, 'completed') === 1 &&
        ended(series, 'blocked') === 1 &&
        ended(series, 'failed') === 1 &&
        ended(series, 'waiting') === 1
      );
    });
    const series = await scrape();
    expect(sumOf(series, 'gateway_sessions_started_total', { protocol: 'script' })).toBe(4);
    expect(sumOf(series, 'gateway_sessions_running')).toBe(0);
    expect(sumOf(series, 'gateway_guardrail_hits_total', { direction: 'input', effect: 'blocked' })).toBe(1);
    expect(sumOf(series, 'gateway_guardrail_duration_seconds_count', { direction: 'input' })).toBeGreaterThan(
      2,
    );
    expect(sumOf(series, 'gateway_journal_written_bytes_total')).toBeGreaterThan(0);
    expect(sumOf(series, 'gateway_journal_up')).toBe(1);
  });

  it('show that all which was received is stored in the end', async () => {
    const received = (series: ScrapedSeries[]): number =>
      sumOf(series, 'gateway_recording_events_received_total');
    await until(async () => {
      const series = await scrape();
      return (
        received(series) >= 6 &&
        sumOf(series, 'gateway_recording_events_stored_total') === received(series) &&
        sumOf(series, 'gateway_recording_sessions_waiting') === 0
      );
    });
    const series = await scrape();
    expect(sumOf(series, 'gateway_recording_lag_seconds')).toBe(0);
    expect(sumOf(series, 'gateway_recording_waiting_bytes')).toBe(0);
    expect(sumOf(series, 'gateway_recording_waiting_limit_bytes')).toBe(64 * 1024 * 1024);
  });

  it('show reviews that wait, and their age', async () => {
    await until(async () => sumOf(await scrape(), 'gateway_reviews_waiting', { type: 'onetime' }) === 1);
    const series = await scrape();
    expect(sumOf(series, 'gateway_reviews_oldest_waiting_seconds', { type: 'onetime' })).toBeGreaterThan(0);
    expect(sumOf(series, 'gateway_reviews_waiting', { type: 'jit' })).toBe(0);
    expect(sumOf(series, 'gateway_reviews_unsigned', { by: 'emergency' })).toBe(0);
    expect(sumOf(series, 'gateway_webhook_deliveries_waiting')).toBe(0);
  });

  it('count hits of caches', async () => {
    for (let times = 0; times < 3; times += 1) await (await gateway.get('/guardrails', token)).text();
    const series = await scrape();
    expect(sumOf(series, 'gateway_cache_lookups_total', { cache: 'answers', result: 'hit' })).toBeGreaterThan(
      0,
    );
    expect(sumOf(series, 'gateway_cache_lookups_total', { cache: 'targets' })).toBeGreaterThan(0);
  });

  it('count attempts to send webhooks, and export that fails', async () => {
    const receiver = await WebhookReceiver.start();
    const answers = [500, 204];
    receiver.answering = () => answers.shift() ?? 204;
    await create('/webhooks', { url: receiver.url, events: ['session.started'] });
    await run('orders', 'SELECT 3');
    const attempts = async (result: string): Promise<number> =>
      sumOf(await scrape(), 'gateway_webhook_attempts_total', { result });
    await until(async () => (await attempts('delivered')) === 1 && (await attempts('failed')) === 1);
    await until(
      async () => sumOf(await scrape(), 'gateway_export_failures_total', { destination: 'syslog' }) > 0,
    );
    expect(sumOf(await scrape(), 'gateway_export_events_total', { destination: 'syslog' })).toBe(0);
    await receiver.close();
  });

  it.each([
    ['the dashboard', dashboardExpressions()],
    ['the alerts', alertExpressions()],
  ])('have every name of %s', async (_, expressions) => {
    expect(expressions.length).toBeGreaterThan(10);
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind]));
    const exposed = [...kinds].flatMap(([name, kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    for (const expression of expressions) {
      const named = metricsOf(expression);
      expect(named.length).toBeGreaterThan(0);
      expect([expression, named.filter((name) => !exposed.includes(name))]).toEqual([expression, []]);
    }
  });

  it('are named by expressions that the parser of Prometheus takes', () => {
    expect(() => metricsOf('sum by (job (rate(x[5m]))')).toThrow('not PromQL');
    expect(metricsOf('sum by (job) (rate(gateway_a_total{b="c"}[5m])) / max(gateway_d)')).toEqual([
      'gateway_a_total',
      'gateway_d',
    ]);
  });
});
