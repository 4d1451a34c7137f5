import { FailedCredentials } from '../../src/identity/auth/tokens/failed-credentials';
import { SessionController } from '../../src/sessions/reading/session/session.controller';
import { DataSource } from 'typeorm';
import { SessionRow } from '../../src/sessions/recording/session.entity';
import { StoredSessions } from '../../src/sessions/recording/stored-sessions';
import { describeDataPath } from '../support/describe';
import type { Answer, Person } from '../support/gateway';
import { volume } from '../support/volume';

/** Headers that differ in each answer, or describe how its bytes are sent. */
const OF_EACH_ANSWER = ['x-request-id', 'date', 'content-length', 'transfer-encoding'];
/** A header that makes the gateway answer through its router. No session has this entity tag. */
const LONG_WAY = { 'if-none-match': '"no tag of a session"' };

/** Number of concurrent requests for each session and person. */
const SAME = volume(2, 3);

interface Reading {
  read(questions: readonly object[]): Promise<unknown>;
}

function whole({ status, headers, text }: Answer): object {
  return { status, headers: [...headers].filter(([name]) => !OF_EACH_ANSWER.includes(name)), text };
}

describeDataPath('a session that is answered directly', ({ path }) => {
  const sessions: Record<string, string> = {};

  const get = (person: Person | null, id: string, query: string, headers: Record<string, string> = {}) =>
    path.gateway.call(person, 'GET', `/sessions/${id}${query}`, undefined, headers);
  const run = async (script: string): Promise<string> =>
    (await path.run(script, {}, 'alice')).body.session_id;

  beforeAll(async () => {
    sessions['short'] = await run("SELECT 'ü' AS a; SELECT 1/0");
    // The query for a session's row includes at most eight chunks. This output of 2.6 MB (or 4 MB) has more
    // chunks. Its text compresses fast, because the gateway compresses each answer.
    sessions['many chunks'] = await run(
      `SELECT lpad(n::text, 64, '.') FROM generate_series(1, ${volume(40_000, 60_000)}) AS n`,
    );
    sessions['of nobody'] = '0c6a1e0e-6d7a-4c0b-9d53-6f2f0a3c1b11';
    sessions['purged'] = await run('SELECT 2');
    await path.gateway.database.query(
      `UPDATE sessions SET recording_purged_at = now(), script = NULL WHERE id = $1`,
      [sessions['purged']],
    );
  });

  const cases = ['short', 'many chunks', 'of nobody', 'purged'].flatMap((session) =>
    ['', '?expand=event_stream', '?expand=session_input', '?expand=nothing'].map(
      (query) => [session, query] as const,
    ),
  );

  it.each(cases)('has the answer of the router: %s %s', async (session, query) => {
    const id = sessions[session] ?? '';
    for (const person of ['alice', 'bob', 'auditor', 'admin', null] as const) {
      const [direct, routed] = [await get(person, id, query), await get(person, id, query, LONG_WAY)];
      expect({ person, answer: whole(direct) }).toEqual({ person, answer: whole(routed) });
    }
  });

  it.each(['', '?expand=event_stream'])(
    'is the same among many that are read together: %s',
    async (query) => {
      const people = ['alice', 'bob', 'auditor', 'admin'] as const;
      const asked = Object.values(sessions).flatMap((id) => people.map((person) => ({ id, person })));
      const together = await Promise.all(
        asked.flatMap(({ id, person }) => Array.from({ length: SAME }, () => get(person, id, query))),
      );
      for (const [index, { id, person }] of asked.entries()) {
        const alone = whole(await get(person, id, query));
        const answers = together.slice(SAME * index, SAME * (index + 1)).map(whole);
        expect({ id, person, answers }).toEqual({ id, person, answers: answers.map(() => alone) });
      }
    },
  );

  it.each([false, true])('is the row that is read alone, with chunks: %s', async (withChunks) => {
    const stored = path.gateway.app.get(StoredSessions);
    const [{ org_id: orgId } = { org_id: '' }] = await path.gateway.database.query<{ org_id: string }>(
      'SELECT org_id FROM sessions LIMIT 1',
    );
    const ids = [...Object.values(sessions), ...Object.values(sessions)];
    const find = (id: string) => stored.find({ orgId, id, fact: 's.exit_code = 0', withChunks });
    const alone = [];
    for (const id of ids) alone.push(await find(id));
    const read = jest.spyOn(path.gateway.app.get<Reading>(StoredSessions), 'read');
    // The requests below run in one turn of the event loop, so they share one SQL statement.
    expect(alone.some((found) => (found?.session.chunkCount ?? 0) > 8)).toBe(true);
    expect(await Promise.all(ids.map(find))).toEqual(alone);
    expect(read.mock.calls.map(([questions]) => questions.length)).toEqual([ids.length]);
    read.mockRestore();
  });

  it.each(['gzip', 'br', 'identity'])('is compressed as the router does it: %s', async (encoding) => {
    const headers = { 'accept-encoding': encoding };
    for (const session of ['short', 'many chunks']) {
      const id = sessions[session] ?? '';
      const direct = await get('alice', id, '?expand=event_stream', headers);
      expect(whole(direct)).toEqual(
        whole(await get('alice', id, '?expand=event_stream', { ...headers, ...LONG_WAY })),
      );
    }
  });

  it('has the answer of the router for ids in capitals, and for what is no id', async () => {
    const id = sessions['short'] ?? '';
    for (const one of [id.toUpperCase(), `${id}0`, 'verify', '%zz'])
      expect(whole(await get('auditor', one, ''))).toEqual(whole(await get('auditor', one, '', LONG_WAY)));
  });

  it('is the row that the entity manager reads', async () => {
    const { app } = path.gateway;
    for (const id of Object.values(sessions)) {
      await path.gateway.database.query(
        `UPDATE sessions SET metadata = '{"a": [1.5, "\\"ü\\u0001"]}', held_at = '2026-01-02 03:04:05.678901+00',
           held_by = 'auditor', correlation_id = 'c\\' WHERE id = $1 AND recording_purged_at IS NULL`,
        [id],
      );
      const row = await app.get(DataSource).getRepository(SessionRow).findOneBy({ id });
      const orgId = row?.orgId ?? sessions['of nobody'] ?? '';
      const found = await app
        .get(StoredSessions)
        .find({ orgId, id, fact: 's.verb IS NOT NULL', withChunks: false });
      expect(found?.session ?? null).toEqual(row === null ? null : { ...row });
    }
  });

  it('counts a bad credential once', async () => {
    const failed = jest.spyOn(path.gateway.app.get(FailedCredentials), 'failed');
    const bad = await get(null, sessions['short'] ?? '', '', { authorization: 'Bearer gwk_unknown' });
    expect([bad.status, failed.mock.calls.length]).toEqual([401, 1]);
    failed.mockRestore();
  });

  it('takes no router: the controller is not called', async () => {
    const routed = jest.spyOn(path.gateway.app.get(SessionController), 'get');
    const answered = jest.spyOn(path.gateway.app.get(SessionController).direct, 'answer');
    await get('alice', sessions['short'] ?? '', '');
    expect([routed.mock.calls.length, answered.mock.calls.length]).toEqual([0, 1]);
    routed.mockRestore();
    answered.mockRestore();
  });
});
