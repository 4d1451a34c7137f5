import type { IncomingMessage, ServerResponse } from 'node:http';
import { ArchiveSwitch } from '../../src/sessions/archive/archive-switch';
import {
  archiveNow,
  archiveStateOf,
  archived,
  endSchedules,
  followHolds,
  prolongLocks,
} from '../support/archive/archived';
import { LONG, closeSegmentsEarly } from '../support/archive/short-segments';
import { SmallS3 } from '../support/archive/small-s3';
import { startDataPath } from '../support/data-path';
import { describeScoped } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { superuser } from '../support/stored-recording';

const DAY_MS = 24 * 3_600_000;

/** Tests later work on archived recordings (locks, removal), while buckets and gateways fail. */
describeScoped('archived recordings', (begin) => {
  const s3 = begin(() => SmallS3.start());
  const path = begin(() => startDataPath(s3.variables));
  const other = begin(() => startGateway({ beside: path.gateway, environment: s3.variables }));

  beforeAll(() => endSchedules(path.gateway, other));
  beforeAll(closeSegmentsEarly);
  afterAll(() => jest.restoreAllMocks());

  const query = <T extends object>(text: string, values: unknown[] = []) =>
    path.gateway.database.query<T>(text, values);
  const run = async (script: string, connection = 'orders') =>
    (await path.run(script, { connection })).body.session_id as string;
  const hold = (id: string, held: boolean) =>
    path.gateway.call('admin', 'PUT', `/sessions/${id}/hold`, { held });
  /** Returns the rounded number of days until the lock of each object of a recording ends. */
  const lockOf = (id: string) =>
    s3.found(id).map(({ lockedUntil }) => Math.round((lockedUntil - Date.now()) / DAY_MS));
  /** Makes the locks of a recording's objects end in two days. */
  const nearTheEnd = async (id: string) => {
    for (const object of s3.found(id)) object.lockedUntil = Date.now() + 2 * DAY_MS;
    await query(
      `UPDATE session_archives SET locked_until = now() + interval '2 days' WHERE session_id = $1`,
      [id],
    );
  };
  const noted = async (id: string) => {
    const [row] = await query<{ days: number }>(
      `SELECT round(extract(epoch FROM locked_until - now()) / 86400)::int AS days FROM session_archives WHERE session_id = $1`,
      [id],
    );
    return row?.days;
  };

  afterEach(() => {
    s3.disturb = () => false;
  });

  // promises: ARCHIVE-4
  it('have their locks prolonged before they end, when the retention became longer or has no end', async () => {
    await path.connect('kept', { retention_days: 30 });
    const [ends, endless] = [await run('SELECT 1', 'kept'), await run('SELECT 1')];
    await archived(path.gateway, ends);
    await archived(path.gateway, endless);
    expect([lockOf(ends), lockOf(endless)]).toEqual([[30], [365]]);
    const keep = (days: number) =>
      query(`UPDATE connections SET retention_days = $1 WHERE name = 'kept'`, [days]);
    await keep(90);
    await prolongLocks(path.gateway);
    expect([lockOf(ends), lockOf(endless)]).toEqual([[30], [365]]);
    await nearTheEnd(ends);
    await nearTheEnd(endless);
    // Retries, because a gateway that has just started may be prolonging locks at the moment.
    await eventually('both are noted', async () => {
      await prolongLocks(path.gateway);
      return (await noted(ends)) === 90 && (await noted(endless)) === 365;
    });
    expect([lockOf(ends), lockOf(endless)]).toEqual([[90], [365]]);
    // The gateway never shortens a lock. A lock that lasts longer in the bucket than in the database is kept.
    await keep(10);
    await query(
      `UPDATE session_archives SET locked_until = now() + interval '2 days' WHERE session_id = $1`,
      [ends],
    );
    s3.requests.length = 0;
    await prolongLocks(other);
    expect(lockOf(ends)).toEqual([90]);
    expect(s3.requests.filter((request) => request.includes('?retention'))).toEqual([]);
  });

  // promises: ARCHIVE-4
  it('get their locks and holds although one of them has lost its object', async () => {
    const ids = [await run('SELECT 2'), await run('SELECT 3'), await run('SELECT 4')];
    for (const id of ids) {
      await archived(path.gateway, id);
      await nearTheEnd(id);
      await hold(id, true);
    }
    const [lost, ...others] = ids as [string, string, string];
    s3.forget(lost);
    await query(`UPDATE session_archives SET locked_until = now() + interval '1 day' WHERE session_id = $1`, [
      lost,
    ]);
    await expect(prolongLocks(path.gateway)).rejects.toThrow('does not have what was stored');
    expect(await archiveStateOf(path.gateway, lost)).toMatchObject({
      state: 'archived',
      fault: expect.stringContaining('does not have what was stored') as string,
    });
    await query('UPDATE session_archives SET next_at = now()');
    await followHolds(path.gateway).catch(() => undefined);
    await eventually('the others are held', () =>
      Promise.resolve(others.every((id) => s3.found(id).every(({ isHeld }) => isHeld))),
    );
    for (const id of others) expect(lockOf(id)).toEqual([365]);
    for (const id of ids) await hold(id, false);
    await query('UPDATE session_archives SET next_at = now(), is_held = false WHERE session_id = $1', [lost]);
    await followHolds(path.gateway);
  });

  // promises: ARCHIVE-4
  it('are held by one gateway at a time: an old wish never comes after a new one', async () => {
    const id = await run('SELECT 5');
    await archived(path.gateway, id);
    const asked = () =>
      s3.requests.filter((request) => request.includes(`${id}/`) && /legal-hold/.test(request));
    let proceed = (): void => undefined;
    const gate = new Promise<void>((resolve) => (proceed = resolve));
    s3.disturb = async ({ url }) => {
      if (url?.includes('legal-hold') === true) await gate;
      return false;
    };
    await hold(id, true);
    const slow = followHolds(path.gateway);
    await eventually('the bucket was asked', () => Promise.resolve(asked().length === 1));
    await hold(id, false);
    await hold(id, true);
    await followHolds(other);
    expect(asked()).toHaveLength(1);
    proceed();
    await slow;
    await eventually('it is held', () => Promise.resolve(s3.found(id)[0]?.isHeld === true));
    await hold(id, false);
    await eventually('it is released', async () => {
      await followHolds(other);
      return s3.found(id)[0]?.isHeld === false;
    });
  });

  // promises: ARCHIVE-3
  it('are moved by one gateway, also when it reads them back for long', async () => {
    const id = await run(LONG);
    const kept: boolean[] = [];
    s3.disturb = async ({ method, url, headers }) => {
      if (method !== 'GET' || headers.range === undefined || url?.includes(id) !== true) return false;
      const [row] = await query<{ kept: boolean }>(
        `SELECT next_at > now() + interval '20 seconds' AS kept FROM session_archives WHERE session_id = $1`,
        [id],
      );
      kept.push(row?.kept === true);
      // Simulates that the read of this object took nearly as long as the gateway's claim on the recording.
      await query(
        `UPDATE session_archives SET next_at = now() + interval '5 seconds' WHERE session_id = $1`,
        [id],
      );
      return false;
    };
    await archived(path.gateway, id);
    expect(kept.length).toBeGreaterThanOrEqual(2);
    expect(kept).not.toContain(false);
    expect(s3.found(id)).toHaveLength(2);
  });

  // promises: ARCHIVE-3
  it('leave no chunks in PostgreSQL when several gateways drop those of a long one', async () => {
    const id = await run('SELECT 6');
    await archived(path.gateway, id);
    const db = await superuser(path.gateway.database);
    await db.query(
      `INSERT INTO session_chunks (org_id, session_id, seq, event_count, raw_size, payload, previous, hash)
       SELECT org_id, id, n, 0, 0, '', '', '' FROM sessions, generate_series(1, 2500) AS n WHERE id = $1`,
      [id],
    );
    await db.query(`UPDATE session_archives SET state = 'clearing', last_seq = 2500 WHERE session_id = $1`, [
      id,
    ]);
    await db.end();
    const clear = async ({ app }: typeof other) => {
      while (await app.get(ArchiveSwitch, { strict: false }).clear());
    };
    await Promise.all([clear(path.gateway), clear(other), clear(path.gateway), clear(other)]);
    await eventually('all are dropped', async () => (await archiveStateOf(other, id)).state === 'archived');
    expect(await archiveStateOf(other, id)).toMatchObject({ chunks: 0 });
  });

  // promises: ARCHIVE-3
  it('do not fill a bucket that spoils every answer with copies', async () => {
    const id = await run('SELECT 7');
    s3.disturb = ({ method, headers, url }, response) => {
      if (method !== 'GET' || headers.range === undefined || url?.includes(id) !== true) return false;
      response.writeHead(206).end('other bytes');
      return true;
    };
    for (let attempt = 1; attempt <= 13; attempt++) {
      await query('UPDATE session_archives SET next_at = now() WHERE session_id = $1', [id]);
      await archiveNow(path.gateway);
    }
    // The gateway stores a new copy of the object only after 3, 6 and 12 attempts.
    expect(s3.found(id).length).toBeLessThanOrEqual(4);
    expect(s3.found(id).length).toBeGreaterThan(2);
    s3.disturb = () => false;
    await archived(path.gateway, id);
  });

  // promises: ARCHIVE-5
  it('are not removed when the bucket lists them in place of others', async () => {
    const [kept, removed] = [await run('SELECT 8'), await run('SELECT 9')];
    for (const id of [kept, removed]) {
      await archived(path.gateway, id);
      for (const object of s3.found(id)) object.lockedUntil = 0;
    }
    await query(`UPDATE session_archives SET state = 'removing', next_at = now() WHERE session_id = $1`, [
      removed,
    ]);
    s3.disturb = listing(() => s3.found(kept).map(({ key, id }) => ({ key, id })));
    await expect(archiveNow(path.gateway)).rejects.toThrow('listed other objects than were asked for');
    expect(s3.found(kept)).toHaveLength(1);
    // Even if a bucket lists removed objects, the gateway must not remove them again and again.
    const gone = s3.found(removed).map(({ key, id }) => ({ key, id }));
    s3.disturb = listing(() => gone);
    await query('UPDATE session_archives SET next_at = now() WHERE session_id = $1', [removed]);
    await expect(archiveNow(path.gateway)).rejects.toThrow('lists an object that it has removed');
    s3.disturb = () => false;
    await query('UPDATE session_archives SET next_at = now() WHERE session_id = $1', [removed]);
    await archiveNow(path.gateway);
    expect(await query('SELECT FROM session_archives WHERE session_id = $1', [removed])).toEqual([]);
  });

  // promises: ARCHIVE-6
  it('without the rows of their objects are answered with 503, and not asked for again and again', async () => {
    const id = await run('SELECT 10');
    await archived(path.gateway, id);
    await query('DELETE FROM session_archive_segments WHERE session_id = $1', [id]);
    const { status, body } = await path.read(id, '?extension=txt');
    expect([status, body.message]).toEqual([
      503,
      'this recording cannot be read at the moment: the object storage is not known to have all of it',
    ]);
  });

  it('answer no redirect of the bucket', async () => {
    const id = await run('SELECT 11');
    await archived(path.gateway, id);
    s3.disturb = (request, response) => {
      if (request.url?.includes(id) !== true) return false;
      response.writeHead(307, { location: `http://127.0.0.1:${s3.port}/metadata` }).end();
      return true;
    };
    s3.requests.length = 0;
    const { status, body } = await path.read(id, '?extension=txt');
    expect([status, body.message]).toEqual([
      503,
      'this recording cannot be read at the moment: the object storage refused (status 307)',
    ]);
    expect(s3.requests.some((request) => request.includes('metadata'))).toBe(false);
  });
});

/** Answers each request for a list of versions with the given versions. */
function listing(versions: () => readonly { readonly key: string; readonly id: string }[]) {
  return ({ url }: IncomingMessage, response: ServerResponse): boolean => {
    if (url?.includes('versions') !== true) return false;
    const entries = versions().map(
      ({ key, id }) => `<Version><Key>${key}</Key><VersionId>${id}</VersionId></Version>`,
    );
    response.end(`<ListVersionsResult>${entries.join('')}</ListVersionsResult>`);
    return true;
  };
}
