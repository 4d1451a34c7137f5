import { randomUUID } from 'node:crypto';
import { describeHostileProvider } from '../support/describe';
import { whoIs } from '../support/callers';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const groupIds = (count: number) => Array.from({ length: count }, () => randomUUID());

describeHostileProvider('access tokens with many groups', ({ provider, gateway }) => {
  // promises: TOKEN-8
  it.each([100, 400, 1_000])('are good with %i of them, over REST and MCP', async (count) => {
    const groups = groupIds(count);
    const token = provider.token({ sub: `member of ${count}`, email: 'ada@example.com', groups });
    const answer = await whoIs(gateway, token);
    expect([answer.status, answer.body.groups]).toEqual([200, groups.toSorted()]);
    const own = await fetch(`${gateway.api}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(initialize),
    });
    expect([own.status, await own.text()]).toEqual([200, expect.stringContaining('"protocolVersion"')]);
  });

  // promises: TOKEN-8
  it('are good up to 64 KiB, and refused beyond that', async () => {
    const filled = (size: number) => {
      const claims = { sub: 'filled', email: 'ada@example.com' };
      const rest = size - provider.token({ ...claims, filler: '' }).length;
      return provider.token({ ...claims, filler: 'x'.repeat(Math.floor((rest * 3) / 4)) });
    };
    const largest = filled(65_536);
    expect(largest.length).toBeGreaterThan(65_500);
    expect((await whoIs(gateway, largest)).status).toBe(200);
    const larger = await whoIs(gateway, filled(90_000));
    expect([larger.status, larger.body]).toEqual([
      431,
      { message: expect.stringMatching(/larger than 80 KiB$/) },
    ]);
  });
});
