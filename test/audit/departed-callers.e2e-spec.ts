import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, request as httpRequest } from 'node:http';
import { Client } from 'pg';
import type { AuditLine } from '../support/audit';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { closedLatch } from '../support/latch';

/** Callers that close their connection while the gateway works on their request. */
describeDataPath('the audit log, for callers that do not wait', ({ path }) => {
  /** Sends a write request, waits until it is under way, and closes its connection. */
  const leave = async (
    id: string,
    to: string,
    body: object,
    untilUnderWay: () => Promise<unknown>,
  ): Promise<void> => {
    const { gateway } = path;
    const sent = httpRequest(`${gateway.api}${to}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': id,
        authorization: `Bearer ${await gateway.token('admin')}`,
      },
    });
    sent.on('error', () => undefined);
    const closed = untilClosed(gateway.app.getHttpServer(), id);
    sent.end(JSON.stringify(body));
    await untilUnderWay();
    sent.destroy();
    await closed;
  };
  const linesOf = async (id: string): Promise<AuditLine[]> =>
    (await path.gateway.call('admin', 'GET', `/audit/logs?request_id=${id}`)).body.data;
  const firstLineOf = (id: string): Promise<AuditLine[]> =>
    eventually(`the line of ${id}`, async () => {
      const lines = await linesOf(id);
      return lines.length > 0 && lines;
    });

  // promises: AUDIT-1
  it.each([
    ['short', `'done'`],
    ['large', `repeat('x', 900000)`],
  ])('has one line for a script that runs to its end, with a %s answer', async (size, output) => {
    const latch = await closedLatch(path.target);
    const script = `SELECT ${latch.wait}, ${output} AS ${size}`;
    await leave(`left-${size}`, '/sessions', { connection: 'orders', script }, () =>
      path.untilRunning(new RegExp(`AS ${size}`)),
    );
    expect(await linesOf(`left-${size}`)).toEqual([]);
    await latch.open();
    const lines = await firstLineOf(`left-${size}`);
    expect(lines).toMatchObject([
      {
        actor: { id: 'admin' },
        action: 'execute',
        resource_type: 'sessions',
        outcome: 'success',
        status: 200,
      },
    ]);
    const session = await path.sessionOf(script);
    expect(session).toMatchObject({ id: lines[0]?.resource_id, status: 'done', exit_code: 0 });
  });

  // promises: AUDIT-1
  it.each([
    ['made', 'new', 'success', 201],
    ['refused', 'taken', 'failed', 409],
  ])('has one line for a change that is %s', async (_, name, outcome, status) => {
    const { gateway } = path;
    await gateway.call('admin', 'POST', '/attributes', { name: 'taken' });
    const id = `left-${name}`;
    const holder = new Client({ connectionString: gateway.database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE attributes');
    await leave(id, '/attributes', { name }, () =>
      eventually('the change waits', async () => {
        const rows = await gateway.database.query(`SELECT 1 FROM pg_locks
          WHERE relation = 'attributes'::regclass AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
        return rows.length > 0;
      }),
    );
    await holder.end();
    expect(await firstLineOf(id)).toMatchObject([{ action: 'create', outcome, status }]);
  });
});

/** Resolves when the gateway has noticed that the connection of this request is closed. */
async function untilClosed(server: Server, id: string): Promise<void> {
  for (;;) {
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    if (request.headers['x-request-id'] === id) return void (await once(response, 'close'));
  }
}
