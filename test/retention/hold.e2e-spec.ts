import { describeDataPath } from '../support/describe';
import { type Person, startGateway } from '../support/gateway';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Recordings that must not be removed while a person may still need them. */
describeDataPath('PUT /sessions/{session_id}/hold', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));

  const session = async () => (await path.run('SELECT 1', {}, 'alice')).body.session_id as string;
  const put = (id: string, body: unknown, person: Person | null = 'admin', gateway = path.gateway) =>
    gateway.call(person, 'PUT', `/sessions/${id}/hold`, body);
  const holdOf = async (id: string, person: Person = 'auditor') =>
    (await path.read(id, '', person)).body.hold;
  const listed = async (id: string, person: Person) => {
    const { body } = await path.gateway.call(person, 'GET', '/sessions?limit=100');
    return body.data.find((one: { id: string }) => one.id === id)?.hold;
  };

  // promises: HOLD-1
  it('sets a hold with its author and reason, idempotently, and releases it', async () => {
    const id = await session();
    expect(await holdOf(id)).toBeNull();
    const answer = await put(id, { held: true, reason: 'case 1' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const hold = await holdOf(id);
    expect(hold).toEqual({
      held_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      held_by: 'admin@example.com',
      reason: 'case 1',
    });
    expect((await put(id, { held: true, reason: 'case 1' }, 'admin', other)).status).toBe(204);
    expect(await holdOf(id)).toEqual(hold);
    await put(id, { held: true, reason: 'case 2' });
    expect(await holdOf(id)).toEqual({ ...hold, reason: 'case 2' });
    await put(id, { held: true });
    expect(await holdOf(id)).toEqual({ ...hold, reason: null });
    for (const _ of ['release', 'release again']) {
      expect((await put(id, { held: false, reason: 'closed' })).status).toBe(204);
      expect(await holdOf(id)).toBeNull();
    }
  });

  it('is one hold under concurrent requests, and changes nothing else', async () => {
    const id = await session();
    const { hold: _, ...before } = (await path.read(id, '?expand=event_stream')).body;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (__, index) =>
        put(id, { held: true, reason: 'case' }, 'admin', index % 2 === 0 ? path.gateway : other),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204));
    const { hold, ...after } = (await path.read(id, '?expand=event_stream')).body;
    expect([hold.reason, after]).toEqual(['case', before]);
    const lines = await path.gateway.database.query<{ changes: unknown[] }>(
      `SELECT changes FROM audit_log WHERE resource_id = $1 AND resource_type = 'sessions' AND status = 204`,
      [id],
    );
    expect(lines.map(({ changes }) => changes.length).sort((a, b) => a - b)).toEqual([
      ...Array(9).fill(0),
      1,
    ]);
  });

  // promises: HOLD-1
  it('is set by admins, seen by auditors, and hidden from the session’s owner', async () => {
    const id = await session();
    for (const [person, to, status] of [
      ['alice', id, 403],
      ['bob', id, 403],
      ['bob', NOBODY, 403],
      ['auditor', id, 403],
      [null, id, 401],
      ['admin', NOBODY, 404],
      ['admin', 'x', 400],
    ] as const) {
      expect([person, to, (await put(to, { held: true }, person)).status]).toEqual([person, to, status]);
    }
    expect(await holdOf(id)).toBeNull();
    await put(id, { held: true, reason: 'canary' });
    for (const person of ['admin', 'auditor'] as const) {
      expect([await holdOf(id, person), await listed(id, person)]).toEqual([
        expect.objectContaining({ reason: 'canary' }),
        expect.objectContaining({ reason: 'canary' }),
      ]);
    }
    expect([await holdOf(id, 'alice'), await listed(id, 'alice')]).toEqual([null, null]);
    expect((await path.read(id, '', 'alice')).text).not.toContain('canary');
  });

  it.each([
    [400, {}],
    [400, { held: 'true' }],
    [400, { held: 1 }],
    [400, { held: null }],
    [400, { held: true, reason: 7 }],
    [400, { held: true, held_by: 'auditor@example.com' }],
    [400, { held: true, held_at: '2001-01-01T00:00:00Z' }],
    [400, []],
    [400, '{"held":true,"__proto__":{"held_by":"x"}}'],
    [422, { held: true, reason: 'x'.repeat(2_049) }],
    [422, { held: true, reason: 'a\0b' }],
  ])('answers %i to %j, and holds nothing', async (status, body) => {
    const id = await session();
    expect((await put(id, body)).status).toBe(status);
    expect(await holdOf(id)).toBeNull();
  });

  it('is in the audit log, with the reason of its release', async () => {
    const id = await session();
    await put(id, { held: true, reason: 'case 1' });
    await put(id, { held: false, reason: 'case closed' });
    const { body } = await path.gateway.call(
      'admin',
      'GET',
      '/audit/logs?resource_type=sessions&action=update',
    );
    const hold = { held_at: expect.any(String), held_by: 'admin@example.com', reason: 'case 1' };
    expect(body.data.filter((line: { resource_id: string }) => line.resource_id === id)).toMatchObject([
      {
        outcome: 'success',
        changes: [
          { field: 'hold', before: hold, after: null },
          { field: 'release_reason', before: null, after: 'case closed' },
        ],
      },
      { actor: { id: 'admin' }, changes: [{ field: 'hold', before: null, after: hold }] },
    ]);
  });
});
