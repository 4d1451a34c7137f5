import { as, groupsOf, whoIs } from '../support/callers';
import { describeHostileProvider } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { trusting } from '../support/hostile-provider';
import { type ScimProvider, scimProvider, sendScim } from '../support/scim/provider';
import { volume } from '../support/volume';

const SETTINGS = { environment: { SCIM_MATCH_CLAIM: 'oid', ADMIN_EMAILS: 'root@example.com' } };

describeHostileProvider('people whom SCIM provisions', SETTINGS, ({ provider, gateway }) => {
  let scim: ScimProvider;
  const signIn = (sub: string, oid: string | undefined, more: object = {}) =>
    provider.token({ sub, oid, email: `${sub}@example.com`, jti: crypto.randomUUID(), ...more });
  let root: string;
  const statusOf = async (token: string) => (await whoIs(gateway, token)).status;

  beforeAll(async () => {
    root = signIn('root', 'oid-root', { email_verified: true });
    expect((await whoIs(gateway, root)).body.role).toBe('admin');
    scim = await scimProvider(gateway, (...given) => as(gateway, root, ...given));
  });

  // promises: SCIM-9
  it('have their groups from the first sign-in on, linked by the claim alone', async () => {
    const ada = await scim.user('oid-ada', { emails: [{ value: 'victim@example.com', type: 'work' }] });
    await scim.group('builders', [ada]);
    // Only the claim links accounts. An e-mail address in SCIM or a name in a token must not.
    const victim = signIn('victim', undefined, { email_verified: true });
    expect((await whoIs(gateway, victim)).body.groups).toEqual([]);
    const impostor = signIn('oid-ada', 'another', {
      email: 'oid-ada@example.com',
      email_verified: true,
      preferred_username: 'oid-ada@example.com',
    });
    expect((await whoIs(gateway, impostor)).body.groups).toEqual([]);

    const token = signIn('pairwise-1', 'oid-ada');
    expect((await whoIs(gateway, token)).body).toMatchObject({ id: 'pairwise-1', groups: ['builders'] });
    expect(await groupsOf(gateway, 'pairwise-1')).toEqual(['scim:builders']);
  });

  // promises: SCIM-9, SCIM-10
  it('who signed in before are linked when they are provisioned, and follow every change of their groups', async () => {
    const token = signIn('early', 'oid-early', { groups: ['claimed'] });
    expect((await whoIs(gateway, token)).body.groups).toEqual(['claimed']);
    await as(gateway, root, 'PATCH', '/users/early', { groups: ['by hand'] });
    const early = await scim.user('oid-early');
    const groupsNow = async () => (await whoIs(gateway, token)).body.groups as string[];
    const group = await scim.group('night shift', [early]);
    expect(await groupsNow()).toEqual(['by hand', 'claimed', 'night shift']);
    expect((await as(gateway, root, 'GET', '/users/early')).body).toMatchObject({
      groups: ['by hand'],
      idp_groups: ['claimed'],
      scim_groups: ['night shift'],
    });
    await scim.patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'day shift' });
    expect(await groupsNow()).toEqual(['by hand', 'claimed', 'day shift']);
    // A token without the claim, or with other groups, does not change the groups from SCIM.
    await whoIs(gateway, signIn('early', undefined, { groups: [] }));
    expect(await groupsOf(gateway, 'early')).toEqual(['manual:by hand', 'scim:day shift']);
    await scim.send('DELETE', `/Groups/${group}`);
    expect(await groupsNow()).toEqual(['by hand']);
  });

  it('see their groups in the list of groups, which SCIM alone deletes', async () => {
    const group = await scim.group('declared');
    expect((await as(gateway, root, 'GET', '/groups/declared')).body).toMatchObject({ members: 0 });
    expect((await as(gateway, root, 'DELETE', '/groups/declared')).status).toBe(409);
    await scim.send('DELETE', `/Groups/${group}`);
    expect((await as(gateway, root, 'GET', '/groups/declared')).status).toBe(404);
  });

  // promises: SCIM-11
  it('may not act while SCIM says inactive, nor after SCIM deleted them, whatever their token', async () => {
    const token = signIn('leaver', 'oid-leaver');
    expect(await statusOf(token)).toBe(200);
    const leaver = await scim.user('oid-leaver');
    await scim.group('leavers', [leaver]);
    await scim.patch(`/Users/${leaver}`, { op: 'Replace', path: 'active', value: 'False' });
    expect([await statusOf(token), await groupsOf(gateway, 'leaver')]).toEqual([401, []]);
    await scim.patch(`/Users/${leaver}`, { op: 'Replace', path: 'active', value: 'True' });
    expect([await statusOf(token), await groupsOf(gateway, 'leaver')]).toEqual([200, ['scim:leavers']]);
    await scim.send('DELETE', `/Users/${leaver}`);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(signIn('leaver', 'oid-leaver'))).toBe(401);
    // A deleted user is also refused with another subject, or if the deletion came before the first sign-in.
    expect(await statusOf(signIn('leaver-again', 'oid-leaver'))).toBe(401);
    await scim.send('DELETE', `/Users/${await scim.user('oid-never')}`);
    expect(await statusOf(signIn('never', 'oid-never'))).toBe(401);
    const back = await scim.user('oid-leaver');
    expect(back).not.toBe(leaver);
    expect([await statusOf(token), await groupsOf(gateway, 'leaver')]).toEqual([200, []]);
  });

  // promises: SCIM-11
  it.each<[string, (user: string) => Promise<{ status: number }>]>([
    ['removes active', (user) => scim.patch(user, { op: 'remove', path: 'active' })],
    ['sets active to nothing', (user) => scim.patch(user, { op: 'replace', path: 'active', value: null })],
    ['has nothing in active', (user) => scim.patch(user, { op: 'add', value: { active: null } })],
    ['replaces them without active', (user) => scim.send('PUT', user, { userName: 'silent@example.com' })],
    [
      'replaces them with nothing in active',
      (user) => scim.send('PUT', user, { userName: 'silent@example.com', active: null }),
    ],
  ])('stay away when SCIM %s', async (name, say) => {
    const oid = `oid-silent ${name}`;
    const token = signIn(`silent ${name}`, oid);
    expect(await statusOf(token)).toBe(200);
    const id = await scim.user(oid);
    await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect(await statusOf(token)).toBe(401);
    expect((await say(`/Users/${id}`)).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(signIn(`silent again ${name}`, oid))).toBe(401);
    await scim.send('DELETE', `/Users/${id}`);
  });

  // promises: SCIM-11
  it.each<[string, (user: string) => Promise<{ status: number }>]>([
    [
      'replaces them without an external id',
      (user) => scim.send('PUT', user, { userName: 'gone@example.com', active: false }),
    ],
    [
      'takes the external id away, too',
      (user) =>
        scim.patch(user, { op: 'remove', path: 'externalId' }, { op: 'replace', value: { active: false } }),
    ],
    [
      'changes the external id, too',
      (user) =>
        scim.patch(user, { op: 'replace', value: { active: false, externalId: crypto.randomUUID() } }),
    ],
  ])('are gone when SCIM deactivates them and %s', async (name, say) => {
    const oid = `oid-gone ${name}`;
    const token = signIn(`gone ${name}`, oid);
    expect(await statusOf(token)).toBe(200);
    const id = await scim.user(oid);
    expect((await say(`/Users/${id}`)).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
    await scim.send('DELETE', `/Users/${id}`);
  });

  // promises: SCIM-12
  it('whom an admin deactivated stay so, until SCIM says another thing than before', async () => {
    const token = signIn('blocked', 'oid-blocked');
    await whoIs(gateway, token);
    const id = await scim.user('oid-blocked');
    await as(gateway, root, 'PATCH', '/users/blocked', { status: 'inactive' });
    await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: true, title: 'Dr' } });
    expect(await statusOf(token)).toBe(401);
    await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
    expect(await statusOf(token)).toBe(200);
  });

  // promises: SCIM-13
  it('get no role from SCIM unless it is configured, in no spelling of the group', async () => {
    const id = await scim.user('oid-climber');
    for (const displayName of ['admin', ' admin ', 'auditor']) {
      const refused = await scim.send('POST', '/Groups', { displayName, members: [{ value: id }] });
      expect([displayName, refused.status]).toEqual([displayName, 403]);
    }
    const group = await scim.group('climbers', [id]);
    const renamed = await scim.patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'admin' } });
    expect(renamed.status).toBe(403);
    const token = signIn('climber', 'oid-climber');
    expect((await whoIs(gateway, token)).body).toMatchObject({ role: 'regular', groups: ['climbers'] });
    for (const displayName of ['Admin', 'ａｄｍｉｎ', 'аdmin']) await scim.group(displayName, [id]);
    expect((await whoIs(gateway, token)).body.role).toBe('regular');
  });

  // promises: SCIM-11
  it('cannot take the last active admin away', async () => {
    const id = await scim.user('oid-root');
    for (const answer of [
      await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } }),
      await scim.send('DELETE', `/Users/${id}`),
    ])
      expect([answer.status, answer.body.detail]).toEqual([409, 'the last active admin cannot be removed']);
    expect(await statusOf(root)).toBe(200);
  });

  // promises: SCIM-14
  it('are written to the audit log with the token as actor', async () => {
    const id = await scim.user('oid-audited');
    await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    await scim.send('POST', '/Users', { userName: 'oid-audited@example.com' });
    const line = async (more: string) =>
      (await as(gateway, root, 'GET', `/audit/logs?actor=scim-token:${scim.id}&page_size=1&${more}`)).body
        .data[0] as object;
    expect(await line('outcome=success')).toMatchObject({
      actor: { id: `scim-token:${scim.id}`, email: '', type: 'machine' },
      action: 'update',
      resource_type: 'scim/v2/Users',
      resource_id: id,
      changes: [{ field: 'active', before: true, after: false }, expect.anything()],
    });
    // Filters by the action `create`, because earlier tests were refused other actions.
    const refused = () => line('outcome=failed&action=create');
    await eventually('the refusal is written', async () => (await refused()) !== undefined);
    expect(await refused()).toMatchObject({ status: 409, action: 'create' });
  });

  it('are not missed when they sign in at the moment at which SCIM deactivates them', async () => {
    for (let round = 0; round < volume(4, 10); round += 1) {
      const oid = `oid-race-${round}`;
      const id = await scim.user(oid);
      const token = signIn(`race-${round}`, oid);
      await Promise.all([
        whoIs(gateway, token),
        scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } }),
      ]);
      expect([round, await statusOf(token)]).toEqual([round, 401]);
    }
  });
});

