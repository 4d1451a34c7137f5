import { archiveNow, archiveStateOf, archived, endSchedules } from '../support/archive/archived';
import { LONG, closeSegmentsEarly } from '../support/archive/short-segments';
import { SmallS3 } from '../support/archive/small-s3';
import { describeScoped } from '../support/describe';
import { eventually } from '../support/eventually';
import { startDataPath } from '../support/data-path';
import { startGateway } from '../support/gateway';
import { purge } from '../support/retention';
import { superuser } from '../support/stored-recording';
import { volume } from '../support/volume';

const FORMS = [
  '?expand=event_stream',
  '?event_stream=utf8',
  '?event_stream=base64',
  '?extension=csv&event_time=1',
  '?extension=json',
  '?extension=cast',
  '?extension=txt&events=i,o,e',
];

describeScoped('recordings in object storage', (begin) => {
  const s3 = begin(() => SmallS3.start());
  const path = begin(() => startDataPath(s3.variables));
  const other = begin(() => startGateway({ beside: path.gateway, environment: s3.variables }));

  beforeAll(() => endSchedules(path.gateway, other));

  beforeAll(closeSegmentsEarly);

  afterAll(() => jest.restoreAllMocks());

  const run = async (script: string) => (await path.run(script)).body.session_id as string;
  const forms = async (id: string) => {
    const answers: string[] = [];
    for (const form of FORMS) answers.push((await path.read(id, form)).text);
    return answers;
  };
  /** Returns the number of chunks of a stored recording, which is larger on a slow machine. */
  const chunksOf = async (id: string) => {
    await eventually('all of it is stored', async () => (await verified(id)).status === 'valid');
    return (await archiveStateOf(path.gateway, id)).chunks;
  };
  const verified = async (id: string) =>
    (await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`)).body;
  const follow = async (id: string, lastEventId?: string) => {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return (await path.gateway.call('admin', 'GET', `/sessions/${id}/stream`, undefined, headers)).text;
  };

  // promises: ARCHIVE-1, ARCHIVE-2
  it('are read in every form as they were before they moved', async () => {
    const ids = [await run('SELECT 1'), await run(LONG)];
    for (const id of ids) {
      const before = [...(await forms(id)), await follow(id), await follow(id, '2.0')];
      const evidence = (await path.read(id, '?extension=evidence')).text.split('\n');
      await archived(path.gateway, id);
      expect(await archiveStateOf(path.gateway, id)).toMatchObject({ state: 'archived', chunks: 0 });
      expect([...(await forms(id)), await follow(id), await follow(id, '2.0')]).toEqual(before);
      const chunkLines = (lines: readonly string[]) => lines.filter((line) => line.startsWith('{"seq"'));
      expect(chunkLines((await path.read(id, '?extension=evidence')).text.split('\n'))).toEqual(
        chunkLines(evidence),
      );
      expect(await verified(id)).toMatchObject({ status: 'valid', faults: [] });
    }
    const objects = s3.found(ids[1] ?? '');
    expect(objects.length).toBeGreaterThan(1);
    for (const { key, body } of objects) {
      expect(body.length).toBeLessThan(64 * 1024 * 1024);
      expect(key).toMatch(/^gateway\/[\da-f-]{36}\/\d{4}-\d\d\/[\da-f-]{36}\/1-\d{8}-\d{8}-[\da-f]{16}$/);
    }
  });

  // promises: ARCHIVE-1
  it('move once where several gateways work on it, and are found by their words', async () => {
    const ids: string[] = [];
    for (let n = 0; n < volume(6, 12); n++) ids.push(await run(`SELECT 'walrus${n}'`));
    await Promise.all([archiveNow(path.gateway), archiveNow(other), archiveNow(path.gateway)]);
    for (const id of ids) await archived(other, id);
    for (const id of ids) expect(s3.found(id)).toHaveLength(1);
    const found = await path.gateway.call('admin', 'GET', '/sessions?q=walrus3');
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[3]]);
  });

  // promises: ARCHIVE-3
  it('go on where a gateway died: an object that is there is not stored again', async () => {
    const id = await run('SELECT 2');
    const chunks = await chunksOf(id);
    // The gateway stores the object in the bucket, and dies before it records this in the database.
    s3.disturb = (request, response) => {
      if (request.method === 'PUT' && request.url?.includes(id) === true) {
        response.writeHead = () => response.destroy();
      }
      return false;
    };
    await archiveNow(path.gateway).catch(() => undefined);
    expect(s3.found(id)).toHaveLength(1);
    expect(await archiveStateOf(path.gateway, id)).toMatchObject({ state: 'waiting', chunks });
    s3.disturb = () => false;
    await archived(other, id);
    expect(s3.found(id)).toHaveLength(1);
    expect((await path.recording(id)).length).toBeGreaterThan(0);
  });

  // promises: ARCHIVE-3
  it('stay in PostgreSQL when they are not what was recorded', async () => {
    const id = await run('SELECT 3');
    const chunks = await chunksOf(id);
    const db = await superuser(path.gateway.database);
    await db.query(`UPDATE session_chunks SET payload = payload || '\\x00' WHERE session_id = $1`, [id]);
    await db.end();
    await archiveNow(path.gateway);
    expect(await archiveStateOf(path.gateway, id)).toMatchObject({
      state: 'refused',
      chunks,
      fault: 'chunk 1 is not what was recorded',
    });
    expect(s3.found(id)).toEqual([]);
  });

  // promises: ARCHIVE-3
  it('are shown as broken where the bucket has other bytes, and not served', async () => {
    const id = await run('SELECT 4');
    await archived(path.gateway, id);
    const [object] = s3.found(id);
    if (object === undefined) throw new Error('there is no object');
    object.body = Buffer.from(object.body);
    object.body.writeUInt8((object.body.at(-1) ?? 0) ^ 1, object.body.length - 1);
    expect(await verified(id)).toMatchObject({ status: 'broken' });
    const read = await path.read(id, '?extension=txt');
    expect([read.status, read.body.message]).toEqual([
      503,
      'this recording cannot be read at the moment: the object storage returned other bytes than were stored',
    ]);
  });

  // promises: ARCHIVE-4
  it('are locked until their retention ends, and under a legal hold while they are held', async () => {
    const id = await run('SELECT 5');
    await archived(path.gateway, id);
    const object = () => s3.found(id)[0];
    const day = 24 * 3_600_000;
    expect((object()?.lockedUntil ?? 0) - Date.now()).toBeGreaterThan(300 * day);
    const hold = (held: boolean) => path.gateway.call('admin', 'PUT', `/sessions/${id}/hold`, { held });
    await hold(true);
    await archiveNow(path.gateway);
    expect(object()?.isHeld).toBe(true);
    await hold(false);
    await archiveNow(other);
    expect(object()?.isHeld).toBe(false);
  });

  // promises: ARCHIVE-5
  it('are removed from the bucket when retention has removed them and the lock has ended, with a line on the audit log', async () => {
    const id = await run('SELECT 6');
    await archived(path.gateway, id);
    const { database } = path.gateway;
    await database.query(`UPDATE sessions SET end_date = now() - interval '3 days' WHERE id = $1`, [id]);
    await database.query('UPDATE connections SET retention_days = 1 WHERE id = $1', [path.connectionId]);
    await purge(path.gateway);
    await database.query('UPDATE connections SET retention_days = NULL WHERE id = $1', [path.connectionId]);
    expect((await path.read(id, '?extension=txt')).status).toBe(404);
    await archiveNow(path.gateway);
    expect(s3.found(id)).toHaveLength(1);
    expect(await archiveStateOf(path.gateway, id)).toMatchObject({ state: 'removing' });
    for (const object of s3.found(id)) object.lockedUntil = 0;
    await database.query('UPDATE session_archives SET next_at = now() WHERE session_id = $1', [id]);
    await archiveNow(path.gateway);
    expect(s3.found(id)).toEqual([]);
    const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=retention/objects');
    expect(body.data).toEqual([
      expect.objectContaining({ action: 'delete', actor: expect.objectContaining({ id: 'gateway' }) }),
    ]);
    expect(JSON.stringify(body.data)).toContain(id);
  });
});
