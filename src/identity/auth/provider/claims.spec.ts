import * as fc from '../../../../test/support/fast-check';
import { AppError } from '../../../kernel/app-error';
import { isName, normalizedName } from '../../../kernel/text/names';
import { groupsInClaims, hasOverage, joinClaims, profileOf } from './claims';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const SOURCE = { claim: 'groups', ofRoles: ['admin', 'auditor'], matchClaim: 'oid' };
const profile = (claims: object) => profileOf({ sub: 'ada', ...claims }, SOURCE, NOW);

describe('a verified address', () => {
  it('is said by true, as a boolean or as text, and by nothing else', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.string(), fc.mixedCase(fc.constantFrom('true', 'yes'))),
        (said) => {
          const { emailVerified } = profile({ email: 'ada@example.com', email_verified: said });
          expect(emailVerified).toBe(said === true || said === 'true');
        },
      ),
      { examples: [[true], ['true']] },
    );
  });
});

describe('groupsOf', () => {
  it.each<[unknown, string[] | undefined]>([
    ['ops', ['ops']],
    ['', []],
    [[], []],
    [
      ['ops', 'dba', 'ops'],
      ['ops', 'dba'],
    ],
    // A look-alike of a role's group is dropped. A look-alike of another group counts as that group.
    [['Admin', 'admin ', '\tauditor', 'admin\u200B', '\u202Eadmin', '.', '..', ' '], ['Admin']],
    [
      [' ops', 'cafe\u0301', 'caf\u00E9'],
      ['ops', 'caf\u00E9'],
    ],
    [undefined, undefined],
    [null, undefined],
    [7, undefined],
    [{ admin: true }, undefined],
    [[['admin']], undefined],
    [['admin', null], undefined],
    [['admin', ''], undefined],
    ['admin\0', undefined],
    ['admin\ud800', undefined],
    ['🙂', ['🙂']],
    ['g'.repeat(256), ['g'.repeat(256)]],
    ['g'.repeat(257), undefined],
  ])('%j: %j', (groups, expected) => {
    expect(groupsInClaims({ groups }, SOURCE)).toEqual(expected);
  });

  it('believes a thousand, and no more', () => {
    const many = Array.from({ length: 1_001 }, (_, n) => `group-${n}`);
    expect(groupsInClaims({ groups: many.slice(1) }, SOURCE)).toHaveLength(1_000);
    expect(groupsInClaims({ groups: many }, SOURCE)).toBeUndefined();
  });

  it('gives only what was written, in the form of names, whatever the claim holds', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('admin', 'Admin', 'admin '));
    const claim = fc.oneof(text, fc.array(fc.oneof(text, fc.anything())), fc.anything());
    fc.assert(
      fc.property(claim, (groups) => {
        const written: unknown[] = Array.isArray(groups) ? groups : [groups];
        const names = written.map((item) => (typeof item === 'string' ? normalizedName(item) : item));
        for (const group of groupsInClaims({ groups }, SOURCE) ?? []) {
          expect(names).toContain(group);
          expect(isName(group)).toBe(true);
          if (SOURCE.ofRoles.includes(group)) expect(written).toContain(group);
        }
      }),
      {
        examples: [
          ['admin '],
          [['admin ', 'Admin']],
          [['__proto__', '']],
          ['\uFFFD'],
          [{ length: 1, 0: 'admin' }],
        ],
      },
    );
  });

  it('takes all names of an array, or nothing of it', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (groups) => {
        const taken = groupsInClaims({ groups }, SOURCE);
        if (taken === undefined) return;
        const names = groups
          .map((group) => normalizedName(group as string))
          .filter((name) => name !== '' && isName(name))
          // A look-alike of a role's group is left out.
          .filter((name) => !SOURCE.ofRoles.includes(name) || groups.includes(name));
        expect(new Set(taken)).toEqual(new Set(names));
      }),
      {
        examples: [
          [['admin ']],
          [['admin ', 'admin']],
          [['\tauditor', 'x']],
          [['\uFFFD', 'cafe\u0301']],
          [[]],
        ],
      },
    );
  });
});

describe('profileOf', () => {
  it.each([undefined, null, '', 7, ['ada'], { sub: 'ada' }, 'a\0', 'a\ud800', '\udc00a', 's'.repeat(257)])(
    'a subject %j names nobody',
    (sub) => {
      expect(() => profile({ sub })).toThrow(AppError);
    },
  );

  it('never throws anything else, and never invents', () => {
    const claims = fc.dictionary(
      fc.constantFrom('sub', 'email', 'email_verified', 'name', 'groups', 'iat'),
      fc.anything(),
    );
    fc.assert(
      fc.property(claims, (given) => {
        let read;
        try {
          read = profileOf(given, SOURCE, NOW);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return;
        }
        expect(read.subject).toBe(given['sub']);
        if (read.email !== undefined) expect(read.email).toBe(given['email']);
        if (read.name !== undefined) expect(read.name).toBe(normalizedName(given['name'] as string));
        expect(read.emailVerified).toBe(given['email_verified'] === true);
        expect(read.issuedAt.getTime()).toBeLessThanOrEqual(NOW);
      }),
    );
  });

  it.each<[unknown, number]>([
    [NOW / 1000 - 60, NOW - 60_000],
    [NOW / 1000 - 0.5, NOW - 500],
    [0, 0],
    [NOW / 1000 + 60, NOW],
    [1e300, NOW],
    [-1, NOW],
    [Number.NaN, NOW],
    ['0', NOW],
    [undefined, NOW],
  ])('iat %p', (iat, expected) => {
    expect(profile({ iat }).issuedAt.getTime()).toBe(expected);
  });
});

describe('joinClaims', () => {
  it('prefers the token, member by member', () => {
    const joined = joinClaims({ sub: 'ada', name: 'Ada' }, { sub: 'ada', name: 'A.', groups: ['dba'] });
    expect(joined).toMatchObject({ sub: 'ada', name: 'Ada', groups: ['dba'] });
  });

  it('leaves email_verified with the e-mail that it was said of', () => {
    const listed = { email: 'ada@example.com' };
    const other = { email: 'eve@example.com' };
    const verified = { email_verified: true };
    const joined = (token: object, userinfo: object) =>
      joinClaims({ ...token }, { ...userinfo })['email_verified'];
    expect(joined(listed, { ...other, ...verified })).toBeUndefined();
    expect(joined(listed, { ...listed, ...verified })).toBe(true);
    expect(joined({}, { ...listed, ...verified })).toBe(true);
    expect(joined(verified, listed)).toBeUndefined();
    expect(joined({ ...listed, ...verified }, { ...other, email_verified: false })).toBe(true);
    expect(joined({ ...listed, email_verified: false }, { ...listed, ...verified })).toBe(false);
  });
});

describe('hasOverage', () => {
  it.each<[unknown, boolean]>([
    [{ groups: 'src1' }, true],
    [{ groups: undefined }, true],
    [{ roles: 'src1' }, false],
    [['groups'], false],
    ['groups', false],
    [null, false],
    [undefined, false],
  ])('_claim_names %j: %p', (pointers, expected) => {
    expect(hasOverage({ _claim_names: pointers }, SOURCE.claim)).toBe(expected);
  });
});
