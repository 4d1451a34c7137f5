import { randomUUID } from 'node:crypto';
import * as fc from '../support/fast-check';
import { describeHostileProvider } from '../support/describe';
import { UserSignIn } from '../../src/identity/auth/sign-in/user-sign-in';
import { groupsOf, whoIs } from '../support/callers';
import { startGateway } from '../support/gateway';
import { json, nowInSeconds, trusting } from '../support/hostile-provider';
import { beginLogin, comeBack } from '../support/login';
import { volume } from '../support/volume';

/** Groups claims, and the groups that they leave to a user who was in `dba`. */
const statements: [string, Record<string, unknown>, string[]][] = [
  ['absent', {}, ['dba']],
  ['an array', { groups: ['ops', 'dev'] }, ['dev', 'ops']],
  ['a string', { groups: 'ops' }, ['ops']],
  ['an empty array', { groups: [] }, []],
  ['an empty string', { groups: '' }, []],
  ['duplicated', { groups: ['ops', 'ops', 'ops'] }, ['ops']],
  [
    'look-alikes of a role',
    { groups: ['Admin', 'admin ', '\u00A0admin', 'admin\u200B', 'ADMIN'] },
    ['ADMIN', 'Admin'],
  ],
  ['another form of a name', { groups: [' cafe\u0301'] }, ['caf\u00E9']],
  ['full-width', { groups: ['ａｄｍｉｎ'] }, ['ａｄｍｉｎ']],
  ['Cyrillic', { groups: ['\u0430dmin'] }, ['\u0430dmin']],
  ['a list in a string', { groups: 'admin,ops' }, ['admin,ops']],
  ['another claim', { roles: ['admin'], Groups: ['admin'] }, ['dba']],
];

/** Malformed groups claims, which neither add nor remove groups. */
const malformed: [string, Record<string, unknown>][] = [
  ['nested', { groups: [['admin']] }],
  ['an object', { groups: { admin: true } }],
  ['an object that looks like an array', { groups: { 0: 'admin', length: 1 } }],
  ['null', { groups: null }],
  ['a number', { groups: 1 }],
  ['true', { groups: true }],
  ['mixed with null', { groups: ['admin', null] }],
  ['mixed with an object', { groups: ['admin', { name: 'admin' }] }],
  ['mixed with nothing', { groups: ['admin', ''] }],
  ['with NUL', { groups: ['admin\0'] }],
  ['no Unicode', { groups: ['admin\ud800'] }],
  ['endless', { groups: ['admin', 'g'.repeat(257)] }],
  ['an overage pointer', { _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }],
  ['an overage pointer beside groups', { groups: ['admin'], _claim_names: { groups: 'src1' } }],
];

