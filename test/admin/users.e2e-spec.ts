import * as fc from '../support/fast-check';
import { describeGateway } from '../support/describe';
import { as, groupsOf, whoIs } from '../support/callers';
import { SLOWEST, eventually } from '../support/eventually';
import { passwordToken } from '../support/gateway';

/** People and groups that admins set, beside those of the identity provider. */
describeGateway('the administration of users', ({ gateway }) => {
  beforeAll(async () => {
    for (const person of ['admin', 'auditor', 'alice'] as const)
      await gateway.call(person, 'GET', '/userinfo');
  });

  const admin = (method: string, path: string, body?: unknown) => gateway.call('admin', method, path, body);
  const post = (body: object) => admin('POST', '/users', body);
  const signIn = () => passwordToken(gateway.provider.issuer, 'bob');
  const idpSays = (groups: string[]) => {
    const bob = gateway.provider.users.get('bob');
    if (bob !== undefined) bob.groups = groups;
  };

  it('shows a user with groups of both kinds, by subject, to auditors too', async () => {
    const answer = await gateway.call('auditor', 'GET', '/users/alice');
    expect(answer.body).toEqual({
      id: 'alice',
      user_id: expect.stringMatching(/^[\da-f-]{36}$/),
      org_id: expect.any(String),
      email: 'alice@example.com',
      name: 'Alice Engineer',
      status: 'active',
      role: 'regular',
      groups: [],
      idp_groups: ['engineering'],
      scim_groups: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await admin('GET', '/users/nobody')).status).toBe(404);
    expect((await admin('PATCH', '/users/nobody', { name: 'x' })).status).toBe(404);
    expect((await admin('DELETE', '/users/nobody')).status).toBe(404);
  });

  it('finds users by a part of the name, e-mail or subject, without wildcards', async () => {
    const found = async (search: string) => {
      const { body } = await admin('GET', `/users?search=${encodeURIComponent(search)}`);
      return body.data.map((user: { id: string }) => user.id).sort();
    };
    expect(await found('ALICE')).toEqual(['alice']);
    expect(await found('Auditor')).toEqual(['auditor']);
    expect(await found('@example.com')).toEqual(['admin', 'alice', 'auditor']);
    expect(await found('%')).toEqual([]);
    expect(await found('_lice')).toEqual([]);
    expect(await found('\\')).toEqual([]);
    const page = (await admin('GET', '/users?page=2&page_size=2')).body;
    expect([page.data.length, page.pages]).toEqual([1, { page: 2, size: 2, total: 3 }]);
  });

  it('refuses invalid bodies, and writes nothing', async () => {
    const before = (await admin('GET', '/users')).body.pages.total;
    for (const [body, status] of [
      [{ id: 'x' }, 400],
      [{ id: 'x', email: 'no address' }, 422],
      [{ id: '', email: 'x@example.com' }, 422],
      [{ id: 'x'.repeat(257), email: 'x@example.com' }, 422],
      [{ id: 'a\0b', email: 'x@example.com' }, 422],
      [{ id: 'x', email: 'x@example.com', status: 'asleep' }, 422],
      [{ id: 'x', email: 'x@example.com', groups: 'dba' }, 400],
      [{ id: 'x', email: 'x@example.com', groups: [''] }, 422],
      [{ id: 'x', email: 'x@example.com', is_admin: true }, 400],
      [{ id: 'alice', email: 'x@example.com' }, 409],
    ] as const) {
      const answer = await post(body);
      expect([body, answer.status]).toEqual([body, status]);
    }
    expect((await admin('GET', '/users')).body.pages.total).toBe(before);
    for (const body of [{ status: null }, { name: null }]) {
      const answer = await admin('PATCH', '/users/alice', body);
      expect([body, answer.status]).toEqual([body, 400]);
    }
    expect((await admin('GET', '/users/alice')).body).toMatchObject({
      status: 'active',
      name: 'Alice Engineer',
    });
  });

  // promises: USER-7, AUTH-9
  it('creates a person ahead of the first sign-in, which finds the row and keeps the manual groups', async () => {
    const created = await post({
      id: 'bob',
      email: 'old@example.com',
      groups: ['auditor', 'auditor', 'night'],
    });
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({
        role: 'auditor',
        groups: ['auditor', 'night'],
        idp_groups: [],
        name: 'old@example.com',
      }),
    ]);
    const token = await signIn();
    expect((await whoIs(gateway, token)).body).toMatchObject({
      email: 'bob@example.com',
      role: 'auditor',
      groups: ['auditor', 'dba', 'night'],
    });
    expect((await admin('GET', '/users/bob')).body).toMatchObject({
      user_id: created.body.user_id,
      email: 'bob@example.com',
      groups: ['auditor', 'night'],
      idp_groups: ['dba'],
    });
  });

  // promises: HTTP-3
  it('read-only fields of a user change nothing', async () => {
    const { body: before } = await admin('GET', '/users/bob');
    const answer = await admin('PATCH', '/users/bob', {
      ...before,
      id: 'admin',
      user_id: before.org_id,
      org_id: before.user_id,
      email: 'admin@example.com',
      idp_groups: ['admin'],
      role: 'admin',
      created_at: '2000-01-01T00:00:00Z',
    });
    expect([answer.status, { ...answer.body, updated_at: 0 }]).toEqual([200, { ...before, updated_at: 0 }]);
  });

  it('inactivity applies at once, also to invited users', async () => {
    const token = await signIn();
    expect((await whoIs(gateway, token)).status).toBe(200);
    expect((await admin('PATCH', '/users/bob', { status: 'inactive' })).status).toBe(200);
    await eventually('bob is out', async () => (await whoIs(gateway, token)).status === 401, 1_000 * SLOWEST);
    expect((await whoIs(gateway, await signIn())).body).toEqual({ message: 'this user is inactive' });
    await admin('PATCH', '/users/bob', { status: 'active', groups: [] });
    await eventually(
      'bob is back',
      async () => (await whoIs(gateway, token)).body.role === 'regular',
      1_000 * SLOWEST,
    );
    expect(await groupsOf(gateway, 'bob')).toEqual(['idp:dba']);
  });

  // promises: USER-8
  it('a deleted user is refused; a new sign-in starts without manual groups', async () => {
    await admin('PATCH', '/users/bob', { groups: ['auditor'] });
    const token = await signIn();
    await eventually('bob reads', async () => (await whoIs(gateway, token)).body.role === 'auditor');
    expect((await admin('DELETE', '/users/bob')).status).toBe(204);
    await eventually('bob is out', async () => (await whoIs(gateway, token)).status === 401, 1_000 * SLOWEST);
    expect((await whoIs(gateway, await signIn())).body).toMatchObject({ role: 'regular', groups: ['dba'] });
  });

  it('manual groups survive any sign-ins, and the role follows from the groups', async () => {
    const groups = fc.subarray(['admin', 'auditor', 'dba', 'night']);
    const step = fc.oneof(
      groups.map((given) => ({ by: 'idp' as const, given })),
      groups.map((given) => ({ by: 'hand' as const, given })),
    );
    let [idp, manual] = [['dba'], [] as string[]];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const { by, given } of steps) {
          if (by === 'hand') {
            manual = given;
            expect((await admin('PATCH', '/users/bob', { groups: given })).status).toBe(200);
          } else {
            idp = given;
            idpSays(given);
            await whoIs(gateway, await signIn());
          }
          const all = [...new Set([...idp, ...manual])].sort();
          const role = all.includes('admin') ? 'admin' : all.includes('auditor') ? 'auditor' : 'regular';
          const seen = (await admin('GET', '/users/bob')).body;
          expect([seen.groups, seen.idp_groups, seen.role]).toEqual([
            manual.toSorted(),
            idp.toSorted(),
            role,
          ]);
        }
        const token = await signIn();
        const all = [...new Set([...idp, ...manual])].sort();
        expect((await whoIs(gateway, token)).body.groups).toEqual(all);
      }),
      { numRuns: 8 },
    );
    idpSays(['dba']);
    await whoIs(gateway, await signIn());
  });

  describe('groups', () => {
    const list = async () =>
      Object.fromEntries(
        (await admin('GET', '/groups')).body.data.map((g: { name: string; members: number }) => [
          g.name,
          g.members,
        ]),
      );

    // promises: GROUP-1
    it('are declared, counted, and deleted with their manual memberships only', async () => {
      expect((await admin('POST', '/groups', { name: 'ops', description: 'on call' })).body).toEqual({
        name: 'ops',
        description: 'on call',
        members: 0,
      });
      expect((await admin('POST', '/groups', { name: 'ops' })).status).toBe(409);
      await admin('PATCH', '/users/alice', { groups: ['ops', 'dba', 'engineering'] });
      await admin('PATCH', '/users/bob', { groups: ['dba'] });
      expect(await list()).toMatchObject({ ops: 1, dba: 2, engineering: 1, admin: 1 });
      expect((await admin('DELETE', '/groups/ops')).status).toBe(204);
      expect((await admin('DELETE', '/groups/ops')).status).toBe(404);
      expect((await admin('DELETE', '/groups/dba')).status).toBe(204);
      expect(await groupsOf(gateway, 'bob')).toEqual(['idp:dba']);
      expect(await groupsOf(gateway, 'alice')).toEqual(['idp:engineering', 'manual:engineering']);
      expect(await list()).toMatchObject({ dba: 1 });
      expect(await list()).not.toHaveProperty('ops');
    });

    // promises: GROUP-1
    it('the admin group cannot be deleted', async () => {
      expect((await admin('DELETE', '/groups/admin')).body).toEqual({
        message: 'the admin group cannot be deleted',
      });
    });

    it('removing a group removes the role at once', async () => {
      await admin('PATCH', '/users/bob', { groups: ['auditor'] });
      const token = await signIn();
      await eventually('bob reads', async () => (await as(gateway, token, 'GET', '/users')).status === 200);
      await admin('DELETE', '/groups/auditor');
      await eventually(
        'bob does not',
        async () => (await as(gateway, token, 'GET', '/users')).status === 403,
        1_000 * SLOWEST,
      );
    });
  });
});
