import { Meter } from '../../src/platform/metrics/meter';
import { describeGuardedPath, describeScoped } from '../support/describe';
import { eventually } from '../support/eventually';
import type { TestGateway } from '../support/gateway';
import { blockWord, maskWord } from '../support/guarded-path';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import * as wire from '../support/wire-messages';

/** Enables metrics. A gateway in this process has no port for scrapes, so tests read its `Meter`. */
const ON = { METRICS_PORT: '1' };

function measured(gateway: TestGateway, name: string, labels: Record<string, string>): number {
  const family = gateway.app
    .get(Meter, { strict: false })
    .families()
    .find((one) => one.name === name);
  if (family === undefined) throw new Error(`${name} is not registered`);
  return family.samples
    .filter(({ metricName = name }) => !metricName.endsWith('_bucket') && !metricName.endsWith('_sum'))
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

describeGuardedPath('metrics of clients of PostgreSQL', { environment: ON }, ({ path, gateway }) => {
  it('count them while they are there, and what guardrails refused and masked', async () => {
    const { client } = await path.under({
      input: blockWord('forbidden', 'Not here.'),
      output: maskWord('hidden'),
    });
    const running = (): number => measured(gateway, 'gateway_sessions_running', { protocol: 'postgresql' });
    expect(running()).toBe(1);
    await client.ask(wire.query('SELECT 1'));
    await client.ask(wire.query("SELECT 'forbidden'"));
    await client.ask(wire.query("SELECT 'hid' || 'den'"));
    const hits = 'gateway_guardrail_hits_total';
    expect(measured(gateway, hits, { direction: 'input', effect: 'blocked' })).toBe(1);
    expect(measured(gateway, hits, { direction: 'output', effect: 'masked' })).toBe(1);
    client.close();
    await eventually('the client is gone', async () => running() === 0);
    expect(measured(gateway, 'gateway_sessions_ended_total', { protocol: 'postgresql' })).toBe(1);
  });
});

describeScoped('metrics of MCP clients', (begin) => {
  const path = beginMcpPath(begin, ON);
  const server = begin(() => startMcpServer('modern'));

  it('count their requests by method and verdict, and nothing else of them', async () => {
    const client = new RawClient(path, await path.connection(server.url));
    await client.call('echo', { text: '1' });
    await client.call('no such tool', {});
    await client.modern('tools/list');
    const requests = (labels: Record<string, string>): number =>
      measured(path.gateway, 'gateway_mcp_requests_total', labels);
    await eventually(
      'the call is counted',
      async () => requests({ method: 'tools/call', verdict: 'forwarded' }) === 1,
    );
    expect(requests({ method: 'tools/call', verdict: 'refused' })).toBe(1);
    expect(measured(path.gateway, 'gateway_mcp_request_duration_seconds', { method: 'tools/call' })).toBe(2);
    expect(measured(path.gateway, 'gateway_sessions_running', { protocol: 'mcp' })).toBe(1);
    for (const method of ['made/up', '__proto__', 'x'.repeat(500)])
      await client.modern(method).catch(() => undefined);
    const shown = path.gateway.app.get(Meter, { strict: false }).families();
    const labels = shown.flatMap(({ samples }) => samples.flatMap((sample) => Object.values(sample.labels)));
    expect(labels).toContain('tools/call');
    expect(labels.filter((value) => /made|__proto__|xxx/.test(value))).toEqual([]);
  });
});
