import { describeDataPath } from '../support/describe';
import { makeMcpConnection, registerClient, tokensFor } from '../support/mcp-sign-in';
import { Visitor } from '../support/visitor';

describeDataPath('a token of an MCP client', ({ path }) => {
  // promises: OAUTH-7
  it('is no password of PostgreSQL, on no connection', async () => {
    await makeMcpConnection(path.gateway, 'linear');
    const tokens = await tokensFor(path.gateway, await registerClient(path.gateway), 'linear');
    const visit = (password: string, connection: string) =>
      Visitor.refused(path, { user: 'alice', password, connection });
    expect(await visit(await path.gateway.token('alice'), 'orders')).toBe('it was let in');
    for (const connection of ['orders', 'linear'])
      for (const password of [tokens.access, tokens.refresh])
        expect(await visit(password, connection)).toMatch(/^FATAL 28P01: /);
  });
});
