import { Browser } from '../support/browser-sign-in';
import { spellings } from '../support/canary';
import { captureLog } from '../support/log';
import { startAccountServer } from '../support/mcp/account-server';
import { addressFor, connectAccount, startGuardedServer, wayBack } from '../support/mcp/connecting';
import { startMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';

// promises: UPSTREAM-16
it('codes, states, verifiers and tokens of sign-ins are in no log at any level', async () => {
  const log = captureLog();
  const closing: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => (closing.push(one), one);
  try {
    const path = keep(await startMcpPath({ LOG_LEVEL: 'trace' }));
    const accounts = keep(await startAccountServer());
    const server = keep(await startGuardedServer('modern', accounts));
    const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
    const address = await addressFor(path.gateway, name, 'alice');
    const browser = new Browser();
    const back = await wayBack(browser, address, 'alice', accounts);
    const state = back.searchParams.get('state') ?? '';
    back.searchParams.set('code', 'canary-code-of-nobody');
    expect((await browser.request(back)).status).toBe(422);
    await connectAccount(address, 'alice', accounts);
    await new RawClient(path, name).call('echo', { text: 'x' });
    jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 600_000);
    accounts.refuses = 'invalid_grant';
    await new RawClient(path, name).call('echo', { text: 'x' });
    const written = log.text();
    expect(written).toContain('A sign-in at an MCP server failed');
    expect(written).toContain('could not be renewed');
    expect(accounts.secrets.length).toBeGreaterThan(3);
    for (const canary of [...accounts.secrets, 'canary-code', 'canary-description', state])
      for (const spelling of spellings(canary)) expect(written).not.toContain(spelling);
  } finally {
    jest.restoreAllMocks();
    for (const one of closing.toReversed()) await one.close();
    log.restore();
  }
});
