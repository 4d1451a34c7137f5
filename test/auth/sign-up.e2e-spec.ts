import { randomUUID } from 'node:crypto';
import { describeHostileProvider } from '../support/describe';
import { groupsOf, usersOf, whoIs } from '../support/callers';

describeHostileProvider('sign-up at first sight', ({ provider, gateway }) => {
  const signIn = (claims: Record<string, unknown>) => whoIs(gateway, provider.token(claims));
  const rowOf = async (subject: string) => (await usersOf(gateway)).find((user) => user.subject === subject);

  // promises: AUTH-4, AUTH-5, AUTH-6
  it('makes a row: active, in the default organization, with the profile of the token', async () => {
    const answer = await signIn({
      sub: 'nina',
      email: 'nina@example.com',
      name: 'Nina New',
      groups: ['dba'],
    });
    expect(answer.body).toEqual({
      id: 'nina',
      email: 'nina@example.com',
      name: 'Nina New',
      groups: ['dba'],
      role: 'regular',
      is_admin: false,
      status: 'active',
      identity_type: 'user',
      org_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      org_name: 'default',
    });
    expect(await rowOf('nina')).toEqual({
      subject: 'nina',
      email: 'nina@example.com',
      name: 'Nina New',
      status: 'active',
      org: 'default',
    });
  });

  it('updates the profile, and keeps fields that a later token lacks', async () => {
    await signIn({ sub: 'renate', email: 'r@example.com', name: 'Renate' });
    await signIn({ sub: 'renate', email: 'renate@example.com', name: 'Renate Renamed' });
    expect(await rowOf('renate')).toMatchObject({ email: 'renate@example.com', name: 'Renate Renamed' });
    await signIn({ sub: 'renate', email: 'x'.repeat(300), name: undefined });
    await signIn({ sub: 'renate', email: undefined, name: { first: 'R' } });
    expect(await rowOf('renate')).toMatchObject({ email: 'renate@example.com', name: 'Renate Renamed' });
  });

  it('uses the e-mail or the subject when there is no name', async () => {
    await signIn({ sub: 'nameless', email: 'nameless@example.com', name: undefined });
    await signIn({ sub: 'bare', email: undefined, name: undefined });
    expect((await rowOf('nameless'))?.name).toBe('nameless@example.com');
    expect(await rowOf('bare')).toMatchObject({ name: 'bare', email: '' });
  });

  // promises: AUTH-4
  it('never identifies by e-mail: two subjects with one e-mail are two people', async () => {
    const email = 'shared@example.com';
    await signIn({ sub: 'first', email, email_verified: true, groups: ['admin'] });
    const second = await signIn({ sub: 'second', email, email_verified: true });
    expect(second.body).toMatchObject({ id: 'second', email, role: 'regular', groups: [] });
    expect((await usersOf(gateway)).filter((user) => user.email === email)).toHaveLength(2);
  });

  it('takes subjects literally', async () => {
    const subjects = [
      'Case',
      'case',
      'case ',
      ' case',
      'ｃａｓｅ',
      "o'case; DROP TABLE users",
      '\u00e9',
      'e\u0301',
      '🙂',
    ];
    const ids = await Promise.all(subjects.map(async (sub) => (await signIn({ sub })).body.id as string));
    expect(ids).toEqual(subjects);
    const rows = (await usersOf(gateway)).map((user) => user.subject);
    expect(rows.filter((subject) => subjects.includes(subject))).toHaveLength(subjects.length);
  });

  it('creates one row for concurrent first requests', async () => {
    const tokens = Array.from({ length: 12 }, (_, n) => provider.token({ sub: 'eager', jti: String(n) }));
    const answers = await Promise.all([...tokens, ...tokens].map((token) => whoIs(gateway, token)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect((await usersOf(gateway)).filter((user) => user.subject === 'eager')).toHaveLength(1);
  });
});

const SETTINGS = { environment: { ADMIN_EMAILS: 'ada@example.com, Eve@example.com' } };

// promises: USER-4
describeHostileProvider('the first admin (ADMIN_EMAILS)', SETTINGS, ({ provider, gateway }) => {
  const listed = { email: 'ada@example.com', email_verified: true };

  beforeEach(() => gateway.database.query('DELETE FROM users'));

  const roleOf = async (claims: Record<string, unknown>): Promise<string> =>
    (await whoIs(gateway, provider.token({ jti: randomUUID(), ...claims }))).body.role;

  it('is the first who signs in with a listed e-mail, in any letter case', async () => {
    expect(await roleOf({ sub: 'eve', email: 'EVE@Example.COM', email_verified: true })).toBe('admin');
    expect(await groupsOf(gateway, 'eve')).toEqual(['manual:admin']);
    expect(await roleOf({ sub: 'ada', ...listed })).toBe('regular');
    // The admin role stays, whatever groups the provider reports later.
    expect(await roleOf({ sub: 'eve', email: 'eve@example.com', groups: [] })).toBe('admin');
  });

  it.each([true, 'true'])('is a person whose email_verified is %p', async (verified) => {
    expect(await roleOf({ sub: 'ada', ...listed, email_verified: verified })).toBe('admin');
  });

  it.each([false, undefined, null, 'false', 'True', 'true ', 'yes', '1', '', 1, {}, ['true']])(
    'is nobody whose email_verified is %p',
    async (verified) => {
      expect(await roleOf({ sub: 'ada', ...listed, email_verified: verified })).toBe('regular');
    },
  );

  it('is nobody with a look-alike e-mail', async () => {
    for (const email of [
      'ada@example.com.evil.test',
      ' ada@example.com',
      '\u0430da@example.com',
      'ada@example.com\n',
    ])
      expect(await roleOf({ sub: 'eve', email, email_verified: true })).toBe('regular');
    expect(await roleOf({ sub: 'eve', email: ['ada@example.com'], email_verified: true })).toBe('regular');
  });

  it('is nobody while there is an admin already', async () => {
    expect(await roleOf({ sub: 'root', groups: ['admin'] })).toBe('admin');
    expect(await roleOf({ sub: 'ada', ...listed })).toBe('regular');
  });

  it('is no inactive user', async () => {
    await roleOf({ sub: 'ada' });
    await gateway.database.query(`UPDATE users SET status = 'inactive'`);
    expect((await whoIs(gateway, provider.token({ sub: 'ada', ...listed }))).status).toBe(401);
    expect(await groupsOf(gateway, 'ada')).toEqual([]);
    expect(await roleOf({ sub: 'eve', email: 'eve@example.com', email_verified: true })).toBe('admin');
  });

  it('is one of two concurrent sign-ins', async () => {
    for (let round = 0; round < 5; round++) {
      await gateway.database.query('DELETE FROM users');
      const roles = await Promise.all([
        roleOf({ sub: 'ada', ...listed }),
        roleOf({ sub: 'eve', email: 'eve@example.com', email_verified: true }),
      ]);
      expect(roles.sort()).toEqual(['admin', 'regular']);
    }
  });
});
