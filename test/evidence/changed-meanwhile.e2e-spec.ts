import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { LedgerVerificationService } from '../../src/sessions/ledger/ledger-verification.service';
import { LedgerWriter } from '../../src/sessions/ledger/ledger-writer';
import { verifyFile } from '../../src/sessions/evidence/files/verify-file';
import { describeDataPath } from '../support/describe';
import { publicKeysOf, read, sealsOf } from '../support/evidence';
import { purge } from '../support/retention';
import { storeRecording, superuser } from '../support/stored-recording';

const KEY = randomBytes(32);
const environment = { SECRET_KEY: KEY.toString('base64') };
/** A number of chunks that is larger than the recording of a short script has. */
const FEW_CHUNKS = 4;
/** Matches SQL statements that read a session or its ledger entries. */
const READS = /\bSELECT\b[^]*\b(?:sessions|session_ledger)\b/i;

/** Tests that an evidence file shows one state of a session, whenever the session changes in the download. */
describeDataPath('a file of evidence of a session that changes', { environment }, ({ path }) => {
  let db: Client;

  beforeAll(async () => {
    db = await superuser(path.gateway.database);
  });

  afterAll(async () => {
    await db.end();
  });

  /** Runs `change` before the read at index `place` of `work`. Returns whether `work` has so many reads. */
  const changingBefore = async (
    place: number,
    change: () => Promise<unknown>,
    work: () => Promise<unknown>,
  ) => {
    let reads = 0;
    let changed: Promise<unknown> | undefined;
    const query = Reflect.get(Client.prototype, 'query') as (...given: unknown[]) => unknown;
    const watched = jest.spyOn(Client.prototype, 'query') as unknown as jest.SpyInstance;
    watched.mockImplementation(function (this: Client, ...given: unknown[]) {
      const [text] = given;
      // After `change` has started, no more statements are counted, so its own statements run at once.
      const isRead = changed === undefined && typeof text === 'string' && READS.test(text);
      if (!isRead || typeof given.at(-1) === 'function' || reads++ < place) return query.apply(this, given);
      changed = change();
      return changed.then(() => query.apply(this, given));
    });
    try {
      await work();
      await changed;
      return changed !== undefined;
    } finally {
      watched.mockRestore();
    }
  };

  /** Adds chunks to a recording after its end, as a late journal does. Earlier chunks stay as they are. */
  const grow = async (id: string, count: number): Promise<void> => {
    const chunks = Array.from({ length: count }, (_, time) => [
      { time, type: 'o' as const, content: Buffer.from(`part ${time}`), ends: true },
    ]);
    await db.query('BEGIN');
    await storeRecording(db, id, chunks, KEY);
    await db.query('COMMIT');
  };

  const call = async (...given: Parameters<typeof path.gateway.call>): Promise<void> =>
    expect((await path.gateway.call(...given)).status).toBeLessThan(300);
  const changes = {
    metadata: (id: string, place: number) =>
      call('admin', 'PATCH', `/sessions/${id}/metadata`, { metadata: { place } }),
    hold: (id: string, place: number) =>
      call('admin', 'PUT', `/sessions/${id}/hold`, { held: true, reason: `case ${place}` }),
    recording: (id: string, place: number) => grow(id, FEW_CHUNKS + place),
  };

  // promises: VERIFY-5
  it.each(['metadata', 'hold', 'recording'] as const)('verifies, whenever its %s changes', async (what) => {
    const { session_id: id } = (await path.run('SELECT 1')).body;
    if (what === 'recording') await grow(id, FEW_CHUNKS - 1);
    // Has the first ledger entries of the session written now, so that each later change gets its entry at
    // once.
    expect((await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`)).body.status).toBe('valid');
    let place = 0;
    for (let isChanged = true; isChanged; place++) {
      const change = () => changes[what](id, place);
      let file = '';
      isChanged = await changingBefore(place, change, async () => {
        file = (await path.read(id, '?extension=evidence')).text;
      });
      const { faults } = await verifyFile(read(Buffer.from(file)), {
        seals: sealsOf(KEY),
        keys: publicKeysOf(KEY),
      });
      expect([place, faults]).toEqual([place, []]);
      const { session, ledger } = JSON.parse(file.split('\n', 1)[0] as string);
      expect([session.metadata, session.hold?.reason ?? null]).toEqual([
        ledger.row.metadata,
        ledger.row.hold_reason,
      ]);
    }
    expect(place).toBeGreaterThan(3);
  });

  it.each(['metadata', 'hold', 'recording'] as const)(
    'is valid in the gateway, too, whenever its %s changes',
    async (what) => {
      const { session_id: id } = (await path.run('SELECT 1')).body;
      if (what === 'recording') await grow(id, FEW_CHUNKS - 1);
      expect((await path.read(id, '/verify')).body.status).toBe('valid');
      let place = 0;
      for (let isChanged = true; isChanged; place++) {
        const change = () => changes[what](id, place);
        let found: object = {};
        isChanged = await changingBefore(place, change, async () => {
          found = (await path.read(id, '/verify')).body;
        });
        expect([place, found]).toMatchObject([place, { status: 'valid', faults: [] }]);
      }
      expect(place).toBeGreaterThan(3);
    },
  );

  /** Makes a session whose retention is over, sealed with its end three days ago. */
  const overdue = async (): Promise<string> => {
    const { session_id: id } = (await path.run('SELECT 1', { connection: 'short' })).body;
    await db.query(`DELETE FROM session_ledger WHERE session_id = $1`, [id]);
    await db.query(
      `UPDATE sessions SET start_date = start_date - interval '3 days', end_date = end_date - interval '3 days'
       WHERE id = $1`,
      [id],
    );
    await db.query(
      'INSERT INTO session_ledger_queue (org_id, session_id) SELECT org_id, id FROM sessions WHERE id = $1',
      [id],
    );
    expect((await path.read(id, '/verify')).body.status).toBe('valid');
    return id;
  };

  // promises: VERIFY-1
  it('is valid or removed in the gateway, whenever retention removes its recording', async () => {
    await path.connect('short', { retention_days: 1 });
    const statuses: string[] = [];
    for (let isChanged = true; isChanged;) {
      const id = await overdue();
      const change = () => purge(path.gateway);
      let found: object = {};
      isChanged = await changingBefore(statuses.length, change, async () => {
        const { status, body } = await path.read(id, '/verify');
        found = { status, faults: body.faults };
        statuses.push(body.status);
      });
      expect([statuses.length, found]).toEqual([statuses.length, { status: 200, faults: [] }]);
    }
    expect(new Set(statuses)).toEqual(new Set(['purged', 'valid']));
    expect(statuses.length).toBeGreaterThan(3);
  });

  it.each(['/verify', '?extension=evidence'])('is not found by %s, once its row is gone', async (what) => {
    const answers: (number | 'cut off')[] = [];
    for (let isChanged = true; isChanged;) {
      const { session_id: id } = (await path.run('SELECT 1')).body;
      expect((await path.read(id, '/verify')).body.status).toBe('valid');
      const change = () => db.query('DELETE FROM sessions WHERE id = $1', [id]);
      isChanged = await changingBefore(answers.length, change, async () => {
        // A download that has begun is cut off, so that it does not look complete.
        const answer = path.read(id, what).then(({ status }) => status);
        answers.push(await answer.catch(() => 'cut off' as const));
      });
    }
    expect(answers.at(-1)).toBe(200);
    expect(new Set(answers.slice(0, 2))).toEqual(new Set([404]));
    expect(['cut off', 200, 404]).toEqual(expect.arrayContaining(answers));
  });

  it('is refused for now, where its recording grows without an end', async () => {
    // Stops the scheduled ledger writer, which could write an entry between the growth and the snapshot.
    const schedule = jest.spyOn(LedgerWriter.prototype, 'writeBatch').mockResolvedValue(false);
    const { session_id: id } = (await path.run('SELECT 1')).body;
    let count = FEW_CHUNKS;
    const take = Reflect.get(LedgerVerificationService.prototype, 'sessionWith');
    const snapshots = jest.spyOn(LedgerVerificationService.prototype, 'sessionWith');
    snapshots.mockImplementation(async function (this: LedgerVerificationService, ...given) {
      await grow(id, count++);
      return take.apply(this, given);
    });
    const answer = await path.read(id, '?extension=evidence');
    snapshots.mockRestore();
    schedule.mockRestore();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    const { text } = await path.read(id, '?extension=evidence');
    const { faults, verification } = await verifyFile(read(Buffer.from(text)), {
      seals: sealsOf(KEY),
      keys: publicKeysOf(KEY),
    });
    expect([faults, verification?.chunks]).toEqual([[], count - 1]);
  });
});
