import { describeGateway } from '../support/describe';
import { type ScimProvider, scimProvider } from '../support/scim/provider';

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const NESTED = 'groups in groups are not supported: send the users of the inner group as members';

/** Ways of a provider to add a member to a group. */
const WAYS: readonly [
  string,
  (scim: ScimProvider, group: string, member: unknown) => ReturnType<ScimProvider['send']>,
][] = [
  ['POST', (scim, _, member) => scim.send('POST', '/Groups', { displayName: 'new', members: [member] })],
  [
    'PUT',
    (scim, group, member) =>
      scim.send('PUT', `/Groups/${group}`, { displayName: 'outer', Members: [member] }),
  ],
  ...(['add', 'replace'] as const).flatMap((op): (typeof WAYS)[number][] => [
    [
      `PATCH ${op}`,
      (scim, group, member) => scim.patch(`/Groups/${group}`, { op, path: 'members', value: [member] }),
    ],
    [
      `PATCH ${op} of one without a list`,
      (scim, group, member) => scim.patch(`/Groups/${group}`, { op, path: 'members', value: member }),
    ],
    [
      `PATCH ${op} without a path`,
      (scim, group, member) => scim.patch(`/Groups/${group}`, { op, value: { members: [member] } }),
    ],
    [
      `PATCH ${op} by the name of the schema`,
      (scim, group, member) =>
        scim.patch(`/Groups/${group}`, { op, path: GROUP, value: { members: [member] } }),
    ],
  ]),
];

describeGateway('members of SCIM groups', ({ gateway }) => {
  let scim: ScimProvider;
  let [user, other, inner, outer] = ['', '', '', ''];

  beforeAll(async () => {
    scim = await scimProvider(gateway);
    user = await scim.user('member');
    other = await scim.user('other');
    inner = await scim.group('inner', [other]);
    outer = await scim.group('outer', [user]);
  });

  const membersNow = async (): Promise<string[]> =>
    ((await scim.send('GET', `/Groups/${outer}`)).body as { members: { value: string }[] }).members.map(
      ({ value }) => value,
    );

  // promises: SCIM-7
  it.each(WAYS)('are no groups, in whatever spelling: %s', async (_, say) => {
    const place = `${gateway.api}/scim/v2`;
    const groups: object[] = [
      { value: inner },
      { value: inner, type: 'Group' },
      { value: inner, TYPE: 'group' },
      { value: inner, type: 'Group', $ref: `${place}/Groups/${inner}` },
      { value: inner, $ref: `../Groups/${inner}` },
      { value: outer, type: 'Group', display: 'outer' },
      // A member that claims to be a group is refused, even if its id is that of a user.
      { value: user, type: 'Group' },
      { value: user, $ref: `${place}/Groups/${user}` },
      { value: user, $ref: `Groups/${inner}` },
    ];
    for (const member of groups) {
      const { status, body } = await say(scim, outer, member);
      expect([member, status, body.scimType, body.detail]).toEqual([member, 400, 'invalidValue', NESTED]);
    }
    const contradictions: object[] = [
      { value: user, type: 'Device' },
      { value: user, type: 1 },
      { value: user, type: ['User'] },
      { value: user, $ref: `${place}/Users/${other}` },
      { value: user, $ref: `${place}/Users/${user}/${other}` },
      { value: user, $ref: `${place}/Devices/${user}` },
      { value: user, $ref: `${place}/Devices?x=/Users/${user}` },
      { value: user, $ref: user },
      { value: user, $ref: {} },
      { $ref: `${place}/Users/${user}` },
    ];
    for (const member of contradictions) {
      const { status, body } = await say(scim, outer, member);
      expect([member, status, body.scimType]).toEqual([member, 400, 'invalidValue']);
    }
    expect(await membersNow()).toEqual([user]);
    const made = await scim.send('GET', `/Groups?filter=${encodeURIComponent('displayName eq "new"')}`);
    expect(made.body.totalResults).toBe(0);
  });

  // promises: SCIM-7
  it('are users, as providers name them', async () => {
    const place = `${gateway.api}/scim/v2`;
    const users: object[] = [
      { value: other },
      { value: other, type: 'User' },
      { value: other, Type: 'user', display: 'other' },
      { value: other, $ref: null },
      { value: other, $ref: '', type: '' },
      { value: other, $ref: `${place}/Users/${other}` },
      { value: other, $ref: `https://elsewhere.example/v2/Users/${other}/` },
      { value: other, $ref: `../Users/${other}`, type: null },
    ];
    for (const member of users) {
      const added = await scim.patch(`/Groups/${outer}`, { op: 'add', path: 'members', value: [member] });
      expect([member, added.status, await membersNow()]).toEqual([member, 200, [user, other]]);
      await scim.patch(`/Groups/${outer}`, { op: 'remove', path: 'members', value: [member] });
      expect(await membersNow()).toEqual([user]);
    }
    // A client can send the members of a group back as the API returned them.
    const { body: read } = await scim.send('GET', `/Groups/${outer}`);
    expect((await scim.send('PUT', `/Groups/${outer}`, read)).body).toEqual(read);
  });

  // promises: SCIM-7
  it('are not replaced by a value that names a part of them, or some of them', async () => {
    for (const name of ['members.value', 'members.display', `members[value eq "${user}"]`])
      for (const op of ['add', 'replace']) {
        const { status } = await scim.patch(`/Groups/${outer}`, {
          op,
          value: { [name]: [{ value: other }] },
        });
        expect([op, name, status, await membersNow()]).toEqual([op, name, 400, [user]]);
      }
  });

  // promises: SCIM-7
  it('leave, a group that never was one among them', async () => {
    await scim.patch(`/Groups/${outer}`, { op: 'add', path: 'members', value: [{ value: other }] });
    const left = await scim.patch(`/Groups/${outer}`, {
      op: 'remove',
      path: 'members',
      value: [{ value: other }, { value: inner, type: 'Group' }],
    });
    expect([left.status, await membersNow()]).toEqual([200, [user]]);
  });

  // promises: SCIM-2
  it('are described as what they may be', async () => {
    const schemas = await scim.send('GET', '/Schemas');
    const references = new Map<string, unknown>();
    for (const { attributes } of schemas.body.Resources as { attributes: Described[] }[])
      for (const { name, subAttributes = [] } of attributes)
        for (const part of subAttributes)
          if (part.type === 'reference') references.set(`${name}.${part.name}`, part.referenceTypes);
    expect([...references]).toEqual([
      ['groups.$ref', ['Group']],
      ['members.$ref', ['User']],
    ]);
    const group = await scim.send('GET', `/Schemas/${GROUP}`);
    const members = (group.body.attributes as Described[]).find(({ name }) => name === 'members');
    expect(members?.subAttributes?.map(({ name, mutability, ...rest }) => [name, mutability, rest])).toEqual([
      ['value', 'immutable', expect.objectContaining({ required: true })],
      ['$ref', 'immutable', expect.objectContaining({ required: false })],
      ['display', 'readOnly', expect.anything()],
      ['type', 'immutable', expect.objectContaining({ canonicalValues: ['User'] })],
    ]);
  });
});

interface Described {
  readonly name: string;
  readonly type: string;
  readonly mutability: string;
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Described[];
}
