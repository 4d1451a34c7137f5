import { Client } from 'pg';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { heldElsewhere } from '../support/feed';
import type { Person } from '../support/gateway';

/** Events that happen between the request to end a session and the end of the session. */
describeDataPath('a session that is to end', ({ path }) => {
  beforeAll(async () => {
    await path.gateway.call('admin', 'POST', '/access-requests/rules', {
      name: 'orders',
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      connection_names: ['orders'],
    });
  });

  const waiting = async () => (await path.run('SELECT 1', {}, 'alice')).body.session_id as string;
  const kill = (id: string, person: Person) => path.gateway.call(person, 'POST', `/sessions/${id}/kill`);
  const sql = <T extends object>(text: string, values: unknown[]) =>
    path.gateway.database.query<T>(text, values);
  const reasonOf = async (id: string) =>
    (await sql<{ stop_reason: string | null }>('SELECT stop_reason FROM sessions WHERE id = $1', [id]))[0]
      ?.stop_reason;

  it('is distinguished from a finished session, and names the first caller', async () => {
    const id = await waiting();
    await heldElsewhere(path.gateway, id, async () => {
      const first = kill(id, 'alice');
      const reason = await eventually('she asked', async () => (await reasonOf(id)) ?? undefined);
      const second = kill(id, 'admin');
      for (const answer of [await first, await second])
        expect([answer.status, answer.text]).toEqual([202, '']);
      expect([reason, await reasonOf(id)]).toEqual(
        Array.from({ length: 2 }, () => 'The session was ended by alice@example.com.'),
      );
      expect((await path.read(id)).body).toMatchObject({ status: 'open', end_date: null });
    });
    const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=sessions');
    const lines = body.data.filter((line: { action: string; actor: { id: string }; changes: object[] }) =>
      ['alice', 'admin'].includes(line.actor.id),
    );
    const changesOf = (person: Person) =>
      lines.find(
        (line: { actor: { id: string }; status: number }) => line.actor.id === person && line.status === 204,
      )?.changes;
    expect(changesOf('alice')).toMatchObject([{ field: 'stop_reason', before: null }]);
    expect(changesOf('admin')).toEqual([]);
  });

  it('is ended by the gateway that took it meanwhile, and by no other', async () => {
    const id = await waiting();
    await heldElsewhere(path.gateway, id, async () => {
      const [row] = await sql<{ gateway_id: string }>('SELECT gateway_id FROM sessions WHERE id = $1', [id]);
      const [ender, taker] = [1, 2].map(
        () => new Client({ connectionString: path.gateway.database.url }),
      ) as [Client, Client];
      await Promise.all([ender.connect(), taker.connect()]);
      const isWaited = async () => {
        const rows = await sql(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%sessions%'`,
          [],
        );
        return rows.length > 0;
      };
      // `taker` must wait for the row lock before `ender` commits, because after the commit the gateway
      // also waits for this lock, to end the session.
      await ender.query('BEGIN');
      await ender.query(`UPDATE sessions SET gateway_id = NULL, stop_reason = 'Because.' WHERE id = $1`, [
        id,
      ]);
      await taker.query('BEGIN');
      const locked = taker.query('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [id]);
      await eventually('the taker waits', isWaited);
      await ender.query('COMMIT');
      await ender.end();
      await locked;
      const taken = await taker.query(
        `UPDATE sessions SET gateway_id = $2 WHERE id = $1 AND status = 'open' AND gateway_id IS NULL`,
        [id, row?.gateway_id],
      );
      expect(taken.rowCount).toBe(1);
      await eventually('the keeper wants to end it', isWaited);
      await taker.query('COMMIT');
      await taker.end();
      await eventually('it is let go of', async () => !(await isWaited()));
      expect((await path.read(id)).body).toMatchObject({ status: 'open', review: { status: 'PENDING' } });
    });
  });
});
