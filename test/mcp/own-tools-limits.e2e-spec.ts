import { startDataPath } from '../support/data-path';
import { eventually } from '../support/eventually';
import { OwnToolsPath } from '../support/mcp/own-tools';
import { scoped } from '../support/scoped';

describe(
  'our own tools, one message of a user at a time',
  scoped((begin) => {
    const path = begin(() => startDataPath({ MCP_CLIENTS_PER_USER: '1' }));
    const own = begin(() => new OwnToolsPath(path));

    // promises: OWN-11
    it('refuse a second message, and abort a call that its client cancels', async () => {
      const admin = await own.as('admin');
      const cancel = new AbortController();
      const script = 'SELECT pg_sleep(60), 4711';
      const call = admin.client.call(
        'run_script',
        { connection: 'orders', script },
        { signal: cancel.signal },
      );
      const refused = call.catch((error: unknown) => error);
      await path.untilRunning(/4711/);
      expect((await own.raw('admin').modern('tools/list')).status).toBe(429);
      cancel.abort();
      expect(await refused).toBeInstanceOf(Error);
      await eventually(
        'the call releases its place',
        async () => (await own.raw('admin').modern('tools/list')).status === 200,
      );
      // The script continues, as when a caller of the API disconnects.
      const { id, status } = await path.sessionOf(script);
      expect(status).toBe('open');
      await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`);
    });

    // promises: OWN-11
    it('end their streams when the gateway stops', async () => {
      const streaming = own
        .raw('alice')
        .modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
      await eventually(
        'the stream is open',
        async () => (await own.raw('alice').modern('tools/list')).status === 429,
      );
      await path.gateway.app.close();
      const { messages } = await streaming;
      expect(messages).toMatchObject([
        { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
        { id: 1, result: { resultType: 'complete' } },
      ]);
    });
  }),
);
