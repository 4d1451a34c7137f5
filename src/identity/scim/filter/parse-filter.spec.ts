import * as fc from '../../../../test/support/fast-check';
import { GROUP_TYPE } from '../schema/group-type';
import { USER_TYPE } from '../schema/user-type';
import { ScimFault } from '../values/scim-fault';
import { matches } from './matches';
import { parseFilter } from './parse-filter';

const holds = (filter: string, resource: Parameters<typeof matches>[1]): boolean =>
  matches(parseFilter(filter, USER_TYPE), resource);

describe('a filter', () => {
  it.each<[string, boolean]>([
    ['userName eq "ada"', true],
    ['USERNAME EQ "ADA"', true],
    ['userName eq "Ada" and title eq "x" or active eq true', true],
    ['userName eq "Ada" and (title eq "x" or active eq false)', false],
    ['title pr', false],
    ['not (title pr)', true],
    ['title ne "x"', true],
    ['emails[type eq "work" and value ew "@b"]', false],
    ['emails[type eq "work" and value ew "@a"]', true],
    ['emails.type eq "home" and emails.value eq "x@a"', true],
    ['emails co "x@"', true],
    ['emails[not (type eq "work")].value eq "x@b"', true],
    ['active eq "True"', true],
  ])('%s is %s', (filter, result) => {
    const emails = [
      { value: 'x@a', type: 'work' },
      { value: 'x@b', type: 'home' },
    ];
    expect(holds(filter, { userName: 'Ada', active: true, emails })).toBe(result);
  });

  it('and binds more than or, and a keyword may be the name in a text', () => {
    expect(parseFilter('title eq "a" or title eq "b" and title eq "or"', USER_TYPE)).toMatchObject({
      kind: 'or',
      parts: [{ kind: 'compare' }, { kind: 'and', parts: [{ value: 'b' }, { value: 'or' }] }],
    });
    expect(parseFilter('members eq "x"', GROUP_TYPE)).toMatchObject({ path: { sub: { name: 'value' } } });
  });

  it('is refused or understood, whatever it is', () => {
    const part = fc.constantFrom(
      'userName',
      'emails',
      'eq',
      'pr',
      'and',
      'or',
      'not',
      '(',
      ')',
      '[',
      ']',
      '"x"',
      '"',
      '.value',
      'true',
    );
    const texts = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'binary' }),
    );
    let understood = 0;
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseFilter(text, USER_TYPE);
          understood += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(ScimFault);
          expect((error as ScimFault).scimType).toBe('invalidFilter');
        }
      }),
      { numRuns: 2_000, examples: [['userName pr']] },
    );
    expect(understood).toBeGreaterThan(0);
  });
});
