import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { METRICS, PROCESS_METRICS } from '../../src/platform/metrics/table';
import { expectClosedSets } from '../support/closed-labels';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/gateway';
import { GatewayProcess, until } from '../support/gateway-process';
import { ROOT } from '../support/root';
import { startTcpProxy } from '../support/tcp-proxy';
import { type ScrapedSeries, scrapeMetrics, sumOf } from '../support/scrape';
import { volume } from '../support/volume';

const STARTS_WITHIN_MS = 240_000;
/** Number of requested paths without a route. If paths became labels, each would add a metric series. */
const MADE_UP = volume(60, 300);

/** Sends a request with its path and method unchanged. Usual clients would normalize or refuse them. */
function send(port: string, method: string, path: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, (response) => {
      response.resume();
      response.once('close', resolve);
    });
    sent.once('error', () => resolve());
    sent.end();
  });
}

/** Sends bytes, whatever they are, and resolves with the status of the answer. */
function statusOfBytes(port: string, bytes: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.once('error', reject);
    socket.once('close', () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]));
  });
}

describeProcesses('metrics of a gateway', ({ folder, database, production, begin }) => {
  let gateway: GatewayProcess;
  let metricsPort: string;
  const wire = begin(() => {
    const { hostname, port } = new URL(database.url);
    return startTcpProxy(hostname, Number(port));
  });

  beforeAll(async () => {
    metricsPort = String(await freePort());
    const url = new URL(database.url);
    url.port = String(wire.port);
    gateway = await GatewayProcess.start({
      ...production.variables,
      DATABASE_URL: url.href,
      JOURNAL_DIR: folder.path,
      METRICS_PORT: metricsPort,
      REQUEST_SECONDS: '3',
    });
  }, STARTS_WITHIN_MS);

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
  });

  it('count requests by area, method and result, and their time', async () => {
    const before = await scrapeMetrics(metricsPort);
    const token = await production.token();
    for (let times = 0; times < 3; times += 1)
      expect((await gateway.get('/sessions', token)).status).toBe(200);
    expect((await gateway.get('/sessions')).status).toBe(401);
    const labels = { area: 'sessions', method: 'GET' };
    await until(async () => {
      const now = await scrapeMetrics(metricsPort);
      return sumOf(now, 'gateway_http_requests_total', { ...labels, result: '4xx' }) === 1;
    });
    const after = await scrapeMetrics(metricsPort);
    expect(sumOf(after, 'gateway_http_requests_total', { ...labels, result: '2xx' })).toBe(3);
    const unauthorized = (series: ScrapedSeries[]): number =>
      sumOf(series, 'gateway_http_responses_total', { status: '401' });
    expect(unauthorized(after) - unauthorized(before)).toBe(1);
    const ofTime = (end: string): number =>
      sumOf(after, `gateway_http_request_duration_seconds_${end}`, { area: 'sessions' });
    expect(ofTime('count')).toBe(4);
    expect(ofTime('sum')).toBeGreaterThan(0);
    expect(
      sumOf(after, 'gateway_http_request_duration_seconds_bucket', { area: 'sessions', le: '+Inf' }),
    ).toBe(4);
  });

  it.each([
    ['400', 'this is not HTTP\r\n\r\n'],
    ['431', `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(90_000)}\r\n\r\n`],
    ['408', 'GET / HTTP/1.1\r\nHost: x\r\n'],
    ['417', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n'],
    ['405', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('count requests that are refused with %s before their path is read', async (status, bytes) => {
    const { port } = new URL(gateway.origin);
    const counted = async (): Promise<number[]> => {
      const series = await scrapeMetrics(metricsPort);
      return [
        sumOf(series, 'gateway_http_responses_total', { status }),
        sumOf(series, 'gateway_http_requests_total', { area: 'other', method: 'other', result: '4xx' }),
      ];
    };
    const [responses = 0, requests = 0] = await counted();
    expect(await statusOfBytes(port, bytes)).toBe(status);
    expect(await counted()).toEqual([responses + 1, requests + 1]);
  });

  it('tell of the process, its event loop, the pools, the feed and the database', async () => {
    const series = await scrapeMetrics(metricsPort);
    expect(sumOf(series, 'gateway_workers', { state: 'answering' })).toBe(1);
    expect(sumOf(series, 'gateway_database_up')).toBe(1);
    expect(sumOf(series, 'gateway_change_feed_up', { worker: '0' })).toBe(1);
    expect(sumOf(series, 'gateway_database_pool_limit', { pool: 'main' })).toBe(10);
    expect(sumOf(series, 'gateway_database_pool_connections', { pool: 'main' })).toBeGreaterThan(0);
    expect(sumOf(series, 'process_resident_memory_bytes')).toBeGreaterThan(50e6);
    const names = new Set(series.map(({ name }) => name));
    // The metric of garbage collections may be missing, because it appears with the first collection.
    const missing = Object.keys(PROCESS_METRICS).filter((name) => !names.has(name));
    expect(missing.filter((name) => name !== 'nodejs_gc_duration_seconds')).toEqual([]);
  });

  it('have labels of closed sets only, whatever callers send', async () => {
    const { port } = new URL(gateway.origin);
    const segments = ['users/../x', '%00', '"}%20gateway_info', '__proto__', 'constructor', '\u00ff'];
    const madeUp = Array.from({ length: MADE_UP }, (_, index) => `made-up-${index}`);
    for (const segment of [...segments, ...madeUp]) {
      await send(port, 'GET', `/api/${segment}`);
      await send(port, 'DELETE', `/${segment}`);
    }
    for (const method of ['PROPFIND', 'TRACE', 'LINK', 'REPORT']) await send(port, method, '/api/sessions');
    await until(async () => {
      const now = await scrapeMetrics(metricsPort);
      return sumOf(now, 'gateway_http_requests_total', { area: 'other', method: 'GET' }) >= MADE_UP;
    });
    const series = await scrapeMetrics(metricsPort);
    expect(
      sumOf(series, 'gateway_http_requests_total', { method: 'other', area: 'sessions' }),
    ).toBeGreaterThan(0);
    expectClosedSets(series);
    expect(series.length).toBeLessThan(600);
  });

  it('are read by GET at one path, and nothing else is there', async () => {
    const origin = `http://127.0.0.1:${metricsPort}`;
    const statusOf = async (path: string, method = 'GET'): Promise<number> =>
      (await fetch(origin + path, { method })).status;
    expect(await statusOf('/metrics')).toBe(200);
    expect(await statusOf('/metrics', 'HEAD')).toBe(200);
    expect(await statusOf('/metrics', 'POST')).toBe(405);
    expect(await statusOf('/')).toBe(404);
    expect(await statusOf('/api/sessions')).toBe(404);
    expect((await gateway.get('/metrics')).status).toBe(404);
  });

  it(
    'are a fault of the start when the port is taken',
    async () => {
      const second = await GatewayProcess.spawn({
        ...production.variables,
        PORT: String(await freePort()),
        JOURNAL_DIR: folder.path,
        METRICS_PORT: metricsPort,
      });
      expect((await second.exited).code).toBe(1);
      expect(second.stderr).toContain(`Something else listens on 127.0.0.1:${metricsPort} already.`);
    },
    STARTS_WITHIN_MS,
  );

  it('tell that the database is away or silent, and do not fail', async () => {
    const isUp = async (): Promise<number> => sumOf(await scrapeMetrics(metricsPort), 'gateway_database_up');
    // Waits until the database counts as up, because a check of it may have timed out on a busy machine.
    await until(async () => (await isUp()) === 1);
    wire.goSilent();
    wire.cut();
    await until(async () => (await isUp()) === 0);
    const series = await scrapeMetrics(metricsPort);
    expect(sumOf(series, 'gateway_change_feed_up')).toBe(0);
    expect(sumOf(series, 'gateway_change_feed_losses_total')).toBeGreaterThan(0);
    expect(series.length).toBeGreaterThan(50);
  });
});

describe('the areas of requests', () => {
  it('have the first segment of every route', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as { paths: object };
    const segments = new Set(
      Object.keys(paths).map((path) => path.split('/')[path.startsWith('/api/') ? 2 : 1]),
    );
    const areas: readonly string[] = METRICS.gateway_http_requests_total.labels.area;
    expect(
      [...segments].filter((segment = '') => !areas.includes(segment) && !segment.startsWith('{')),
    ).toEqual([]);
  });
});