describeHostileProvider('groups of the identity provider', ({ provider, gateway, begin }) => {
  const authoritative = begin(() =>
    startGateway({
      beside: gateway,
      environment: { ...trusting(provider), IDP_GROUPS_AUTHORITATIVE: 'true' },
    }),
  );
  let people = 0;

  const newPerson = (): string => `person-${++people}`;
  const signIn = async (sub: string, claims: Record<string, unknown>, at = gateway) => {
    const answer = await whoIs(at, provider.token({ sub, jti: randomUUID(), ...claims }));
    expect(answer.status).toBe(200);
    return answer.body as { groups: string[]; role: string };
  };
  const ago = (seconds: number): number => nowInSeconds() - seconds;

  // promises: AUTH-9, USER-1
  it.each(statements)('%s', async (_, claims, expected) => {
    const sub = newPerson();
    await signIn(sub, { groups: ['dba'], iat: ago(10) });
    expect(await signIn(sub, claims)).toMatchObject({ groups: expected, role: 'regular' });
    expect((await groupsOf(gateway, sub)).sort()).toEqual(expected.map((group) => `idp:${group}`).sort());
  });

  // promises: USER-2
  it.each(malformed)('malformed: %s', async (_, claims) => {
    const sub = newPerson();
    await signIn(sub, { groups: ['dba'], iat: ago(10) });
    for (const at of [gateway, authoritative])
      expect(await signIn(sub, claims, at)).toMatchObject({ role: 'regular' });
    expect(await signIn(sub, claims)).toMatchObject({ groups: ['dba'] });
    expect(await signIn(newPerson(), claims)).toMatchObject({ groups: [], role: 'regular' });
  });

  it('only the exact group name gives the admin role', async () => {
    const near = fc.constantFrom(
      'admin',
      'Admin',
      'admin ',
      'ａｄｍｉｎ',
      'admin\0',
      'auditor',
      '',
      'admin,dba',
    );
    const claim = fc.oneof(
      near,
      fc.array(fc.oneof(near, fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 }),
      fc.dictionary(near, near),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(claim, async (groups) => {
        const { role } = await signIn(newPerson(), { groups });
        const saysSo =
          groups === 'admin' ||
          (Array.isArray(groups) && groups.includes('admin') && groups.every((group) => isName(group)));
        expect(role === 'admin').toBe(saysSo);
      }),
      {
        numRuns: volume(20, 60),
        examples: [
          [['admin', '']],
          [['admin', 'admin ']],
          [['admin ']],
          [['admin', 'a\ud800']],
          [['admin', '\uFFFD']],
          [{ admin: 'admin' }],
        ],
      },
    );
  });

  it('too many, which only userinfo can carry, are no statement either', async () => {
    const sub = newPerson();
    await signIn(sub, { groups: ['dba'], iat: ago(10) });
    const groups = ['admin', ...Array.from({ length: 1_000 }, (_, n) => `group-${n}`)];
    provider.userinfo = { status: 200, body: { sub, groups } };
    expect(await signIn(sub, { email: undefined })).toMatchObject({ groups: ['dba'], role: 'regular' });
    provider.userinfo = { status: 200, body: { sub, groups: groups.slice(1) } };
    expect((await signIn(sub, { email: undefined })).groups).toHaveLength(1_000);
  });

  // promises: AUTH-9, USER-1
  it('leave those that an admin set alone', async () => {
    const sub = newPerson();
    await signIn(sub, { groups: ['dba', 'ops'], iat: ago(10) });
    await gateway.database.query(
      `INSERT INTO user_groups SELECT org_id, id, unnest(ARRAY['ops', 'oncall']), 'manual' FROM users WHERE subject = $1`,
      [sub],
    );
    expect(await signIn(sub, { groups: [] })).toMatchObject({ groups: ['oncall', 'ops'] });
    expect(await groupsOf(gateway, sub)).toEqual(['manual:oncall', 'manual:ops']);
  });

  // promises: USER-3
  it('an older token neither restores nor removes groups', async () => {
    const sub = newPerson();
    const old = { groups: ['admin'], iat: ago(20) };
    await signIn(sub, old);
    expect(await signIn(sub, { groups: ['ops'], iat: ago(10) })).toMatchObject({ groups: ['ops'] });
    expect(await signIn(sub, old)).toMatchObject({ groups: ['ops'], role: 'regular' });
    expect(await signIn(sub, { groups: ['admin'], iat: 0 })).toMatchObject({ groups: ['ops'] });
  });

  it.each([undefined, -1e300, 'tomorrow', null])('an iat of %p counts as now', async (iat) => {
    const sub = newPerson();
    // The provider's clock is ahead. The groups must not stay frozen until our clock has caught up.
    await signIn(sub, { groups: ['admin'], iat: nowInSeconds() + 20 });
    expect(await signIn(sub, { groups: [], iat })).toMatchObject({ groups: [], role: 'regular' });
  });

  it('of two concurrent sign-ins the newer one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const sub = newPerson();
      await Promise.all([
        signIn(sub, { groups: ['admin', 'dba'], iat: ago(20) }),
        signIn(sub, { groups: ['ops'], iat: ago(10) }),
        signIn(sub, { groups: ['admin'], iat: ago(30) }, authoritative),
        signIn(sub, { groups: ['ops'], iat: ago(10) }, authoritative),
      ]);
      expect(await groupsOf(gateway, sub)).toEqual(['idp:ops']);
    }
  });

  describe('where the provider is authoritative', () => {
    // promises: USER-1
    it('a missing claim means none, here and at userinfo', async () => {
      const sub = newPerson();
      provider.userinfo = { status: 401, body: { error: 'invalid_token' } };
      await signIn(sub, { groups: ['admin'], iat: ago(10) }, authoritative);
      expect(await signIn(sub, {}, authoritative)).toMatchObject({ groups: [], role: 'regular' });
    });

    it.each([
      ['is out of order', { status: 503, body: {} }],
      ['has another subject', { status: 200, body: { sub: 'somebody-else', groups: ['admin'] } }],
    ])('userinfo that %s takes nobody’s groups', async (_, userinfo) => {
      const sub = newPerson();
      await signIn(sub, { groups: ['dba'], iat: ago(10) }, authoritative);
      provider.userinfo = userinfo;
      expect(await signIn(sub, {}, authoritative)).toMatchObject({ groups: ['dba'] });
    });

    it('a sign-in in the browser takes nobody’s groups when userinfo did not answer', async () => {
      const sub = newPerson();
      await signIn(sub, { groups: ['dba'], iat: ago(10) }, authoritative);
      const signIns = authoritative.app.get(UserSignIn, { strict: false });
      const claims = { sub };
      expect(await signIns.principal({ claims, isPartial: true })).toMatchObject({ groups: ['dba'] });
      expect(await signIns.principal({ claims, isPartial: false })).toMatchObject({ groups: [] });
    });

    // promises: USER-1
    it.each([
      ['is out of order', { status: 503, body: {} }, {}, ['idp:dba']],
      ['has another subject', { status: 200, body: { sub: 'x', groups: ['ops'] } }, {}, ['idp:dba']],
      ['refuses the token', { status: 401, body: { error: 'invalid_token' } }, {}, []],
      ['knows of no groups', { status: 200, body: {} }, {}, []],
      ['has them', { status: 200, body: { groups: ['ops'] } }, {}, ['idp:ops']],
      ['is out of order, and not needed', { status: 503, body: {} }, { groups: ['ops'] }, ['idp:ops']],
    ])('a sign-in in the browser where userinfo %s', async (_, userinfo, claims, expected) => {
      const sub = newPerson();
      await signIn(sub, { groups: ['dba'], iat: ago(10) }, authoritative);
      provider.userinfo = { ...userinfo, body: { sub, ...userinfo.body } };
      const login = await beginLogin(authoritative);
      const nonce = new URL(login.url).searchParams.get('nonce');
      provider.instead.set('/token', (_request, response) =>
        json(response, 200, {
          token_type: 'Bearer',
          access_token: 'an-access-token',
          id_token: provider.token({ sub, nonce, ...claims }),
        }),
      );
      const answer = await comeBack(authoritative, `?code=a-code&state=${login.state}`, login.cookie);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        307,
        expect.stringContaining('access_token=an-access-token'),
      ]);
      expect(await groupsOf(gateway, sub)).toEqual(expected);
    });

    it('userinfo may still have them', async () => {
      const sub = newPerson();
      provider.userinfo = { status: 200, body: { sub, groups: ['ops'] } };
      expect(await signIn(sub, {}, authoritative)).toMatchObject({ groups: ['ops'] });
    });

    // promises: USER-2
    it('an overage pointer does not mean no groups', async () => {
      const sub = newPerson();
      await signIn(sub, { groups: ['dba'], iat: ago(10) }, authoritative);
      const overage = { _claim_names: { groups: 'src1' } };
      expect(await signIn(sub, overage, authoritative)).toMatchObject({ groups: ['dba'] });
    });
  });
});

/** Whether the value is a group name that can be stored. */
function isName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= 256 &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}
