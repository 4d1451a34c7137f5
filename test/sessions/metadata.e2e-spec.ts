import { parseJson } from '../../src/kernel/json/json';
import { connectReviewed } from '../support/waiting-scripts';
import { describeDataPath } from '../support/describe';
import { as } from '../support/callers';
import { eventually } from '../support/eventually';
import { type Person, startGateway } from '../support/gateway';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Notes of people about a session, while it runs and afterwards. */
describeDataPath('PATCH /sessions/{session_id}/metadata', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));

  const session = async (metadata: object = {}, person: Person = 'alice', connection = 'orders') =>
    (await path.run('SELECT 1', { metadata, connection }, person)).body.session_id as string;
  const patch = (id: string, metadata: unknown, person: Person = 'alice', gateway = path.gateway) =>
    gateway.call(person, 'PATCH', `/sessions/${id}/metadata`, { metadata });
  const verify = (id: string) => path.gateway.call('admin', 'GET', `/sessions/${id}/verify`);
  const stored = async (id: string) => (await path.read(id)).body.metadata as object;
  const keys = (length: number, value: unknown = 'x') =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`key-${index}`, value]));

  // promises: LIFE-6
  it('sets keys, null removes them, all others stay', async () => {
    const id = await session({ ticket: 'OPS-1', kept: { deep: [1, null] }, nested: { a: 1, b: 2 } });
    const answer = await patch(id, { ticket: 'OPS-2', added: true, nested: { a: null }, absent: null });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const expected = { ticket: 'OPS-2', kept: { deep: [1, null] }, nested: { a: null }, added: true };
    expect(await stored(id)).toEqual(expected);
    expect((await patch(id, { ticket: null, nested: null }, 'admin', other)).status).toBe(204);
    expect(await stored(id)).toEqual({ kept: expected.kept, added: true });
    expect((await patch(id, {})).status).toBe(204);
    expect(await stored(id)).toEqual({ kept: expected.kept, added: true });
  });

  // promises: LIFE-6
  it('changes nothing else, in running and finished sessions', async () => {
    const answer = path.run('SELECT pg_sleep(60) AS patched', {}, 'alice');
    await path.untilRunning(/AS patched/);
    const { id } = await path.sessionOf('SELECT pg_sleep(60) AS patched');
    expect((await patch(id, { note: 'running' })).status).toBe(204);
    await path.gateway.call('alice', 'POST', `/sessions/${id}/kill`);
    await answer;
    const { metadata, ...before } = (await path.read(id, '?expand=event_stream')).body;
    expect([metadata, before.status]).toEqual([{ note: 'running' }, 'done']);
    expect((await patch(id, { note: 'over' })).status).toBe(204);
    expect((await path.read(id, '?expand=event_stream')).body).toEqual({
      ...before,
      metadata: { note: 'over' },
    });
  });

  it('holds the result to the limits that POST /sessions has', async () => {
    const id = await session(keys(20));
    const rule = { message: 'metadata must have at most 20 keys of up to 2500 characters' };
    const refused: object[] = [
      { more: 1 },
      { 'key-0': 'x'.repeat(2501) },
      { 'key-0': ['x'.repeat(2500)] },
      { 'key-0': null, ['k'.repeat(2501)]: 1 },
      { 'key-0': 'a\0b' },
      { 'key-0': null, 'a\0b': 1 },
      { 'key-0': { deep: '\ud800' } },
    ];
    for (const metadata of refused) {
      const answer = await patch(id, metadata);
      expect([metadata, answer.status, answer.body]).toEqual([metadata, 422, rule]);
      const run = await path.run('SELECT 1', { metadata: { ...keys(20), ...metadata } });
      // In POST /sessions, null is an ordinary value, because a new session has no key to remove.
      if (!Object.values(metadata).includes(null)) expect([run.status, run.body]).toEqual([422, rule]);
    }
    expect(await stored(id)).toEqual(keys(20));
    expect((await patch(id, { 'key-0': null, ['k'.repeat(2500)]: 'x'.repeat(2500) })).status).toBe(204);
    expect(Object.keys(await stored(id))).toHaveLength(20);
    expect((await patch(id, keys(25, null))).status).toBe(204);
    expect(await stored(id)).toEqual({ ['k'.repeat(2500)]: 'x'.repeat(2500) });
  });

  it('keeps names with escapes, whichever were read before', async () => {
    const names = ['\\', '\n', 'a\\', 'a"', 'a\t'];
    for (const first of names)
      for (const second of names.filter((name) => name !== first)) {
        const metadata = Object.fromEntries([
          [first, 1],
          [second, { [second]: 2 }],
        ]) as object;
        const id = await session(metadata);
        const kept = (parseJson((await path.read(id)).text) as { metadata: object }).metadata;
        expect(Object.entries(kept)).toEqual(expect.arrayContaining(Object.entries(metadata)));
        expect((await verify(id)).body).toMatchObject({ status: 'valid' });
      }
  });

  it('refuses invalid patches', async () => {
    const id = await session({ ticket: 'OPS-1' });
    const before = (await path.read(id)).body;
    const bodies: unknown[] = [
      {},
      { metadata: null },
      { metadata: 'text' },
      { metadata: ['list'] },
      { metadata: {}, status: 'open' },
      { metadata: {}, user_id: 'alice' },
      '{"metadata":{"a":1},"__proto__":{"isAdmin":true}}',
      '{"metadata":',
      [],
    ];
    for (const body of bodies) {
      const answer = await path.gateway.call('alice', 'PATCH', `/sessions/${id}/metadata`, body);
      expect([body, answer.status]).toEqual([body, 400]);
    }
    await path.gateway.call(
      'alice',
      'PATCH',
      `/sessions/${id}/metadata`,
      '{"metadata":{"__proto__":{"a":1}}}',
    );
    expect((await path.read(id)).body).toEqual(before);
    expect((await path.gateway.call('alice', 'PATCH', '/sessions/x/metadata', { metadata: {} })).status).toBe(
      400,
    );
  });

  it('loses no concurrent write, and keeps the limit', async () => {
    const id = await session();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        patch(id, { [`key-${index}`]: index }, 'alice', index % 2 === 0 ? path.gateway : other),
      ),
    );
    const written = answers.flatMap(({ status }, index) => (status === 204 ? [[`key-${index}`, index]] : []));
    expect(written).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(await stored(id)).toEqual(Object.fromEntries(written));
  });

  // promises: LIFE-6
  it('is for the owner and admins; strangers learn nothing', async () => {
    await connectReviewed(path, 'reviewed');
    const own = await session();
    const reviewed = await session({}, 'alice', 'reviewed');
    for (const [person, id, status] of [
      ['alice', reviewed, 204],
      ['admin', reviewed, 204],
      ['bob', reviewed, 403],
      ['bob', own, 404],
      ['bob', NOBODY, 404],
      ['auditor', own, 403],
      ['auditor', NOBODY, 403],
    ] as const) {
      expect([person, id, (await patch(id, { by: person }, person)).status]).toEqual([person, id, status]);
    }
    expect([await stored(own), await stored(reviewed)]).toEqual([{}, { by: 'admin' }]);

    const machine = (await path.gateway.call('admin', 'POST', '/api-keys', { name: 'machine' })).body;
    const run = await as(path.gateway, machine.key, 'POST', '/sessions', {
      connection: 'orders',
      script: 'SELECT 1',
    });
    const to = `/sessions/${run.body.session_id}/metadata`;
    expect((await as(path.gateway, machine.key, 'PATCH', to, { metadata: { by: 'machine' } })).status).toBe(
      204,
    );
    expect(
      (await as(path.gateway, machine.key, 'PATCH', `/sessions/${own}/metadata`, { metadata: {} })).status,
    ).toBe(404);
  });

  it('is in the audit log: old and new values of the changed keys', async () => {
    const id = await session({ ticket: 'OPS-1', kept: 'as it was', password: 'canary-old' });
    await patch(id, { ticket: 'OPS-2', added: 1, password: 'canary-new' });
    await patch(id, { more: 'x'.repeat(2501) });
    const page = await eventually('both lines', async () => {
      const answer = await path.gateway.call(
        'admin',
        'GET',
        '/audit/logs?resource_type=sessions&action=update',
      );
      const own = answer.body.data.filter((line: { resource_id: string }) => line.resource_id === id);
      return own.length === 2 && { own, text: answer.text };
    });
    const changes = (status: number) => page.own.find((line: { status: number }) => line.status === status);
    expect(changes(204)).toMatchObject({
      outcome: 'success',
      actor: { id: 'alice' },
      changes: [
        {
          field: 'metadata',
          before: { ticket: 'OPS-1', password: '[redacted]' },
          after: { ticket: 'OPS-2', added: 1, password: '[redacted]' },
        },
      ],
    });
    expect(changes(422)).toMatchObject({ outcome: 'failed', changes: [] });
    expect(page.text).not.toMatch(/canary|as it was/);
  });
});
