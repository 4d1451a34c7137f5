import { DataSource } from 'typeorm';
import type { Client } from 'pg';
import { sealing } from '../../src/sessions/ledger/sealed-columns';
import { sessionHead } from '../../src/sessions/list/session-head';
import { SessionRow } from '../../src/sessions/recording/session.entity';
import { describeReviewPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { purge } from '../support/retention';
import { superuser } from '../support/stored-recording';

/** The content of a session is sealed: every edit in the database, even by a superuser, is reported. */
describeReviewPath('a session that is over', { people: { dora: ['dba'] } }, ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  let db: Client;
  /**
   * Id of a session with all optional content: metadata, labels, batch, correlation id and a blocked word.
   */
  let id: string;

  beforeAll(async () => {
    db = await superuser(path.gateway.database);
    // Drops the constraints, as an attacker who can edit rows also can.
    const checks = await db.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE conrelid = 'sessions'::regclass AND contype = 'c'`,
    );
    for (const { name } of checks.rows) await db.query(`ALTER TABLE sessions DROP CONSTRAINT ${name}`);
    const rules = [{ type: 'deny_words_list', words: ['forbidden'], message: 'Not here.' }];
    await path.by('admin', 'POST', '/guardrails', {
      name: 'words',
      connection_ids: [path.connectionId],
      input: { rules },
    });
    const more = { metadata: { case: 1 }, labels: { a: 'b' }, session_batch_id: 'b', correlation_id: 'c' };
    id = (await path.run(`SELECT 'forbidden'`, more, 'alice')).body.session_id;
    expect(await statusOf(id)).toBe('valid');
  });

  afterAll(async () => {
    await db.end();
  });

  const verify = async (session: string, who = 'admin', on = path.gateway) =>
    (await path.by(who, 'GET', `/sessions/${session}/verify`, undefined, on)).body;
  const statusOf = async (session: string) => (await verify(session)).status;
  const ledger = async (query = '', on = path.gateway) =>
    (await path.by('auditor', 'GET', `/sessions/verify${query}`, undefined, on)).body;
  const kindsOf = async (session: string) => kindsIn((await verify(session)).entries);
  /**
   * Kinds of the ledger entries, without `opened`, because only long sessions have it, as on slow machines.
   */
  const kindsIn = (entries: { kind: string }[]) =>
    entries.map(({ kind }) => kind).filter((kind) => kind !== 'opened');
  const runOne = async () => (await path.run('SELECT 1', {}, 'alice')).body.session_id as string;

  /** Runs the SQL and then `look`, and restores the rows. Returns the result of `look`. */
  const after = async <T>(sql: string, look: () => Promise<T>): Promise<T> => {
    const tables = ['sessions', 'session_ledger', 'review_groups', 'reviews'];
    for (const table of tables) await db.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
    try {
      await db.query(sql);
      return await look();
    } finally {
      for (const table of tables) {
        const columns = `(SELECT string_agg(quote_ident(attname), ', ') AS list FROM pg_attribute
          WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '')`;
        const { list } = (await db.query<{ list: string }>(`SELECT list FROM ${columns} AS c`)).rows[0]!;
        await db.query(`DELETE FROM ${table};
          INSERT INTO ${table} (${list}) SELECT ${list} FROM kept_${table}; DROP TABLE kept_${table}`);
      }
    }
  };

  const edits: Record<string, (column: string) => string> = {
    uuid: () => 'gen_random_uuid()',
    text: (column) => `coalesce(${column}, '') || 'x'`,
    integer: (column) => `coalesce(${column}, 0) + 1`,
    bigint: (column) => `coalesce(${column}, 0) + 1`,
    timestamptz: (column) => `coalesce(${column}, now()) + interval '1 microsecond'`,
    bytea: (column) => `set_byte(${column}, 0, get_byte(${column}, 0) # 1)`,
    jsonb: (column) => `CASE WHEN jsonb_typeof(${column}) = 'array' THEN ${column} || '[{"rule_name": "x"}]'
      ELSE coalesce(${column}, '{}') || '{"title": "edited"}' END`,
  };
  const columns = () =>
    path.gateway.app
      .get(DataSource)
      .getMetadata(SessionRow)
      .columns.map(({ propertyName, databaseName, type }) => ({
        property: propertyName as keyof SessionRow,
        column: databaseName,
        edit: edits[String(type)]?.(databaseName) ?? `no edit for ${String(type)}`,
      }));

  // promises: VERIFY-3
  it('reports each edited column', async () => {
    for (const { property, column, edit } of columns()) {
      if (sealing[property] === 'internal' || ['id', 'orgId'].includes(property)) continue;
      const found = await after(`UPDATE sessions SET ${column} = ${edit} WHERE id = '${id}'`, () =>
        verify(id),
      );
      expect([column, found.status]).toEqual([column, 'broken']);
    }
    // With another id, the row counts as another session, and the row of the sealed session is missing.
    for (const column of ['id', 'org_id']) {
      const sql = `UPDATE sessions SET ${column} = gen_random_uuid() WHERE id = '${id}'`;
      const { status, faults } = await after(sql, () => ledger());
      expect(status).toBe('broken');
      expect(faults).toContainEqual(expect.objectContaining({ session_id: id, reason: 'its row is gone' }));
    }
    expect(await statusOf(id)).toBe('valid');
  });

  it('has a decision for each column, and shows only sealed ones', async () => {
    expect(
      columns()
        .map(({ property }) => property)
        .sort(),
    ).toEqual(Object.keys(sealing).sort());
    const session = await path.gateway.app.get(DataSource).getRepository(SessionRow).findOneByOrFail({ id });
    const shown = (values: SessionRow) =>
      JSON.stringify(sessionHead(values, null, { script: true, details: true }));
    for (const { property } of columns().filter((it) => sealing[it.property] === 'internal'))
      expect([property, shown({ ...session, [property]: 'other' })]).toEqual([property, shown(session)]);
  });

  it('seals changes by the API with entries of their own, without sealing edits', async () => {
    const session = await runOne();
    expect(await kindsOf(session)).toEqual(['closed']);
    await path.by('admin', 'PATCH', `/sessions/${session}/metadata`, { metadata: { case: 7 } }, other);
    await path.by('admin', 'PUT', `/sessions/${session}/hold`, { held: true, reason: 'case 7' });
    expect(await verify(session)).toMatchObject({ status: 'valid', faults: [] });
    expect(await kindsOf(session)).toEqual(['closed', 'metadata', 'hold']);
    // The owner of a session does not see holds.
    const { entries } = await verify(session, 'alice');
    expect(kindsIn(entries)).toEqual(['closed', 'metadata']);
    for (const edit of ['hold_reason = NULL', 'held_by = NULL', 'held_at = NULL', `metadata = '{}'`])
      expect([
        edit,
        await after(`UPDATE sessions SET ${edit} WHERE id = '${session}'`, () => statusOf(session)),
      ]).toEqual([edit, 'broken']);
    await path.by('admin', 'PUT', `/sessions/${session}/hold`, { held: false });
    const edited = async () => {
      await path.by('admin', 'PATCH', `/sessions/${session}/metadata`, { metadata: { case: 8 } });
      return verify(session);
    };
    expect(
      await after(`UPDATE sessions SET user_email = 'eve@example.com' WHERE id = '${session}'`, edited),
    ).toMatchObject({
      status: 'broken',
      // Other faults are allowed: on a slow machine, the edit also contradicts the session's `opened` entry.
      faults: expect.arrayContaining([{ seq: null, reason: 'user_email is not what was sealed' }]),
    });
  });

  it('reports edits while it was running', async () => {
    const running = path.run('SELECT pg_sleep(60)', {}, 'alice');
    await path.untilRunning(/pg_sleep/);
    const { id: session } = await path.sessionOf('SELECT pg_sleep(60)');
    await eventually('it is in the ledger', async () => (await verify(session)).entries.length > 0);
    expect(await statusOf(session)).toBe('unfinished');
    await db.query(`UPDATE sessions SET user_email = 'eve@example.com' WHERE id = $1`, [session]);
    expect(await statusOf(session)).toBe('broken');
    await path.by('admin', 'POST', `/sessions/${session}/kill`);
    await running;
    expect(await verify(session)).toMatchObject({
      status: 'broken',
      faults: [{ seq: null, reason: 'user_email is not what it was at the start' }],
    });
    await db.query(`UPDATE sessions SET user_email = 'alice@example.com' WHERE id = $1`, [session]);
    await db.query(`DELETE FROM session_ledger WHERE session_id = $1 AND kind = 'closed'`, [session]);
  });

  // promises: VERIFY-3
  it('shows its approver, and reports an edited approval', async () => {
    const connection = await path.reviewed();
    const asked = await path.ask(connection);
    await path.say('dora', asked.id, { status: 'APPROVED' });
    await path.by('alice', 'POST', `/sessions/${asked.sessionId}/exec`);
    expect(await statusOf(asked.sessionId)).toBe('valid');
    for (const sql of [
      `UPDATE review_groups SET reviewed_by = reviewed_by || '{"email": "eve@example.com"}' WHERE review_id = '${asked.id}'`,
      `UPDATE review_groups SET group_name = 'admin' WHERE review_id = '${asked.id}'`,
      `UPDATE reviews SET min_approvals = 0 WHERE id = '${asked.id}'`,
      `DELETE FROM review_groups WHERE review_id = '${asked.id}'; DELETE FROM reviews WHERE id = '${asked.id}'`,
    ])
      expect([sql, await after(sql, () => statusOf(asked.sessionId))]).toEqual([sql, 'broken']);
  });

  // promises: VERIFY-1
  it('is removed by retention with an entry, which is on the audit log; by hand it is not', async () => {
    const connection = await path.connect('short', { retention_days: 1 });
    const session = (await path.run('SELECT 1', { connection: 'short' }, 'alice')).body.session_id;
    const byHand = `UPDATE sessions SET recording_purged_at = now(), script = NULL, content_salt = NULL WHERE id = '${session}'`;
    expect(await after(byHand, () => statusOf(session))).toBe('broken');
    // Seals the session again, with an end three days ago, so that its retention is over.
    await db.query(`DELETE FROM session_ledger WHERE session_id = $1`, [session]);
    await db.query(
      `UPDATE sessions SET start_date = start_date - interval '3 days', end_date = end_date - interval '3 days'
      WHERE connection_id = $1`,
      [connection],
    );
    await db.query(
      'INSERT INTO session_ledger_queue (org_id, session_id) SELECT org_id, id FROM sessions WHERE id = $1',
      [session],
    );
    await purge(path.gateway);
    expect(await verify(session)).toMatchObject({ status: 'purged', sealed: true, faults: [] });
    expect(await kindsOf(session)).toEqual(['closed', 'removed']);
    const { number } = (await verify(session)).entries.at(-1);
    const { data } = (await path.by('admin', 'GET', '/audit/logs?resource_type=sessions%2Fledger')).body;
    expect(Number(data[0].resource_id)).toBeGreaterThanOrEqual(number);
    const back = `UPDATE sessions SET guardrails_info = '[{"matched_words": ["x"]}]' WHERE id = '${session}'`;
    expect(await after(back, () => statusOf(session))).toBe('broken');
  });
});
