import * as fc from '../../../../test/support/fast-check';
import type { Attributes } from '../values/attributes';
import { readResource } from '../values/read-resource';
import { ENTERPRISE_URN, USER_TYPE } from '../schema/user-type';
import { ScimFault } from '../values/scim-fault';
import { patchAttributes } from './patch-attributes';
import { readPatch } from './patch-request';

const ADA = {
  userName: 'ada',
  active: true,
  name: { givenName: 'Ada' },
  emails: [{ value: 'a@x', type: 'work', primary: true }],
};

const patched = (...operations: object[]): Attributes =>
  patchAttributes(USER_TYPE, ADA, readPatch({ Operations: operations }));

describe('a PATCH of attributes', () => {
  // promises: SCIM-6
  it.each<[string, object, object]>([
    ['capital operations', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['no path', { op: 'replace', value: { active: false, id: 'x', groups: [] } }, { active: false }],
    [
      'a path as name',
      { op: 'Add', value: { 'name.familyName': 'L' } },
      { name: { givenName: 'Ada', familyName: 'L' } },
    ],
    [
      'a part',
      { op: 'replace', path: 'name', value: { familyName: 'L' } },
      { name: { givenName: 'Ada', familyName: 'L' } },
    ],
    ['null', { op: 'replace', path: 'name.givenName', value: null }, { name: undefined }],
    [
      'a selected value',
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@x' },
      { emails: [{ value: 'b@x', type: 'work', primary: true }] },
    ],
    [
      'a value that is missing',
      { op: 'Replace', path: 'emails[type eq "home"].value', value: 'h@x' },
      { emails: [...ADA.emails, { type: 'home', value: 'h@x' }] },
    ],
    [
      'a new primary value',
      { op: 'add', path: 'emails', value: [{ value: 'n@x', primary: true }] },
      {
        emails: [
          { value: 'a@x', type: 'work', primary: false },
          { value: 'n@x', primary: true },
        ],
      },
    ],
    ['the same value again', { op: 'add', path: 'emails', value: ADA.emails }, { emails: ADA.emails }],
    ['removal of one', { op: 'remove', path: 'emails[value eq "a@x"]' }, { emails: undefined }],
    ['removal by value', { op: 'Remove', path: 'emails', value: [{ value: 'a@x' }] }, { emails: undefined }],
    ['removal of nothing', { op: 'remove', path: 'emails[type eq "home"]' }, { emails: ADA.emails }],
    [
      'an extension',
      { op: 'add', path: ENTERPRISE_URN, value: { department: 'd' } },
      { [ENTERPRISE_URN]: { department: 'd' } },
    ],
    [
      'an extension in a value',
      { op: 'add', value: { [ENTERPRISE_URN]: { department: 'd' } } },
      { [ENTERPRISE_URN]: { department: 'd' } },
    ],
    ['what is not kept', { op: 'add', path: 'addresses[type eq "work"].locality', value: 'x' }, {}],
  ])('%s', (_, operation, change) => {
    expect(patched(operation)).toEqual({ ...ADA, ...change });
  });

  it.each<[string, object, string]>([
    ['an unknown path', { op: 'add', path: 'shoeSize', value: '1' }, 'invalidPath'],
    ['a read-only path', { op: 'add', path: 'id', value: '1' }, 'mutability'],
    ['removal of what is required', { op: 'remove', path: 'userName' }, 'mutability'],
    ['removal without a path', { op: 'remove' }, 'noTarget'],
    [
      'a filter that nothing fulfils',
      { op: 'replace', path: 'emails[value co "z"].display', value: 'x' },
      'noTarget',
    ],
    ['another operation', { op: 'move', path: 'title' }, 'invalidSyntax'],
    ['a value of another type', { op: 'add', path: 'title', value: 7 }, 'invalidValue'],
  ])('refuses %s', (_, operation, scimType) => {
    expect(() => patched(operation)).toThrow(expect.objectContaining({ scimType }) as Error);
  });

  it('has a bound for filters, each of which is tried on every value', () => {
    const filter = (comparisons: number) =>
      Array.from({ length: comparisons }, (_, at) => `value co "${at}"`).join(' or ');
    const removal = (comparisons: number) => ({
      op: 'remove',
      path: `emails[${filter(comparisons)}].display`,
    });
    expect(patched(...Array.from({ length: 5 }, () => removal(40)))).toMatchObject({ emails: ADA.emails });
    expect(() => patched(...Array.from({ length: 6 }, () => removal(40)))).toThrow('200 comparisons at most');
    const nested = `not (${filter(25)}) and (${filter(25)})`;
    expect(() =>
      patched(...Array.from({ length: 5 }, () => ({ op: 'remove', path: `emails[${nested}]` }))),
    ).toThrow('200 comparisons at most');
  });

  it('leaves a resource that the schema allows, and what was given untouched', () => {
    const path = fc.constantFrom(
      undefined,
      'title',
      'active',
      'name',
      'name.givenName',
      'emails',
      'emails.value',
      'emails[type eq "work"]',
      'emails[type eq "home"].value',
      ENTERPRISE_URN,
      `${ENTERPRISE_URN}:department`,
      'members',
      'id',
    );
    const text = fc.constantFrom('', 'x', 'y', 'True');
    const value = fc.oneof(
      text,
      fc.boolean(),
      fc.constant(null),
      fc.dictionary(
        fc.constantFrom('value', 'type', 'title', 'givenName', 'active', 'emails', '__proto__'),
        text,
      ),
      fc.array(fc.record({ value: text, primary: fc.boolean() }), { maxLength: 3 }),
      fc.jsonValue(),
    );
    const operation = fc.record({ op: fc.constantFrom('add', 'Replace', 'REMOVE'), path, value });
    let done = 0;
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
        const before = structuredClone(ADA);
        try {
          const after = patchAttributes(USER_TYPE, before, readPatch({ Operations: operations }));
          expect(readResource(USER_TYPE, after)).toEqual(after);
          expect(patchAttributes(USER_TYPE, after, [])).toEqual(after);
          done += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(ScimFault);
        }
        expect(before).toEqual(ADA);
      }),
      { numRuns: 1_000 },
    );
    expect(done).toBeGreaterThan(fc.runs(50));
  });
});
