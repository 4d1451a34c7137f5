import { describeGateway } from '../support/describe';
import { type ScimProvider, scimProvider } from '../support/scim/provider';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const OID = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef';

/**
 * The requests that Microsoft documents for its provisioning service, in the order in which it creates,
 * changes and deletes a user and a group.
 */
describeGateway('Entra', ({ gateway }) => {
  let entra: ScimProvider;
  let user: string;
  let group: string;

  beforeAll(async () => {
    entra = await scimProvider(gateway);
  });

  // promises: SCIM-1, SCIM-5
  it('tests the connection by asking for a user who does not exist', async () => {
    const { status, body, headers } = await entra.send(
      'GET',
      `/Users?filter=${encodeURIComponent(`userName eq "${crypto.randomUUID()}"`)}`,
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
  });

  // promises: SCIM-2
  it('creates a user with attributes that the gateway does not keep', async () => {
    const { status, body, headers } = await entra.send('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: OID,
      userName: 'Test_User_ab6490ee@contoso.example',
      active: true,
      addresses: [{ primary: true, type: 'work', locality: 'Redmond' }],
      displayName: 'BillG',
      emails: [{ primary: true, type: 'work', value: 'test_user@contoso.example' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      phoneNumbers: [{ type: 'mobile', value: '+1 425 555 0100' }],
      roles: [],
      title: 'Manager',
      [ENTERPRISE]: { department: 'bob', manager: { value: 'SuzzyQ' } },
    });
    expect(status).toBe(201);
    user = body.id as string;
    expect(headers.get('location')).toBe(`${gateway.api}/scim/v2/Users/${user}`);
    expect(headers.get('etag')).toBe('W/"1"');
    expect(body).toEqual({
      schemas: [USER, ENTERPRISE],
      id: user,
      externalId: OID,
      userName: 'Test_User_ab6490ee@contoso.example',
      active: true,
      displayName: 'BillG',
      emails: [{ primary: true, type: 'work', value: 'test_user@contoso.example' }],
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      title: 'Manager',
      [ENTERPRISE]: { department: 'bob' },
      meta: {
        resourceType: 'User',
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        lastModified: expect.stringMatching(/^\d{4}-.*Z$/),
        location: `${gateway.api}/scim/v2/Users/${user}`,
        version: 'W/"1"',
      },
    });
  });

  it('finds the user by name in any case, by external id and by a part of an e-mail', async () => {
    for (const filter of [
      'userName eq "TEST_USER_AB6490EE@contoso.example"',
      `externalId eq "${OID}"`,
      'emails[type eq "work"].value eq "Test_User@contoso.example"',
      'emails[type eq "work" and value co "contoso"] and active eq true',
      `id eq "${user}" and not (userName eq "someone")`,
      `${USER}:userName sw "test_user"`,
      `${ENTERPRISE}:department eq "bob"`,
      'displayName pr and meta.created gt "2020-01-01T00:00:00Z"',
    ]) {
      const { body } = await entra.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect([filter, body.totalResults, body.Resources[0]?.id]).toEqual([filter, 1, user]);
    }
  });

  // promises: SCIM-6
  it('changes attributes with capital operations, dotted names and texts for booleans', async () => {
    const changed = await entra.patch(
      `/Users/${user}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@contoso.example' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.com' },
      { op: 'Add', path: `${ENTERPRISE}:employeeNumber`, value: '7' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'SuzzyQ' },
    );
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      emails: [
        { primary: true, type: 'work', value: 'updated@contoso.example' },
        { type: 'home', value: 'home@example.com' },
      ],
      [ENTERPRISE]: { department: 'bob', employeeNumber: '7' },
    });
    const without = await entra.patch(`/Users/${user}`, {
      op: 'Add',
      value: { 'name.givenName': 'Ada', [`${ENTERPRISE}:division`]: 'North', active: 'True' },
    });
    expect(without.body).toMatchObject({
      active: true,
      name: { givenName: 'Ada' },
      [ENTERPRISE]: { division: 'North' },
    });
    const disabled = await entra.patch(`/Users/${user}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(disabled.body.active).toBe(false);
    const read = await entra.send('GET', `/Users/${user}`);
    expect(read.body).toEqual(disabled.body);
    const removed = await entra.patch(`/Users/${user}`, { op: 'Remove', path: 'title' });
    expect(removed.body).not.toHaveProperty('title');
  });

  // promises: SCIM-3
  it('creates a group with a schema of its own, and finds it without its members', async () => {
    const { status, body } = await entra.send('POST', '/Groups', {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'engineers of contoso',
      meta: { resourceType: 'Group' },
    });
    expect(status).toBe(201);
    group = body.id as string;
    const filter = encodeURIComponent('displayName eq "Engineers of Contoso"');
    const found = await entra.send('GET', `/Groups?excludedAttributes=members&filter=${filter}`);
    expect(found.body.Resources).toEqual([
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        id: group,
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'engineers of contoso',
        meta: expect.objectContaining({ resourceType: 'Group' }),
      },
    ]);
  });

  // promises: SCIM-7
  it('adds and removes members by their ids, in the value and in the path', async () => {
    const other = await entra.user('other');
    const added = await entra.patch(`/Groups/${group}`, {
      op: 'Add',
      path: 'members',
      value: [{ $ref: null, value: user }, { value: other }],
    });
    expect(added.status).toBe(200);
    const membersNow = async () => {
      const { body } = await entra.send('GET', `/Groups/${group}?attributes=members.value`);
      return (body.members as { value: string }[]).map(({ value }) => value).sort();
    };
    expect(await membersNow()).toEqual([user, other].sort());
    const both = encodeURIComponent(`id eq "${group}" and members eq "${user}"`);
    expect((await entra.send('GET', `/Groups?filter=${both}`)).body.totalResults).toBe(1);
    expect((await entra.send('GET', `/Users/${user}`)).body.groups).toEqual([
      { value: group, $ref: `${gateway.api}/scim/v2/Groups/${group}`, display: 'engineers of contoso' },
    ]);

    await entra.patch(`/Groups/${group}`, {
      op: 'Remove',
      path: 'members',
      value: [{ $ref: null, value: user }],
    });
    expect(await membersNow()).toEqual([other]);
    await entra.patch(`/Groups/${group}`, { op: 'Remove', path: `members[value eq "${other}"]` });
    expect((await entra.send('GET', `/Groups/${group}`)).body.members).toEqual([]);
  });

  it('renames and deletes the group, and deletes the user', async () => {
    const renamed = await entra.patch(`/Groups/${group}`, {
      op: 'Replace',
      path: 'displayName',
      value: 'builders of contoso',
    });
    expect(renamed.body.displayName).toBe('builders of contoso');
    for (const path of [`/Groups/${group}`, `/Users/${user}`]) {
      expect((await entra.send('DELETE', path)).status).toBe(204);
      expect((await entra.send('GET', path)).status).toBe(404);
      expect((await entra.send('DELETE', path)).status).toBe(404);
    }
  });
});
