import { startAccountServer } from '../../support/mcp/account-server';
import { addressFor, connectAccount, startGuardedServer } from '../../support/mcp/connecting';
import { startMcpPath } from '../../support/mcp/mcp-path';
import { RawClient } from '../../support/mcp/raw-client';
import { ConnectionScreen } from '../../support/portal/connection-screen';
import { accountOf, describeJourneys } from '../../support/portal/journeys';

/**
 * Starts an MCP server that needs an account of each person, and the authorization server with these
 * accounts.
 */
async function startAccounts() {
  const mcp = await startMcpPath();
  const accounts = await startAccountServer();
  const server = await startGuardedServer('modern', accounts);
  const close = async (): Promise<void> => {
    await server.close();
    await accounts.close();
    await mcp.close();
  };
  return { ...mcp, accounts, server, close };
}

describeJourneys('an account at an MCP server', startAccounts, ({ path, journey }) => {
  const call = async (name: string, text: string) => {
    const { message } = await new RawClient(path, name).call('echo', { text });
    return message.result?.content[0].text ?? message.error.message;
  };
  const connected = async (): Promise<string> => {
    const name = await path.connection(path.server.url, { secret: { MCP_AUTH: 'oauth' } });
    await connectAccount(await addressFor(path.gateway, name, 'alice'), 'alice', path.accounts, 'alice');
    expect(await call(name, 'before')).toBe('before');
    return name;
  };
  /**
   * Lets an account's token expire while the authorization server refuses to renew it. No page may be open
   * meanwhile, because the changed clock would affect it, too.
   */
  const lost = async (): Promise<string> => {
    const name = await connected();
    const later = jest
      .spyOn(Date, 'now')
      .mockImplementation(
        () => performance.timeOrigin + performance.now() + path.accounts.lifeSeconds * 1_000,
      );
    path.accounts.refuses = 'invalid_grant';
    try {
      expect(await call(name, 'lost')).toMatch(/connect your account/i);
    } finally {
      path.accounts.refuses = undefined;
      later.mockRestore();
    }
    return name;
  };

  journey('that was lost is connected again, in a window of the server', async ({ open, at }) => {
    const name = await lost();
    const alice = await open('alice', `/connections/${name}`);
    const screen = new ConnectionScreen(alice);
    await alice.sees('This server needs your account');

    path.accounts.account = 'alice-again';
    const opened = alice.page.waitForEvent('popup');
    await alice.press(screen.button('Connect my account'));
    const popup = at(await opened);
    // The address alone is not enough: the person must sign in.
    await popup.press(accountOf(popup.page, 'alice'));
    await popup.sees(`Connect your account to ${name}?`);
    await popup.press(popup.page.getByRole('button', { name: 'Connect', exact: true }));
    await popup.sees(`Connected to ${name}`);
    await popup.page.close();

    await alice.sees('An account at this server is connected.');
    expect(await call(name, 'after')).toBe('after');
    const { authorization } =
      path.server.heard.findLast(({ body }) => body?.method === 'tools/call')?.headers ?? {};
    expect(await path.accounts.subjectOf(authorization, path.server.url)).toBe('alice-again');
  });

  journey('is needed still when the person cancels', async ({ open, at }) => {
    const name = await lost();
    const alice = await open('alice', `/connections/${name}`);
    const opened = alice.page.waitForEvent('popup');
    await alice.press(new ConnectionScreen(alice).button('Connect my account'));
    const popup = at(await opened);
    await popup.press(accountOf(popup.page, 'alice'));
    await popup.press(popup.page.getByRole('button', { name: 'Cancel', exact: true }));
    await popup.sees('Nothing was connected');
    await popup.page.close();
    await alice.sees('This server needs your account');
    const { body } = await path.gateway.call('alice', 'GET', `/connections/${name}`);
    expect(body.mcp_auth.status).toBe('needs_reauth');
  });

  journey('is forgotten when the person says so', async ({ open }) => {
    const name = await connected();
    const alice = await open('alice', `/connections/${name}`);
    const screen = new ConnectionScreen(alice);
    await alice.press(screen.button('Forget the account'));
    await alice.press(alice.page.getByRole('dialog').getByRole('button', { name: 'Forget the account' }));
    await alice.page.getByText('An account at this server is connected.').waitFor({ state: 'detached' });
    expect(await call(name, 'forgotten')).toMatch(/connect your account/i);
    await alice.go(`/connections/${name}`);
    await alice.sees('This server needs your account');
  });
});
