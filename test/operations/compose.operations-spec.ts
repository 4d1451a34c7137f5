import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';
import { connectClient } from '../support/mcp/clients';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { ROOT } from '../support/root';

/**
 * Tests the parts of the compose file that need no Docker: the set-up works, and the demo has a database and
 * an MCP server.
 */
describeProcesses('deploy/compose.yaml', ({ folder, production, begin }) => {
  const server = begin(() => startMcpServer('everything'));
  const gateway = begin(
    () =>
      GatewayProcess.start({
        ...production.variables,
        JOURNAL_DIR: folder.path,
        MCP_ALLOWED_HOSTS: '127.0.0.1',
      }),
    async (it) => {
      await it.stop();
    },
  );

  it('starts the MCP server that is tried here', async () => {
    const { services } = load(await readFile(join(ROOT, 'deploy/compose.yaml'), 'utf8')) as {
      services: { tools: { command: string[] } };
    };
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const name = '@modelcontextprotocol/server-everything';
    const server = `${name}@${devDependencies[name]}`;
    expect(services.tools.command).toEqual(['npx', '--yes', server, 'streamableHttp']);
  });

  it('makes a connection to the database and one to the MCP server, and makes them once', async () => {
    const setUp = (): Promise<{ stdout: string }> =>
      promisify(execFile)(process.execPath, [join(ROOT, 'deploy/compose/setup.mjs')], {
        env: {
          ISSUER: production.variables['IDP_ISSUER'],
          CLIENT_SECRET: production.variables['IDP_CLIENT_SECRET'],
          SCOPE: production.variables['IDP_SCOPES'],
          API: gateway.api,
          TOOLS_URL: server.url,
        },
      });
    for (const _ of [1, 2])
      expect((await setUp()).stdout).toMatch(/connection orders is there\nconnection tools is there\n/);
    const token = await production.token();
    const { data } = (await (await gateway.get('/connections', token)).json()) as {
      data: { name: string }[];
    };
    expect(data.map(({ name }) => name).sort()).toEqual(['orders', 'tools']);
    const client = await connectClient('legacy', `${gateway.api}/mcp/tools`, { token });
    const answer: unknown = await client.call('echo', { message: 'through the gateway' });
    expect(JSON.stringify(answer)).toContain('through the gateway');
    await client.close();
  });
});
