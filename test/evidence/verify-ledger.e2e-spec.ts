import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/pools/data-source-options';
import { migrate } from '../../src/platform/database/schema/migrate';
import { SessionLedger1766110000000 } from '../../src/platform/database/migrations/1766110000000-session-ledger';
import { LedgerAnchors } from '../../src/sessions/ledger/ledger-anchors';
import { describeDataPath } from '../support/describe';
import { startDataPath } from '../support/data-path';
import { eventually } from '../support/eventually';
import { type TestGateway, startGateway } from '../support/gateway';
import { closedLatch } from '../support/latch';
import { storeRecording, superuser } from '../support/stored-recording';
import { volume } from '../support/volume';

/** The ledger of sessions: missing, moved, edited and cut entries are detected. */
describeDataPath('GET /sessions/verify', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  let db: Client;

  beforeAll(async () => {
    db = await superuser(path.gateway.database);
  });

  afterAll(async () => {
    await db.end();
  });

  const verify = async (query = '', gateway = path.gateway) =>
    (await gateway.call('auditor', 'GET', `/sessions/verify${query}`)).body;
  const settled = () =>
    eventually('all sessions are in the ledger', async () => {
      const found = await verify();
      return found.waiting === 0 && found;
    });
  const run = (gateway: TestGateway) =>
    gateway.call('alice', 'POST', '/sessions', { connection: 'orders', script: 'SELECT 1' });
  /** Runs the SQL, verifies the ledger, and restores the rows. Returns the verification. */
  const after = async (sql: string, query = '', gateway = path.gateway) => {
    await db.query(`CREATE TABLE kept_sessions AS SELECT * FROM sessions;
      CREATE TABLE kept_ledger AS SELECT * FROM session_ledger; ${sql}`);
    const found = await verify(query, gateway);
    await db.query(`DELETE FROM sessions; INSERT INTO sessions SELECT * FROM kept_sessions;
      DELETE FROM session_ledger; INSERT INTO session_ledger SELECT * FROM kept_ledger;
      DROP TABLE kept_sessions, kept_ledger`);
    return found;
  };

  it('numbers the sessions of several gateways without gaps, while they are changed', async () => {
    const sessions = await Promise.all(
      Array.from({ length: volume(10, 24) }, async (_, index) => {
        const gateway = index % 2 === 0 ? path.gateway : other;
        const { session_id } = (await run(gateway)).body;
        const patch = gateway.call('alice', 'PATCH', `/sessions/${session_id}/metadata`, {
          metadata: { index },
        });
        const looked = gateway.call('alice', 'GET', `/sessions/${session_id}/verify`);
        expect([(await patch).status, (await looked).status]).toEqual([204, 200]);
        return session_id as string;
      }),
    );
    const found = await settled();
    expect(found).toMatchObject({ status: 'valid', from: 1, next: null, faults: [], unknown_keys: [] });
    expect(found.to).toBe(found.head);
    expect(found.head).toBeGreaterThanOrEqual(sessions.length);
    const numbers = await path.gateway.database.query<{ seq: string }>(
      'SELECT seq FROM session_ledger ORDER BY seq',
    );
    expect(numbers.map(({ seq }) => Number(seq))).toEqual(numbers.map((_, index) => index + 1));
    for (const id of sessions)
      expect((await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`)).body.status).toBe('valid');
  });

  it('keeps no session waiting while the ledger is locked', async () => {
    const lock = new Client({ connectionString: path.gateway.database.url });
    await lock.connect();
    await lock.query(
      `SELECT pg_advisory_lock(hashtext('session_ledger'), hashtext(id::text)) FROM organizations`,
    );
    const answers = await Promise.all(Array.from({ length: 4 }, () => run(path.gateway)));
    expect(answers.map(({ body }) => body.output_status)).toEqual(Array(4).fill('success'));
    expect((await verify()).waiting).toBeGreaterThanOrEqual(4);
    await lock.end();
    expect(await settled()).toMatchObject({ status: 'valid' });
  });

  it('finds no fault in a session that has ended and whose entry is still to be written', async () => {
    const { database } = path.gateway;
    const latch = await closedLatch(path.target);
    const running = path.run(`SELECT ${latch.wait}`, {}, 'alice');
    const [before] = await database.query<{ seq: string }>('SELECT max(seq) AS seq FROM session_ledger');
    const begun = `SELECT FROM session_ledger WHERE kind = 'opened' AND seq > $1`;
    await eventually(
      'the session has its first entry',
      async () => (await database.query(begun, [before?.seq ?? 0])).length > 0,
    );
    const lock = new Client({ connectionString: database.url });
    await lock.connect();
    await lock.query(
      `SELECT pg_advisory_lock(hashtext('session_ledger'), hashtext(id::text)) FROM organizations`,
    );
    await latch.open();
    expect((await running).body.output_status).toBe('success');
    const answer = await verify();
    await lock.end();
    expect(answer).toMatchObject({ status: 'valid', faults: [] });
    expect(answer.waiting).toBeGreaterThan(0);
  });

  it('finds no fault in a recording to which a late journal added, and whose entry is still to be written', async () => {
    const { database, variables } = path.gateway;
    const id = (await run(path.gateway)).body.session_id as string;
    await settled();
    const lock = new Client({ connectionString: database.url });
    await lock.connect();
    await lock.query(
      `SELECT pg_advisory_lock(hashtext('session_ledger'), hashtext(id::text)) FROM organizations`,
    );
    const chunks = ['first', 'second', 'third'].map((text) => [
      { time: 2, type: 'o' as const, content: Buffer.from(text), ends: true },
    ]);
    await storeRecording(db, id, chunks, Buffer.from(variables['SECRET_KEY'] ?? '', 'base64'));
    const answer = await verify();
    const forged = await after(
      `UPDATE sessions SET chunk_count = chunk_count + 1, event_size = event_size + 1 WHERE id = '${id}'`,
    );
    await lock.end();
    expect(answer).toMatchObject({ status: 'valid', faults: [], waiting: 1 });
    expect(forged).toMatchObject({
      status: 'broken',
      faults: expect.arrayContaining([
        expect.objectContaining({ session_id: id, reason: 'chunk_count is not what was sealed' }),
      ]),
    });
    expect(await settled()).toMatchObject({ status: 'valid', faults: [] });
    const { entries } = (await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`)).body;
    expect((entries as { kind: string }[]).at(-1)?.kind).toBe('grown');
  });

  it('verifies a part, and returns where to continue', async () => {
    const { head, head_hash } = await settled();
    expect(await verify(`?from=2&to=3`)).toMatchObject({ status: 'valid', from: 2, to: 3, next: null, head });
    expect(await verify(`?from=${head + 5}`)).toMatchObject({ status: 'valid', next: null, head, head_hash });
    for (const query of ['?from=0', '?from=x', '?to=-1'])
      expect((await path.gateway.call('auditor', 'GET', `/sessions/verify${query}`)).status).toBe(400);
    expect((await path.gateway.call('alice', 'GET', '/sessions/verify')).status).toBe(403);
  });

  // promises: VERIFY-4
  it('finds a gap, a swap, an edit, and a row that is gone', async () => {
    const { head } = await settled();
    const [row] = await path.gateway.database.query<{ session_id: string }>(
      'SELECT session_id FROM session_ledger WHERE seq = 4',
    );
    const hits: [string, string][] = [
      ['DELETE FROM session_ledger WHERE seq = 4', 'it is missing'],
      ['DELETE FROM session_ledger WHERE seq BETWEEN 4 AND 6', 'it is missing, and all up to 6'],
      ['DELETE FROM session_ledger WHERE seq < 3', 'it is missing, and all up to 2'],
      [
        `UPDATE session_ledger SET seq = -seq WHERE seq IN (4, 5); UPDATE session_ledger SET seq = 9 + seq WHERE seq < 0`,
        'it does not follow the entry before it',
      ],
      [
        `UPDATE session_ledger SET said = replace(said, 'alice', 'carol') WHERE seq = 4`,
        'entry 4 is not what was written',
      ],
      [
        `UPDATE session_ledger SET recorded_at = recorded_at - interval '1 day' WHERE seq = 4`,
        'entry 4 is not what was written',
      ],
      [
        `UPDATE session_ledger SET signature = set_byte(signature, 0, get_byte(signature, 0) # 1) WHERE seq = 4`,
        'entry 4 is not what was written',
      ],
      [`DELETE FROM sessions WHERE id = '${row?.session_id}'`, 'its row is gone'],
      [
        `UPDATE sessions SET exit_code = 1 WHERE id = '${row?.session_id}'`,
        'exit_code is not what was sealed',
      ],
      [
        `DELETE FROM session_ledger WHERE session_id = '${row?.session_id}'`,
        'the session has no entry in the ledger',
      ],
    ];
    for (const [sql, reason] of hits) {
      const { status, faults } = await after(sql);
      expect([sql, status]).toEqual([sql, 'broken']);
      expect(faults.map((fault: { reason: string }) => fault.reason)).toContain(reason);
    }
    expect(await verify()).toMatchObject({ status: 'valid', head });
  });

  // promises: VERIFY-4
  it('detects removed entries at the end, by a gateway’s memory and by the audit log', async () => {
    const { head } = await settled();
    const cut = `DELETE FROM sessions WHERE id IN (SELECT session_id FROM session_ledger WHERE seq > ${head - 3});
      DELETE FROM session_ledger WHERE seq > ${head - 3}`;
    const words = expect.objectContaining({ reason: expect.stringMatching(/its end was cut off$/) });
    expect((await after(cut)).faults).toContainEqual(words);
    // A gateway that has just started does not know the ledger's end, so it cannot detect the cut. Later, the
    // audit log has the end.
    const fresh = await startGateway({ beside: path.gateway });
    expect((await after(cut, '', fresh)).faults).not.toContainEqual(words);
    const [organization] = await path.gateway.database.query<{ id: string }>('SELECT id FROM organizations');
    await fresh.app.get(LedgerAnchors).anchorNow(organization?.id ?? '');
    expect((await verify('', fresh)).anchored).toBe(head);
    await fresh.close();
    const later = await startGateway({ beside: path.gateway });
    expect((await after(cut, '', later)).faults).toContainEqual(words);
    await later.close();
    expect((await path.gateway.call('admin', 'GET', '/audit/verify')).body.valid).toBe(true);
  });

  // promises: VERIFY-1
  it('has a state for keys that are not known', async () => {
    const stranger = await startGateway({
      beside: path.gateway,
      environment: { SECRET_KEY: Buffer.alloc(32, 3).toString('base64') },
    });
    const { session_id } = (await run(path.gateway)).body;
    const known = (await path.gateway.call('admin', 'GET', `/sessions/${session_id}/verify`)).body;
    const found = (await stranger.call('admin', 'GET', `/sessions/${session_id}/verify`)).body;
    expect(found).toMatchObject({
      status: 'unknown_key',
      unknown_keys: [known.entries[0].key_id],
      faults: [],
    });
    expect(await verify('?to=3', stranger)).toMatchObject({ status: 'unknown_key', faults: [] });
    await stranger.close();
  });
});

