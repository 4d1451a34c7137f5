import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeProcesses } from '../support/describe';
import { GatewayProcess, START_OPTIONS } from '../support/gateway-process';
import { eventually } from '../support/eventually';
import { ROOT } from '../support/root';
import { OtlpReceiver } from '../support/siem/otlp-receiver';
import { secretOf } from '../support/target';

const TIMES_MS = 240_000;
const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const SCRIPT = "SELECT current_setting('application_name') AS name, 'canary-in-the-script' AS canary";

/** Number of modules that a process had loaded at its exit, and the files of OpenTelemetry among them. */
interface Loaded {
  readonly all: number;
  readonly loaded: readonly string[];
}

describeProcesses('a gateway', ({ folder, target, production, begin }) => {
  const collector = begin(() => OtlpReceiver.start());
  let token: string;

  const start = async (environment: Record<string, string>): Promise<GatewayProcess> => {
    const preload = join(ROOT, 'test/telemetry/loaded.fixture.cjs');
    const variables = {
      ...production.variables,
      JOURNAL_DIR: folder.path,
      LOADED_FILE: join(folder.path, 'loaded.json'),
      SHUTDOWN_DELAY_SECONDS: '0',
      ...environment,
    };
    const command = [process.execPath, ...START_OPTIONS, '--require', preload, '.'] as const;
    const gateway = await GatewayProcess.spawn(variables, [...command]);
    await gateway.says('"listening on');
    return gateway;
  };

  const stopped = async (gateway: GatewayProcess): Promise<Loaded> => {
    await gateway.stop();
    return JSON.parse(readFileSync(join(folder.path, 'loaded.json'), 'utf8')) as Loaded;
  };

  const run = async (gateway: GatewayProcess): Promise<{ session_id: string; output: string }> => {
    const response = await fetch(`${gateway.api}/sessions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
        'x-request-id': 'the-request',
      },
      body: JSON.stringify({ connection: 'orders', script: SCRIPT }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { session_id: string; output: string };
  };

  beforeAll(async () => {
    token = await production.token();
  });

  // promises: TRACE-1
  it(
    'loads nothing of OpenTelemetry while it sends nothing',
    async () => {
      const gateway = await start({});
      const secret = { ...secretOf(target) };
      await gateway.post('/connections', token, {
        name: 'orders',
        type: 'database',
        subtype: 'postgres',
        secret,
      });
      await run(gateway);
      const { all, loaded } = await stopped(gateway);
      expect(all).toBeGreaterThan(0);
      expect(loaded).toEqual([]);
    },
    TIMES_MS,
  );

  describe('that sends to a collector', () => {
    let gateway: GatewayProcess;
    let answer: { session_id: string; output: string };

    beforeAll(async () => {
      gateway = await start({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=canary-header',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        LOG_OTLP: 'true',
      });
      answer = await run(gateway);
      await eventually('the request has its spans', async () =>
        collector.spans.some(({ name }) => name === 'POST /api/sessions'),
      );
    }, TIMES_MS);

    // promises: TRACE-2, TRACE-3
    it('sends the spans of a script, as part of the trace of the caller', () => {
      const spans = collector.spans.filter(({ traceId }) => traceId === CALLER.traceId);
      const server = spans.find(({ kind }) => kind === 2);
      expect(server).toMatchObject({
        name: 'POST /api/sessions',
        parentId: CALLER.spanId,
        isError: false,
        resource: { 'service.name': 'access-gateway' },
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/api/sessions',
          'http.response.status_code': 200,
          'gateway.request.id': 'the-request',
          'gateway.session.id': answer.session_id,
          'gateway.connection': 'orders',
        },
      });
      const children = spans.filter(({ parentId }) => parentId === server?.spanId);
      expect(new Set(children.map(({ name, kind }) => `${name} ${kind}`))).toEqual(
        new Set([
          'gateway.access 1',
          'gateway.open_recording 1',
          'gateway.judge 1',
          'gateway.record 1',
          'gateway.dial 3',
          'postgresql 3',
        ]),
      );
      expect(children.find(({ name }) => name === 'gateway.judge')?.attributes).toEqual({
        'gateway.verdict': 'pass',
      });
    });

    // promises: TRACE-2
    it('passes its own span on to the target, in the trace of the caller', () => {
      const server = collector.spans.find(({ kind, traceId }) => kind === 2 && traceId === CALLER.traceId);
      expect(answer.output).toContain(`gateway 00-${CALLER.traceId}-${server?.spanId}-01`);
    });

    // promises: TRACE-4
    it('sends the lines of its log, with the trace to which they belong', async () => {
      const ofRequest = () =>
        collector.records.find(
          ({ scope, traceId }) => scope === 'access-gateway.log' && traceId === CALLER.traceId,
        );
      await eventually('the line of the request', async () => ofRequest() !== undefined);
      expect(ofRequest()).toMatchObject({
        severity: 9,
        body: 'request',
        attributes: { req: { id: 'the-request' } },
      });
      expect(gateway.stdout).toContain(`"trace_id":"${CALLER.traceId}"`);
    });

    // promises: TRACE-3
    it('names no script, no value and no secret in spans, and fails them by a class alone', async () => {
      const refused = await gateway.post('/sessions', token, {
        connection: 'canary-nowhere',
        script: SCRIPT,
      });
      expect(refused.status).toBe(404);
      const query = await gateway.get('/sessions?q=canary-words', token);
      expect(query.status).toBe(200);
      await eventually('both have spans', async () =>
        [404, 200].every((status) =>
          collector.spans.some(({ attributes }) => attributes['http.response.status_code'] === status),
        ),
      );
      const { exit } = { exit: await stopped(gateway) };
      // Proves that `loaded` finds OpenTelemetry, so that another test can expect it to be empty.
      expect(exit.loaded.length).toBeGreaterThan(10);
      expect(JSON.stringify(collector.spans)).not.toMatch(/canary|SELECT|Bearer/);
      const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
      expect([...names].filter((name) => !ALLOWED.has(name))).toEqual([]);
      expect(collector.faults).toEqual([]);
    });
  });
});

const ALLOWED: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'url.scheme',
  'network.protocol.version',
  'error.type',
  'db.system.name',
  'mcp.method.name',
  'gateway.request.id',
  'gateway.session.id',
  'gateway.connection',
  'gateway.verdict',
]);
