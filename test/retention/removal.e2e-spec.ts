import { Client } from 'pg';
import { chunksOf } from '../../src/sessions/format/chunks';
import { Drafts } from '../../src/sessions/format/drafts';
import { INPUT } from '../../src/sessions/format/event-codec';
import { textsOf } from '../../src/sessions/format/input-texts';
import { RecordingStore } from '../../src/sessions/recording/recording-store';
import { RecordingReader } from '../../src/sessions/recording/recording-reader';
import { RecordingRemoved } from '../../src/sessions/recording/recording-removed';
import { auditLineOf } from '../support/audit';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { createRule, denyWords } from '../support/guardrails';
import { daysAgo, purge, remainsOf, retentionOf, storeRecordings } from '../support/retention';
import { volume } from '../support/volume';

/**
 * Number of recordings. They are more than one batch of the purge. The purge starts at the first recording,
 * while the test sets holds from the last one backwards, with 8 requests in parallel.
 */
const HELD = volume(200, 400);

/** The retention time of recordings, the data removed after it, and the data that stay. */
describeDataPath('retention', ({ path }) => {
  let orgId: string;

  beforeAll(async () => {
    orgId = (await path.gateway.call('admin', 'GET', '/userinfo')).body.org_id;
  });

  let count = 0;
  const connection = (retention_days: number | null) => path.connect(`kept-${++count}`, { retention_days });
  const keep = (name: string, retention_days: number | null) =>
    path.gateway.call('admin', 'PATCH', `/connections/${name}`, { retention_days });
  const query = <T extends object>(text: string, values?: unknown[]) =>
    path.gateway.database.query<T>(text, values);
  const remains = (ids: string[]) => remainsOf(path.gateway.database, ids);
  /** Records a session, and sets its end to `days` days ago. Returns its id. */
  const recorded = async (script: string, days: number, name: string): Promise<string> => {
    const { body } = await path.run(script, { connection: name }, 'alice');
    // The script may be answered when its recording is only in the journal, not yet in the database.
    await eventually('it is stored', async () => (await path.read(body.session_id)).body.status === 'done');
    await query(`UPDATE sessions SET end_date = now() - make_interval(hours => 24 * $2) WHERE id = $1`, [
      body.session_id,
      days,
    ]);
    return body.session_id;
  };

  // promises: RETENTION-1
  it('removes what is due, and nothing else', async () => {
    const { database } = path.gateway;
    const one = async (kept: number | null, more: Partial<Parameters<typeof storeRecordings>[1]>) => {
      const [id = ''] = await storeRecordings(database, {
        connectionId: await connection(kept),
        start: daysAgo(10),
        ...more,
      });
      return id;
    };
    const deleted = async (retentionDays: number | null, start = daysAgo(10)) => {
      const connectionId = await connection(3);
      const name = `kept-${count}`;
      const [id = ''] = await storeRecordings(database, { connectionId, start, retentionDays });
      expect((await path.gateway.call('admin', 'DELETE', `/connections/${name}`)).status).toBe(204);
      return id;
    };
    const cases = {
      due: [await one(9, {}), 'gone'],
      'due, by more than one chunk': [await one(9, { chunks: 5 }), 'gone'],
      'due since a moment ago': [await one(10, { start: new Date(daysAgo(10).getTime() - 1_000) }), 'gone'],
      'not due by a minute': [await one(10, { start: new Date(daysAgo(10).getTime() + 60_000) }), 'whole'],
      'not due': [await one(11, {}), 'whole'],
      'kept forever': [await one(null, {}), 'whole'],
      'kept forever by its connection, not by itself': [await one(null, { retentionDays: 1 }), 'whole'],
      'due by its connection, not by itself': [await one(1, { retentionDays: 36_500 }), 'gone'],
      held: [await one(1, { held: true }), 'whole'],
      'not over': [await one(1, { status: 'open' }), 'whole'],
      'due, of a deleted connection': [await deleted(9), 'gone'],
      'not due, of a deleted connection': [await deleted(11), 'whole'],
      'of a deleted connection that kept forever': [await deleted(null), 'whole'],
      'younger than a day, of a deleted connection': [await deleted(1, daysAgo(0.9)), 'whole'],
    } as const;
    const run = await purge(path.gateway);
    const ids = Object.values(cases).map(([id]) => id);
    const found = await remains(ids);
    expect(Object.keys(cases).map((name, at) => [name, found[at]])).toEqual(
      Object.entries(cases).map(([name, [, expected]]) => [name, expected]),
    );
    expect(run).toMatchObject({
      outcome: 'finished',
      due: 5,
      purged: 5,
      removed: 5,
      held_back: 1,
      error: null,
    });
    expect(run.bytes).toBe(13 * 9);
    // The purge has nothing left to do.
    expect(await purge(path.gateway)).toMatchObject({ due: 0, purged: 0, removed: 0, held_back: 1 });
  });

  // promises: RETENTION-1
  it('asks the connection as it is now: a value that comes, grows or goes', async () => {
    const connectionId = await connection(null);
    const name = `kept-${count}`;
    const ids = await storeRecordings(path.gateway.database, { connectionId, start: daysAgo(10) });
    for (const [days, left] of [
      [null, 'whole'],
      [11, 'whole'],
      [null, 'whole'],
      [10, 'gone'],
    ] as const) {
      expect((await keep(name, days)).status).toBe(200);
      await purge(path.gateway);
      expect([days, ...(await remains(ids))]).toEqual([days, left]);
    }
  });

  // promises: RETENTION-2, SESSION-10
  it('keeps owner, times, outcome and seal, and removes all content', async () => {
    const connectionId = await connection(null);
    const name = `kept-${count}`;
    const rule = await createRule(path.gateway, {
      name: 'no-canaries',
      input: denyWords(['canaryword']),
      connection_ids: [connectionId],
    });
    const id = await recorded("SELECT 'canaryword'", 2, name);
    await query(
      `UPDATE sessions SET ai_analysis = '{"title":"canaryword","explanation":"canaryword","risk_level":"high","action":"block_execution"}'
       WHERE id = $1`,
      [id],
    );
    await path.gateway.call('alice', 'PATCH', `/sessions/${id}/metadata`, { metadata: { ticket: 'T-1' } });
    const link = await path.gateway.call('alice', 'POST', `/sessions/${id}/download-links`, {});
    const before = (await path.read(id)).body;
    const chain = `SELECT chain_hash, seal, chunk_count, event_size, events_stored FROM sessions WHERE id = $1`;
    const [sealed] = await query(chain, [id]);
    expect(before.guardrails_info[0].matched_words).toEqual(['canaryword']);
    const found = () => path.gateway.call('auditor', 'GET', '/sessions?q=canaryword');
    expect((await found()).body.data).toHaveLength(1);

    await keep(name, 1);
    await purge(path.gateway);

    const { body, text } = await path.read(id);
    expect(text).not.toContain("'canaryword'");
    expect(body).toEqual({
      ...before,
      script: null,
      recording_purged_at: expect.any(String),
      guardrails_info: before.guardrails_info.map((info: object) => ({
        ...info,
        matched_words: [],
        matches: [],
      })),
      ai_analysis: { ...before.ai_analysis, title: '', explanation: '' },
    });
    expect(before.recording_purged_at).toBeNull();
    expect(await query(chain, [id])).toEqual([sealed]);
    expect((await found()).body.data).toEqual([]);
    for (const rows of ['session_chunks', 'session_texts', 'session_removals'])
      expect(await query(`SELECT FROM ${rows} WHERE session_id = $1`, [id])).toEqual([]);
    const listed = await path.gateway.call('auditor', 'GET', `/sessions?guardrail=${rule}`);
    expect(listed.body.data).toMatchObject([{ id, recording_purged_at: body.recording_purged_at }]);

    const gone = {
      message: expect.stringMatching(
        /^the recording was removed at 2.*, after its retention; the session itself is kept$/,
      ),
    };
    for (const [ask, person] of [
      ['?expand=event_stream', 'alice'],
      ['?event_stream=utf8', 'admin'],
      ['?extension=csv', 'auditor'],
      ['?extension=json', 'alice'],
      ['/stream', 'alice'],
    ] as const) {
      const answer = await path.read(id, ask, person);
      expect([ask, answer.status, answer.body]).toEqual([ask, 404, gone]);
    }
    expect((await path.read(id, '?expand=session_input')).body.script).toBeNull();
    const links = await path.gateway.call('alice', 'POST', `/sessions/${id}/download-links`, {});
    expect([links.status, links.body]).toEqual([404, gone]);
    const old = await fetch(link.body.download_url as string);
    expect([old.status, await old.json()]).toEqual([
      404,
      { message: expect.stringContaining('download link') },
    ]);
    // People without access do not learn that the session existed.
    const stranger = await path.read(id, '?expand=event_stream', 'bob');
    expect([stranger.status, stranger.body.message]).toEqual([404, 'there is no session with this id']);
    const hold = await path.gateway.call('admin', 'PUT', `/sessions/${id}/hold`, { held: true });
    expect([hold.status, hold.body.message]).toEqual([409, expect.stringContaining('nothing left to hold')]);
    expect((await path.gateway.call('admin', 'PUT', `/sessions/${id}/hold`, { held: false })).status).toBe(
      204,
    );
    const dry = await path.gateway.call('auditor', 'POST', '/guardrails/dry-run', {
      rule: { name: 'x', input: denyWords(['canaryword']) },
      direction: 'input',
      text: '',
      sessions: 100,
    });
    expect([dry.status, dry.text.includes(id)]).toEqual([200, false]);
  });

  it('never lets a recording look complete that is removed while it is read', async () => {
    const connectionId = await connection(1);
    const [id = ''] = await storeRecordings(path.gateway.database, {
      connectionId,
      start: daysAgo(5),
      chunks: 20,
    });
    const chunks = path.gateway.app.get(RecordingReader, { strict: false }).chunks({ orgId, id });
    expect((await chunks.next()).value).toMatchObject({ seq: 1 });
    await purge(path.gateway);
    const rest = async () => {
      for await (const chunk of chunks) expect(chunk.seq).toBeLessThan(20);
    };
    await expect(rest()).rejects.toThrow(RecordingRemoved);
  });

  it('stores nothing that a journal brings too late, and removes the journal', async () => {
    const connectionId = await connection(1);
    const [id = ''] = await storeRecordings(path.gateway.database, { connectionId, start: daysAgo(5) });
    await purge(path.gateway);
    const store = path.gateway.app.get(RecordingStore, { strict: false });
    const before = await store.stateOf({ orgId, id });
    if (before === undefined) throw new Error('there is no such session');
    const drafts = new Drafts();
    drafts.add({ number: 1, time: 2, letter: INPUT, content: 'SELECT latecanary', length: 17 }, 0);
    const chunks = await chunksOf(drafts.takeDrafts(1), before);
    const after = { ...before, chunkCount: 2, chainHash: chunks[0]!.hash, eventsStored: 2, journaled: 1 };
    const hit = { rule_id: 'x', matched_words: ['latecanary'] } as never;
    const stored = await store.ship([
      {
        session: { orgId, id },
        before,
        after,
        chunks,
        texts: await textsOf(drafts.takeDrafts(1)),
        progress: { received: 2, checked: 2, blocked: 1, guardrailsInfo: [hit], dataMasking: {} },
        version: 1,
        ending: undefined,
        seal: Buffer.alloc(32, 1),
      },
    ]);
    // The store must acknowledge the events of the purged session. Otherwise the journal would replay them
    // again and again.
    expect(stored.get(id)).toEqual({ isOver: true });
    expect(await store.stateOf({ orgId, id })).toEqual(after);
    expect(await remains([id])).toEqual(['gone']);
    expect((await path.read(id)).body).toMatchObject({ guardrails_info: [], metrics: { events_stored: 2 } });
  });

  it('does not wait for a hold in progress, which wins', async () => {
    const connectionId = await connection(1);
    const [id = '', other = ''] = await storeRecordings(path.gateway.database, {
      connectionId,
      start: daysAgo(5),
      count: 2,
    });
    const holder = new Client({ connectionString: path.gateway.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(`UPDATE sessions SET held_at = now(), held_by = 'x' WHERE id = $1`, [id]);
    expect(await purge(path.gateway)).toMatchObject({ due: 2, purged: 1 });
    await holder.query('COMMIT');
    await holder.end();
    expect((await purge(path.gateway)).purged).toBe(0);
    expect(await remains([id, other])).toEqual(['whole', 'gone']);
  });

  it('keeps a recording whose hold was acknowledged', async () => {
    const connectionId = await connection(1);
    const ids = await storeRecordings(path.gateway.database, {
      connectionId,
      start: daysAgo(5),
      count: HELD,
    });
    const run = purge(path.gateway);
    const held = new Map<string, number>();
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        // Starts with the recording that is purged last, so that the holds meet the purge in the middle.
        for (const id of ids.toReversed().filter((__, at) => at % 8 === worker))
          held.set(
            id,
            (await path.gateway.call('admin', 'PUT', `/sessions/${id}/hold`, { held: true })).status,
          );
      }),
    );
    await run;
    await purge(path.gateway);
    const found = await remains(ids);
    const outcomes = ids.map((id, at) => `${held.get(id)} ${found[at]}`);
    expect(outcomes.filter((outcome) => !['204 whole', '409 gone'].includes(outcome))).toEqual([]);
  });

  it('cannot remove the row of a session, nor a held or running one', async () => {
    const connectionId = await connection(1);
    const { database } = path.gateway;
    const [held] = await storeRecordings(database, { connectionId, start: daysAgo(5), held: true });
    const [open] = await storeRecordings(database, { connectionId, start: daysAgo(5), status: 'open' });
    for (const id of [held, open])
      await expect(
        query('UPDATE sessions SET recording_purged_at = now(), script = NULL WHERE id = $1', [id]),
      ).rejects.toThrow('sessions_purged_check');
    for (const change of [`DELETE FROM sessions WHERE id = '${held}'`, 'TRUNCATE sessions CASCADE'])
      await expect(query(`SET access_gateway.purging = 'on'; ${change}`)).rejects.toThrow('append-only');
    await expect(query('DELETE FROM session_chunks')).rejects.toThrow('append-only');
  });

  it.each([
    ['alice', 403],
    ['bob', 403],
    [null, 401],
  ] as const)('is nothing for %s', async (person, status) => {
    for (const [method, route] of [
      ['GET', '/retention'],
      ['POST', '/retention/runs'],
    ] as const)
      expect((await path.gateway.call(person, method, route)).status).toBe(status);
  });

  // promises: RETENTION-3
  it('is visible to auditors and started by admins; starts and removals are in the audit log', async () => {
    const denied = await path.gateway.call('auditor', 'POST', '/retention/runs');
    expect(denied.status).toBe(403);
    expect(await auditLineOf(path.gateway, denied)).toMatchObject({
      resource_type: 'retention/runs',
      actor: { id: 'auditor' },
      outcome: 'denied',
    });
    const connectionId = await connection(1);
    await storeRecordings(path.gateway.database, { connectionId, start: daysAgo(5), count: 3 });
    const run = await purge(path.gateway);
    expect(run.started_by).toBe('admin@example.com');
    const status = await retentionOf(path.gateway);
    expect(status).toMatchObject({
      running: false,
      due: 3,
      purged: 3,
      waiting: 0,
      last_finished_at: run.finished_at,
      last_error: null,
    });
    expect(status.runs[0]).toEqual(run);
    const { body } = await path.gateway.call(
      'admin',
      'GET',
      '/audit/logs?resource_type=retention/runs&outcome=success',
    );
    const own = body.data.filter((line: { resource_id: string }) => line.resource_id === run.id);
    expect(own).toMatchObject([
      {
        actor: { id: 'gateway' },
        action: 'delete',
        resource_id: run.id,
        changes: expect.arrayContaining([{ field: 'purged', before: null, after: 3 }]),
      },
      { actor: { id: 'admin' }, action: 'create', resource_id: run.id, outcome: 'success' },
    ]);
    expect((await path.gateway.call('admin', 'GET', '/audit/verify')).body.valid).toBe(true);
  });
});
