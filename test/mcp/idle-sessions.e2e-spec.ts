import { join } from 'node:path';
import { describeProcesses } from '../support/describe';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { passwordToken } from '../support/gateway';
import { GatewayProcess } from '../support/gateway-process';
import { forAll } from '../support/for-all';
import { figure } from '../support/mcp/figures';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { ROOT } from '../support/root';
import { pattern } from '../support/rule-entries';
import { IS_LONG, volume } from '../support/volume';

const SESSIONS = volume(50, 1_000);
const BYTES = 10 * 1024 * 1024;
const WITHIN_MS = 240_000;

jest.setTimeout(900_000);

describeProcesses('a gateway with many MCP clients', ({ begin, database, folder, production }) => {
  const server = begin(() => startMcpServer('modern'));
  const inspection = begin(
    async () => ({ port: await freePort() }),
    () => undefined,
  );
  const gateway = begin(
    async () => {
      const started = await GatewayProcess.spawn(
        {
          ...production.variables,
          DATA_DIR: join(folder.path, 'data'),
          LOG_LEVEL: 'error',
          MCP_ALLOWED_HOSTS: '127.0.0.1',
          MCP_CLIENTS_PER_USER: '10000',
          MCP_CLIENTS_PER_CONNECTION: '10000',
          INSPECT_PORT: String(inspection.port),
        },
        [process.execPath, '--expose-gc', '--require', join(ROOT, 'test/support/mcp/inspected.cjs'), '.'],
      );
      await eventually(
        'it is ready',
        async () => (await started.get('/readyz').catch(() => undefined))?.ok,
        WITHIN_MS,
      );
      return started;
    },
    (it) => it.stop(),
  );
  const inspect = async (what: 'heap' | 'later' | 'held', by = 0): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${inspection.port}/${what}?by=${by}`);
    return (await answer.json()) as number;
  };
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await gateway.post(path, await production.token(), body);
    if (answer.status !== 201) throw new Error(await answer.text());
    return (await answer.json()) as { id: string };
  };
  const connection = (name: string) =>
    post('/connections', {
      name,
      type: 'application',
      subtype: 'mcpproxy',
      access_groups: ['*'],
      secret: { REMOTE_URL: server.url },
    });
  const clientAt = async (name: string): Promise<RawClient> => {
    const token = await passwordToken(production.provider.issuer, 'alice');
    const path = {
      endpoint: (one: string) => `${gateway.api}/mcp/${one}`,
      gateway: { token: async () => token },
    };
    return new RawClient(path, name);
  };

  it(`has the memory of before, once ${SESSIONS} idle legacy sessions are over`, async () => {
    await connection('idle');
    const client = await clientAt('idle');
    const openSessions = async (): Promise<number> =>
      (await database.query(`SELECT FROM sessions WHERE status <> 'done'`)).length;
    const opened = (count: number): Promise<void> =>
      forAll(Array.from({ length: count }).keys(), 8, async () => {
        const session = await client.begin();
        const call = { name: 'progress', arguments: { steps: 2 }, _meta: { progressToken: 1 } };
        const { messages } = await client.send(
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
          session,
        );
        expect(messages).toHaveLength(3);
      });
    const expired = async (): Promise<number> => {
      await inspect('later', 31);
      await eventually('all sessions are over', async () => (await openSessions()) === 0, WITHIN_MS);
      return inspect('heap');
    };
    // Opens sessions before the measurement, because memory that is loaded once and kept is no leak.
    await opened(SESSIONS);
    const before = await expired();
    await opened(SESSIONS);
    expect(await openSessions()).toBe(SESSIONS);
    const open = await inspect('heap');
    const after = await expired();
    const perSession = (bytes: number): number => Math.max(0, Math.round(bytes / SESSIONS));
    const counts = {
      sessions: SESSIONS,
      open_bytes_a_session: perSession(open - before),
      kept_bytes_a_session: perSession(after - before),
    };
    figure('idle sessions', counts);
    // Open sessions must use memory. This proves that the measurement detects the memory of sessions.
    expect(counts.open_bytes_a_session).toBeGreaterThan(4_096);
    expect(counts.kept_bytes_a_session).toBeLessThan(IS_LONG ? 1_024 : counts.open_bytes_a_session / 4);
  });

  it('passes results of 10 MB on, also under rules', async () => {
    const held: Record<string, number> = {};
    for (const name of ['large', 'large-and-screened']) {
      const { id } = await connection(name);
      if (name !== 'large')
        await post('/guardrails', {
          name,
          connection_ids: [id],
          output: { rules: [pattern('AKIA[A-Z0-9]{16}', { action: 'mask' })] },
        });
      const client = await clientAt(name);
      await client.call('large', { bytes: 16 });
      await inspect('held');
      const { message } = await client.call('large', { bytes: BYTES });
      held[name] = await inspect('held');
      if (message.result === undefined)
        throw new Error(
          name + JSON.stringify(message) + gateway.stdout.slice(-3000) + gateway.stderr.slice(-500),
        );
      expect(message.result.content[0].text).toHaveLength(BYTES);
    }
    figure('10 MB results', {
      bytes: BYTES,
      ms_event_loop_held: held['large'] ?? NaN,
      ms_event_loop_held_under_rules: held['large-and-screened'] ?? NaN,
    });
  });
});