describe('the upgrade to the ledger', () => {
  it('adopts the sessions of the version before, as they are found', async () => {
    const path = await startDataPath();
    const { gateway, target } = path;
    const { session_id } = (await path.run('SELECT 1')).body;
    await gateway.app.close();
    const dataSource = await new DataSource(dataSourceOptions(gateway.database.url, 2)).initialize();
    for (let last: string | undefined; last !== SessionLedger1766110000000.name;) {
      const rows = await dataSource.query<{ name: string }[]>(
        'SELECT name FROM schema_migrations ORDER BY id DESC LIMIT 1',
      );
      last = rows[0]?.name;
      await dataSource.undoLastMigration({ transaction: 'each' });
    }
    await dataSource.destroy();
    await migrate(gateway.database.url);
    const upgraded = await startGateway({ beside: gateway });
    const found = await eventually('all are adopted', async () => {
      const { body } = await upgraded.call('auditor', 'GET', '/sessions/verify');
      return body.waiting === 0 && body;
    });
    expect(found).toMatchObject({ faults: [], status: 'valid', head: 1 });
    expect((await upgraded.call('admin', 'GET', `/sessions/${session_id}/verify`)).body).toMatchObject({
      status: 'valid',
      entries: [{ kind: 'adopted' }],
    });
    await upgraded.close();
    await Promise.all([gateway.provider.close(), gateway.database.drop(), target.drop()]);
  });
});