describeHostileProvider(
  'a gateway whose roles come from SCIM',
  { environment: { SCIM_ROLE_GROUPS: 'true', ADMIN_EMAILS: 'root@example.com' } },
  ({ provider, gateway, begin }) => {
    // promises: SCIM-13
    it('makes admins of the members of the admin group, linked by sub', async () => {
      const root = provider.token({ sub: 'root', email: 'root@example.com', email_verified: true });
      await whoIs(gateway, root);
      const scim = await scimProvider(gateway, (...given) => as(gateway, root, ...given));
      const id = await scim.user('00u-grace');
      const group = await scim.group('admin', [id]);
      const token = provider.token({ sub: '00u-grace', email: 'grace@example.com' });
      expect((await whoIs(gateway, token)).body.role).toBe('admin');
      await scim.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${id}"]` });
      expect((await whoIs(gateway, token)).body.role).toBe('regular');
    });

    describe('and no longer do', () => {
      const strict = begin(() =>
        startGateway({
          beside: gateway,
          environment: {
            ...trusting(provider),
            ADMIN_EMAILS: 'root@example.com',
            SCIM_ROLE_GROUPS: 'false',
          },
        }),
      );

      // promises: SCIM-13
      it('gives nobody a role for a group that is still there, whatever SCIM says', async () => {
        const root = provider.token({ sub: 'root', email: 'root@example.com', email_verified: true });
        const loose = await scimProvider(gateway, (...given) => as(gateway, root, ...given));
        const before = await loose.user('00u-before');
        const auditors = await loose.group('auditor', [before]);
        const later = await loose.user('00u-later');
        await loose.patch(`/Groups/${auditors}`, { op: 'add', path: 'members', value: [{ value: later }] });
        const send = (method: string, path: string, body: object) =>
          sendScim(strict, loose.token, method, path, body);
        const say = (path: string, operation: object) => send('PATCH', path, { Operations: [operation] });
        for (const [name, act] of [
          ['signs in', async () => undefined],
          ['changes', () => say(`/Users/${before}`, { op: 'replace', path: 'title', value: 'Dr' })],
          ['goes', () => say(`/Users/${before}`, { op: 'replace', path: 'active', value: false })],
          ['comes back', () => say(`/Users/${before}`, { op: 'replace', path: 'active', value: true })],
          [
            'joins another group',
            () =>
              send('POST', '/Groups', {
                displayName: 'others',
                members: [{ value: before }, { value: later }],
              }),
          ],
        ] as const) {
          await act();
          for (const sub of ['00u-before', '00u-later']) {
            const token = provider.token({ sub, email: `${sub}@example.com`, jti: crypto.randomUUID() });
            const { body } = await whoIs(strict, token);
            expect([name, sub, body.role ?? 'regular', body.groups ?? []]).toEqual([
              name,
              sub,
              'regular',
              expect.not.arrayContaining(['auditor']),
            ]);
          }
        }
      });
    });
  },
);
