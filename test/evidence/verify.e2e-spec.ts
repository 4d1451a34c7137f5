import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { KeyRing } from '../../src/platform/keys/key-ring';
import { describeDataPath } from '../support/describe';
import { type Listed, sampleSessions, storeSessions } from '../support/listed-sessions';
import { storeRecording, superuser } from '../support/stored-recording';
import { ROOT } from '../support/root';

const KEY = randomBytes(32).toString('base64');
const keyId = new KeyRing([Buffer.from(KEY, 'base64')]).current.id;

/** Verification reports every change of a stored recording, even by a superuser. */
describeDataPath('the verification of a session', { environment: { SECRET_KEY: KEY } }, ({ path }) => {
  let db: Client;
  /** Id of a session with four chunks. One event spans two of them. */
  let id: string;
  let other: string;

  beforeAll(async () => {
    db = await superuser(path.gateway.database);
    const chunks = ['first', 'second', 'third', 'fourth'].map((text, index) => [
      { time: 2, type: 'o' as const, content: Buffer.from(text), ends: index !== 1 },
      { time: 2, type: 'o' as const, content: Buffer.alloc(1000, text), ends: index !== 1 },
    ]);
    const store = async () => {
      const { session_id } = (await path.run('SELECT 1', {}, 'alice')).body;
      // Has the session written to the ledger before its recording grows.
      await path.gateway.call('admin', 'GET', `/sessions/${session_id}/verify`);
      await storeRecording(db, session_id, chunks, Buffer.from(KEY, 'base64'));
      return session_id as string;
    };
    id = await store();
    other = await store();
    await db.query(`CREATE TABLE kept_chunks AS SELECT * FROM session_chunks;
      CREATE TABLE kept_sessions AS SELECT * FROM sessions`);
    await verify();
    await db.query('CREATE TABLE kept_ledger AS SELECT * FROM session_ledger');
  });

  afterAll(async () => {
    await db.end();
  });

  const verify = async () => (await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`)).body;

  /** Runs the SQL, verifies the session, and restores all rows. Returns the verification. */
  const after = async (sql: string) => {
    await db.query(sql);
    try {
      return await verify();
    } finally {
      await db.query(`DELETE FROM session_chunks; INSERT INTO session_chunks SELECT * FROM kept_chunks;
        DELETE FROM sessions; INSERT INTO sessions SELECT * FROM kept_sessions;
        DELETE FROM session_ledger; INSERT INTO session_ledger SELECT * FROM kept_ledger`);
    }
  };

  const chunksOf = (which: string) =>
    path.gateway.database.query<{
      seq: number;
      event_count: number;
      raw_size: number;
      payload: Buffer;
      hash: Buffer;
    }>('SELECT * FROM session_chunks WHERE session_id = $1 ORDER BY seq', [which]);

  // promises: VERIFY-1
  it('finds no faults in a recording, and counts it', async () => {
    const answer = await path.gateway.call('alice', 'GET', `/sessions/${id}/verify`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      status: 'valid',
      chunks: 4,
      events: 6,
      size: 4000 + 'firstsecondthirdfourth'.length,
      chain_hash: (await chunksOf(id)).at(-1)?.hash.toString('hex'),
      sealed: true,
      entries: expect.arrayContaining([
        expect.objectContaining({ kind: 'closed', key_id: keyId }),
        expect.objectContaining({ kind: 'grown', key_id: keyId }),
      ]),
      unknown_keys: [],
      faults: [],
    });
  });

  it('finds no faults in a new recording', async () => {
    const run = await path.run("SELECT repeat('x', 1000) || n AS x FROM generate_series(1, 600) AS n");
    const { status, faults, size } = (
      await path.gateway.call('admin', 'GET', `/sessions/${run.body.session_id}/verify`)
    ).body;
    expect({ faults, size }).toEqual({
      faults: [],
      size: (await path.read(run.body.session_id)).body.event_size,
    });
    expect(status).toBe('valid');
  });

  // promises: VERIFY-2
  it('finds every change of every column of every chunk', async () => {
    for (const { seq } of await chunksOf(id)) {
      for (const change of [
        `seq = -seq`,
        `seq = seq + 1000`,
        `org_id = gen_random_uuid()`,
        `session_id = gen_random_uuid()`,
        `event_count = event_count + 1`,
        `event_count = -1 - event_count`,
        `raw_size = raw_size - 1`,
        `payload = set_byte(payload, 0, get_byte(payload, 0) # 1)`,
        `payload = set_byte(payload, length(payload) - 1, get_byte(payload, length(payload) - 1) # 128)`,
        `payload = payload || '\\x00'`,
        `payload = ''`,
        `previous = set_byte(previous, 31, get_byte(previous, 31) # 1)`,
        `previous = ''`,
        `hash = set_byte(hash, 0, get_byte(hash, 0) # 1)`,
        `hash = ''`,
      ]) {
        const found = await after(
          `UPDATE session_chunks SET ${change} WHERE session_id = '${id}' AND seq = ${seq}`,
        );
        expect([seq, change, found.status]).toEqual([seq, change, 'broken']);
        expect(found.faults.length).toBeGreaterThan(0);
      }
    }
    expect((await verify()).status).toBe('valid');
  });

  // promises: VERIFY-2
  it('finds every chunk that is gone, and every end that is cut off', async () => {
    for (const { seq } of await chunksOf(id)) {
      for (const which of [`seq = ${seq}`, `seq >= ${seq}`, `seq <= ${seq}`])
        expect([
          which,
          (await after(`DELETE FROM session_chunks WHERE session_id = '${id}' AND ${which}`)).status,
        ]).toEqual([which, 'broken']);
    }
  });

  // promises: VERIFY-2
  it('finds any two chunks that changed places', async () => {
    const numbers = (await chunksOf(id)).map(({ seq }) => seq);
    for (const a of numbers) {
      for (const b of numbers.filter((it) => it > a)) {
        const found = await after(`
          UPDATE session_chunks SET seq = -seq WHERE session_id = '${id}' AND seq IN (${a}, ${b});
          UPDATE session_chunks SET seq = ${a} + ${b} + seq WHERE session_id = '${id}' AND seq < 0;`);
        expect([a, b, found.status]).toEqual([a, b, 'broken']);
      }
    }
  });

  // promises: VERIFY-2
  it('finds a chunk too many, and one of another session', async () => {
    const columns = 'event_count, raw_size, payload, previous, hash';
    const [last] = (await chunksOf(id)).slice(-1);
    const copies = [
      `INSERT INTO session_chunks (org_id, session_id, seq, ${columns}) SELECT org_id, session_id, seq + 1, ${columns}
         FROM session_chunks WHERE session_id = '${id}' AND seq = ${last?.seq}`,
      `INSERT INTO session_chunks (org_id, session_id, seq, ${columns}) SELECT org_id, session_id, 0, ${columns}
         FROM session_chunks WHERE session_id = '${id}' AND seq = 1`,
      `UPDATE session_chunks AS c SET (${columns}) = (SELECT ${columns} FROM session_chunks
         WHERE session_id = '${other}' AND seq = c.seq) WHERE session_id = '${id}' AND seq = 2`,
      `DELETE FROM session_chunks WHERE session_id = '${id}'; UPDATE session_chunks SET session_id = '${id}' WHERE session_id = '${other}'`,
    ];
    for (const sql of copies) expect([sql, (await after(sql)).status]).toEqual([sql, 'broken']);
  });

  it('finds differences from the session’s row', async () => {
    for (const change of [
      'chunk_count = chunk_count - 1',
      'chunk_count = chunk_count + 1',
      'events_stored = events_stored + 1',
      'event_size = event_size - 1',
      `chain_hash = set_byte(chain_hash, 5, get_byte(chain_hash, 5) # 1)`,
      `chain_hash = ''`,
      `seal = decode(repeat('00', 32), 'hex')`,
      `seal = ''`,
    ]) {
      const found = await after(`UPDATE sessions SET ${change} WHERE id = '${id}'`);
      expect([change, found.status]).toEqual([change, 'broken']);
    }
  });

  it('detects by the seal a chain recomputed without the key', async () => {
    // Removes the last chunk, and changes the session row so that all hashes and totals agree.
    const cutOff = `
      UPDATE sessions AS s SET chunk_count = c.seq - 1, chain_hash = c.previous,
          events_stored = events_stored - c.event_count, event_size = event_size - c.raw_size
        FROM session_chunks AS c WHERE s.id = '${id}' AND c.session_id = s.id AND c.seq = s.chunk_count;
      DELETE FROM session_chunks AS c USING sessions AS s WHERE s.id = '${id}' AND c.session_id = s.id AND c.seq > s.chunk_count`;
    const forged = await after(cutOff);
    expect(forged.faults).toContainEqual({ seq: null, reason: 'the seal is invalid' });
    expect(forged).toMatchObject({ status: 'broken', sealed: false });
    // Without its seal, the cut recording is not valid either.
    expect(await after(`${cutOff}; UPDATE sessions SET seal = NULL WHERE id = '${id}'`)).toMatchObject({
      status: 'broken',
      faults: expect.arrayContaining([{ seq: null, reason: 'the seal is missing' }]),
      sealed: false,
    });
  });

  // promises: VERIFY-1
  it('verifies the stored part of a running session', async () => {
    // Also deletes the ledger entries, because the `closed` entry would reveal that the session ended.
    const begun = `UPDATE sessions SET status = 'open', end_date = NULL, seal = NULL WHERE id = '${id}';
      DELETE FROM session_ledger WHERE session_id = '${id}';`;
    expect(await after(begun)).toMatchObject({ status: 'unfinished', sealed: false, faults: [] });
    // A chunk that was stored after the row was read is not a fault. A missing chunk that the row counts is a
    // fault.
    const chunks = (await chunksOf(id)).length;
    expect(
      await after(`${begun} DELETE FROM session_chunks WHERE session_id = '${id}' AND seq = ${chunks}`),
    ).toMatchObject({
      status: 'broken',
    });
  });

  // promises: VERIFY-8
  it('distinguishes a session from before seals from one whose seal was removed', async () => {
    const { body } = await path.gateway.call('admin', 'GET', '/userinfo');
    const [sample] = sampleSessions(1) as [Listed];
    const old: Listed = { ...sample, id: randomUUID(), status: 'done', review: null };
    await storeSessions(path.gateway.database, body.org_id as string, [old]);
    const answer = await path.gateway.call('admin', 'GET', `/sessions/${old.id}/verify`);
    expect(answer.body).toMatchObject({ status: 'unsealed', sealed: false, faults: [] });
    expect(await after(`UPDATE sessions SET seal = NULL WHERE id = '${id}'`)).toMatchObject({
      status: 'broken',
      sealed: false,
    });
  });

  it('is for those who may see the recording', async () => {
    for (const person of ['alice', 'auditor', 'admin'] as const)
      expect((await path.gateway.call(person, 'GET', `/sessions/${id}/verify`)).status).toBe(200);
    const foreign = await path.gateway.call('bob', 'GET', `/sessions/${id}/verify`);
    const missing = await path.gateway.call('bob', 'GET', `/sessions/${randomUUID()}/verify`);
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    // A reviewer may read the request, but not the recording.
    await path.gateway.database.query(
      `WITH asked AS (INSERT INTO reviews (org_id, session_id, type, status, access_request_rule_name, min_approvals, input_hash, expires_at)
         SELECT org_id, id, 'onetime', 'PENDING', 'prod', 1, '', now() + interval '1 day' FROM sessions WHERE id = $1
         RETURNING org_id, id)
       INSERT INTO review_groups (org_id, review_id, group_name) SELECT org_id, id, 'dba' FROM asked`,
      [other],
    );
    expect((await path.read(other, '', 'bob')).status).toBe(200);
    for (const query of ['/verify', '?extension=evidence', '?extension=cast'])
      expect([query, (await path.gateway.call('bob', 'GET', `/sessions/${other}${query}`)).status]).toEqual([
        query,
        403,
      ]);
  });

  describe('offline', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'evidence-'));
    });

    afterAll(() => rm(folder, { recursive: true, force: true }));

    /**
     * The compiled command, as it is installed: without a database, and without the gateway's configuration.
     */
    const run = async (text: string, env: Record<string, string> = {}, ...args: string[]) => {
      const file = join(folder, 'recording.evidence');
      await writeFile(file, text);
      const command = join(ROOT, 'dist', 'bundle', 'verify-recording.js');
      const { status, stdout } = spawnSync(process.execPath, [command, file, ...args], {
        encoding: 'utf8',
        cwd: folder,
        env: { PATH: process.env['PATH'], ...env },
      });
      return { status, stdout };
    };

    // promises: READ-17
    it('the file of evidence proves itself', async () => {
      const { text, headers } = await path.read(id, '?extension=evidence', 'alice');
      expect(headers.get('content-type')).toBe('application/x-ndjson');
      expect(headers.get('content-disposition')).toMatch(/\.evidence"$/);
      const hash = (await verify()).chain_hash;
      const found = await run(text, { SECRET_KEY: KEY }, '--chain-hash', hash);
      expect(found.stdout).toContain(`on orders, by alice@example.com`);
      expect(found.stdout).toContain('The seal of the file is valid');
      expect(found.status).toBe(0);
    });

    it('shows what was changed in it', async () => {
      const { text } = await path.read(id, '?extension=evidence', 'alice');
      const forged = text.replace('alice@example.com', 'carol@example.com');
      expect(await run(forged)).toMatchObject({
        status: 1,
        stdout: expect.stringContaining('its digest is another'),
      });
      // The forger also replaces the digest. A verifier with the key detects the change all the same.
      const lines = forged.match(/.*\n/g) as string[];
      const sha256 = createHash('sha256').update(lines.slice(0, -1).join('')).digest('hex');
      const redone = [
        ...lines.slice(0, -1),
        (lines.at(-1) as string).replace(/(?<="sha256":")\w+/, sha256),
      ].join('');
      expect((await run(redone)).status).toBe(0);
      expect(await run(redone, { SECRET_KEY: KEY })).toMatchObject({
        status: 1,
        stdout: expect.stringContaining('The seal of the file is invalid'),
      });
    });
  });
});
