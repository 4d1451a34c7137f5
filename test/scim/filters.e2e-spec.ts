import * as fc from '../support/fast-check';
import { matches } from '../../src/identity/scim/filter/matches';
import { parseFilter } from '../../src/identity/scim/filter/parse-filter';
import type { Attributes } from '../../src/identity/scim/values/attributes';
import { USER_TYPE } from '../../src/identity/scim/schema/user-type';
import { describeGateway } from '../support/describe';
import { type ScimProvider, scimProvider } from '../support/scim/provider';
import { volume } from '../support/volume';

/** Draws a text from a few, so that many comparisons match. Some have unusual case, order or width. */
const text = fc.constantFrom('a', 'A', 'ab', 'Ab', 'b', 'é', 'É', 'ß', '😀', '\uFF21', 'a b', '100%_', "o'x");
const SINGLE = ['title', 'nickName', 'name.familyName', 'name.givenName', 'externalId', 'userName'];
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le');

const compared = (attribute: fc.Arbitrary<string>) =>
  fc.tuple(attribute, operator, text).map(([name, op, value]) => `${name} ${op} ${JSON.stringify(value)}`);
const present = (names: readonly string[]) => fc.constantFrom(...names).map((name) => `${name} pr`);
const element = fc.oneof(
  compared(fc.constantFrom('value', 'type')),
  present(['value', 'primary']),
  fc.constantFrom('primary eq true', 'primary ne true', 'not (type eq "a")'),
);
const leaf = fc.oneof(
  compared(
    fc.constantFrom(...SINGLE, `${ENTERPRISE}:department`, 'emails.value', 'emails', 'groups.display'),
  ),
  present([...SINGLE, 'name', 'emails', 'emails.type', 'groups', `${ENTERPRISE}:department`]),
  fc.constantFrom('active eq true', 'active ne true', 'active eq false', 'active pr'),
  fc.tuple(element, fc.constantFrom('and', 'or'), element).map(([a, op, b]) => `emails[${a} ${op} ${b}]`),
  fc.tuple(element, operator, text).map(([a, op, b]) => `emails[${a}].value ${op} ${JSON.stringify(b)}`),
);
const filter = fc.letrec<{ whole: string }>((tie) => ({
  whole: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('whole'), fc.constantFrom('and', 'or', 'AND'), tie('whole'))
      .map(([a, op, b]) => `(${a}) ${op} (${b})`),
    tie('whole').map((whole) => `not (${whole})`),
  ),
})).whole;

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const person = fc.record({
  title: optional(text),
  nickName: optional(text),
  name: fc.record({ familyName: optional(text), givenName: optional(text) }),
  active: fc.boolean(),
  emails: fc.array(fc.record({ value: text, type: optional(text), primary: optional(fc.boolean()) }), {
    maxLength: 3,
  }),
  [ENTERPRISE]: fc.record({ department: optional(text) }),
});

// In `npm run test:long`, the tests send more requests than a SCIM client may send by default.
const WITHOUT_LIMIT = { SCIM_REQUESTS_PER_MINUTE: '1000000' };

describeGateway('filters of SCIM', { environment: WITHOUT_LIMIT }, ({ gateway }) => {
  let scim: ScimProvider;
  let people: Attributes[] = [];

  beforeAll(async () => {
    scim = await scimProvider(gateway);
    const ids: string[] = [];
    for (const [at, more] of fc.sample(person, { numRuns: 12, seed: 7 }).entries()) {
      const own = { ...more, ...(at % 3 === 0 ? { userName: `aB${at}` } : {}) };
      ids.push(await scim.user(at % 2 === 0 ? `Ab-${at}` : `b-${at}`, own));
    }
    for (const id of ids.slice(6, 9)) await scim.patch(`/Users/${id}`, { op: 'remove', path: 'active' });
    await scim.group('Ab', ids.slice(0, 5));
    await scim.group('b', ids.slice(4, 6));
    people = (await scim.send('GET', '/Users')).body.Resources as Attributes[];
    expect(people).toHaveLength(12);
  });

  // promises: SCIM-5
  it('mean the same to the database as to a reader of each resource', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(filter, async (asked) => {
        const { status, body } = await scim.send('GET', `/Users?filter=${encodeURIComponent(asked)}`);
        expect([asked, status]).toEqual([asked, 200]);
        const parsed = parseFilter(asked, USER_TYPE);
        const wanted = people.filter((one) => matches(parsed, one)).map((one) => one['id']);
        expect((body.Resources as Attributes[]).map((one) => one['id'])).toEqual(wanted);
        found += wanted.length > 0 && wanted.length < people.length ? 1 : 0;
      }),
      { numRuns: volume(150, 3_000) },
    );
    expect(found).toBeGreaterThan(fc.runs(20));
  });
});
