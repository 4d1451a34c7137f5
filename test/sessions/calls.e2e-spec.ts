import { randomUUID } from 'node:crypto';
import { CallLog, type LoggedCall } from '../../src/gate/ports/call-log';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { purge } from '../support/retention';

/** Calls of an MCP client on an MCP server, as the API returns them. */
describeDataPath('the calls of a session', ({ path, gateway }) => {
  const begin = Date.parse('2026-01-01T00:00:00Z');
  const session = async (person: 'alice' | 'bob' = 'alice') => {
    const { body } = await path.run('SELECT 1', {}, person);
    const { body: head } = await gateway.call('admin', 'GET', `/sessions/${body.session_id}`);
    return { sessionId: body.session_id as string, orgId: head.org_id as string };
  };
  const call = (of: { sessionId: string; orgId: string }, more: Partial<LoggedCall> = {}): LoggedCall => ({
    ...of,
    at: new Date(begin),
    method: 'tools/call',
    name: 'search',
    verdict: 'forwarded',
    reviewId: null,
    durationMs: 12.4,
    resultBytes: 345,
    ...more,
  });
  const log = (at = gateway) => at.app.get(CallLog, { strict: false });
  const read = (id: string, query = '', person: 'alice' | 'bob' | 'auditor' | 'admin' = 'alice') =>
    gateway.call(person, 'GET', `/sessions/${id}/mcp-calls${query}`);

  // promises: CALL-1
  it('are paged, newest first, and whole as soon as they were made', async () => {
    const of = await session();
    const reviewId = randomUUID();
    for (let index = 0; index < 2_500; index += 1)
      log().note(call(of, { at: new Date(begin + index), name: `tool-${index}` }));
    log().note(
      call(of, {
        at: new Date(begin + 10_000),
        method: 'initialize',
        name: null,
        verdict: 'pending',
        reviewId,
      }),
    );
    const first = await read(of.sessionId, '?page_size=2');
    expect([first.status, first.body]).toEqual([
      200,
      {
        data: [
          {
            at: '2026-01-01T00:00:10.000Z',
            method: 'initialize',
            name: null,
            verdict: 'pending',
            review_id: reviewId,
            duration_ms: 12,
            result_bytes: 345,
          },
          expect.objectContaining({ name: 'tool-2499', verdict: 'forwarded', review_id: null }),
        ],
        pages: { page: 1, size: 2, total: 2_501 },
      },
    ]);
    const names = [];
    for (const page of [1, 2, 3]) {
      const { body } = await read(of.sessionId, `?page=${page}`);
      names.push(...(body.data as { name: string | null }[]).map(({ name }) => name));
    }
    expect(names).toEqual([null, ...Array.from({ length: 2_500 }, (_, index) => `tool-${2_499 - index}`)]);
    expect((await read((await session()).sessionId)).body.data).toEqual([]);
  });

  // promises: CALL-1
  it('may have any name, which is cut where it is long', async () => {
    const of = await session();
    const names = ['a\0b', 'half \ud83d', 'x'.repeat(10_240), '', '<script>', 'https://x/?a=\u202E'];
    for (const [index, name] of names.entries()) log().note(call(of, { name, at: new Date(begin - index) }));
    log().note(call(of, { durationMs: Number.NaN, resultBytes: -1, at: new Date(begin - 99) }));
    const { body } = await read(of.sessionId);
    expect((body.data as { name: string }[]).map(({ name }) => name)).toEqual([
      'a\uFFFDb',
      'half \uFFFD',
      `${'x'.repeat(1_024)}…`,
      '',
      '<script>',
      'https://x/?a=\u202E',
      'search',
    ]);
    expect(body.data.at(-1)).toMatchObject({ duration_ms: 0, result_bytes: 0 });
  });

  // promises: CALL-2
  it('are for those who may read the recording', async () => {
    const of = await session();
    log().note(call(of));
    const statuses = await Promise.all([
      read(of.sessionId),
      read(of.sessionId, '', 'auditor'),
      read(of.sessionId, '', 'bob'),
      read(randomUUID()),
      read('no-uuid'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404, 404, 400]);
  });

  // promises: CALL-3
  it('are stored by the gateway that made them within a second, and at its end', async () => {
    const of = await session();
    const other = await startGateway({ beside: gateway });
    log(other).note(call(of, { name: 'soon' }));
    await eventually('the call is there', async () => (await read(of.sessionId)).body.data.length === 1);
    log(other).note(call(of, { name: 'last', at: new Date(begin + 1) }));
    await other.close();
    const { body } = await read(of.sessionId);
    expect((body.data as { name: string }[]).map(({ name }) => name)).toEqual(['last', 'soon']);
  });

  // promises: CALL-3
  it('are stored once, also when they could not be stored at first', async () => {
    const of = await session();
    await gateway.database.query(
      `ALTER TABLE session_calls ADD CONSTRAINT refused CHECK (name <> 'kept') NOT VALID`,
    );
    log().note(call(of, { name: 'kept' }));
    expect((await read(of.sessionId)).body.data).toEqual([]);
    await gateway.database.query('ALTER TABLE session_calls DROP CONSTRAINT refused');
    log().note(call(of, { name: 'later', at: new Date(begin + 1) }));
    const { body } = await read(of.sessionId);
    expect((body.data as { name: string }[]).map(({ name }) => name)).toEqual(['later', 'kept']);
  });

  // promises: CALL-2
  it('go with the recording', async () => {
    await path.connect('short', { retention_days: 1 });
    const { body: run } = await path.run('SELECT 1', { connection: 'short' }, 'alice');
    const { body: head } = await gateway.call('admin', 'GET', `/sessions/${run.session_id}`);
    const [gone, kept] = [{ sessionId: run.session_id, orgId: head.org_id }, await session()];
    for (const it of [gone, kept]) log().note(call(it, { name: 'canary-9d1' }));
    expect((await read(gone.sessionId)).body.pages.total).toBe(1);
    await eventually('it is over', async () => (await path.read(gone.sessionId)).body.status === 'done');
    await gateway.database.query(`UPDATE sessions SET end_date = now() - interval '2 days' WHERE id = $1`, [
      gone.sessionId,
    ]);
    await purge(gateway);
    const removed = await read(gone.sessionId);
    expect([removed.status, removed.body.message]).toEqual([404, expect.stringContaining('removed')]);
    const rows = await gateway.database.query('SELECT session_id FROM session_calls WHERE name = $1', [
      'canary-9d1',
    ]);
    expect(rows).toEqual([{ session_id: kept.sessionId }]);
  });
});
