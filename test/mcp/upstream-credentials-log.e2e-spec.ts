import { spellings } from '../support/canary';
import { captureLog } from '../support/log';
import { startMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { CLIENT, startTokenEndpoint } from '../support/mcp/token-endpoint';

// promises: UPSTREAM-3
it('tokens of the gateway and of the caller are in no log, at any level', async () => {
  const log = captureLog();
  const closing: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => (closing.push(one), one);
  try {
    const path = keep(await startMcpPath({ LOG_LEVEL: 'trace' }));
    const tokens = keep(await startTokenEndpoint(() => path.gateway.api));
    const server = keep(await startMcpServer('modern', tokens));
    const name = await path.connection(server.url, {
      secret: {
        MCP_AUTH: 'exchange',
        MCP_TOKEN_URL: tokens.url,
        MCP_CLIENT_ID: CLIENT.id,
        MCP_CLIENT_SECRET: CLIENT.secret,
      },
    });
    await new RawClient(path, name).call('echo', { text: 'x' });
    const body = JSON.stringify({ error: 'invalid_grant', error_description: tokens.issued[0] });
    tokens.instead = { status: 400, body };
    await new RawClient(path, name, 'bob').call('echo', { text: 'x' });
    tokens.instead = {
      status: 200,
      body: JSON.stringify({ access_token: tokens.issued[0], token_type: 'mac' }),
    };
    await new RawClient(path, name, 'admin').call('echo', { text: 'x' });
    const written = log.text();
    expect(written).toContain('could not be obtained');
    for (const canary of [...tokens.issued, CLIENT.secret, await path.gateway.token('alice')])
      for (const spelling of spellings(canary)) expect(written).not.toContain(spelling);
  } finally {
    for (const one of closing.toReversed()) await one.close();
    log.restore();
  }
});
