import { describeGateway } from '../support/describe';
import { type ScimProvider, scimProvider } from '../support/scim/provider';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** The requests that Okta documents for SCIM 2.0, in its order. */
describeGateway('Okta', ({ gateway }) => {
  let okta: ScimProvider;
  let user: string;
  let group: string;

  beforeAll(async () => {
    okta = await scimProvider(gateway);
  });

  it('looks for the user, and creates it', async () => {
    const filter = encodeURIComponent('userName eq "test.user@okta.example"');
    const missing = await okta.send('GET', `/Users?filter=${filter}&startIndex=1&count=100`);
    expect([missing.status, missing.body.totalResults]).toEqual([200, 0]);
    const { status, body } = await okta.send('POST', '/Users', {
      schemas: [USER],
      userName: 'test.user@okta.example',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.example', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    });
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toContain('1mz050nq');
    user = body.id as string;
    const again = await okta.send('POST', '/Users', { schemas: [USER], userName: 'TEST.user@okta.example' });
    expect(again.status).toBe(409);
    expect(again.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '409',
      scimType: 'uniqueness',
      detail: 'another user has this userName',
    });
  });

  it('updates the whole user with what it read', async () => {
    const { body: read } = await okta.send('GET', `/Users/${user}`);
    const same = await okta.send('PUT', `/Users/${user}`, read);
    expect([same.status, same.body]).toEqual([200, read]);
    const updated = await okta.send('PUT', `/Users/${user}`, {
      ...read,
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      displayName: undefined,
    });
    expect(updated.body).toMatchObject({
      active: true,
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      meta: { version: 'W/"2"' },
    });
    expect(updated.body).not.toHaveProperty('displayName');
  });

  // promises: SCIM-6
  it('deactivates and activates without a path', async () => {
    for (const active of [false, true]) {
      const { status, body } = await okta.patch(`/Users/${user}`, { op: 'replace', value: { active } });
      expect([status, body.active]).toEqual([200, active]);
    }
  });

  it('creates a group, lists groups, renames it with its id in the value', async () => {
    const created = await okta.send('POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Test SCIMv2',
      members: [{ value: user, display: 'test.user@okta.example' }],
    });
    expect(created.status).toBe(201);
    group = created.body.id as string;
    const list = await okta.send('GET', '/Groups?startIndex=1&count=100');
    expect(list.body).toMatchObject({ totalResults: 1, startIndex: 1, itemsPerPage: 1 });
    const renamed = await okta.patch(`/Groups/${group}`, {
      op: 'replace',
      value: { id: group, displayName: 'Test SCIMv2 renamed' },
    });
    expect([renamed.status, renamed.body.displayName]).toEqual([200, 'Test SCIMv2 renamed']);
  });

  // promises: SCIM-7
  it('changes members one by one, and as a full list', async () => {
    const other = await okta.user('00u-other');
    const third = await okta.user('00u-third');
    const idsAfter = async (answer: Promise<{ body: { members: { value: string }[] } }>) =>
      (await answer).body.members.map(({ value }) => value).sort();
    expect(
      await idsAfter(
        okta.patch(
          `/Groups/${group}`,
          { op: 'remove', path: `members[value eq "${user}"]` },
          { op: 'add', path: 'members', value: [{ value: other, display: '00u-other@example.com' }] },
        ),
      ),
    ).toEqual([other]);
    expect(
      await idsAfter(
        okta.patch(`/Groups/${group}`, {
          op: 'replace',
          path: 'members',
          value: [{ value: user, display: 'test.user@okta.example' }, { value: third }],
        }),
      ),
    ).toEqual([user, third].sort());
    const { body } = await okta.send('GET', `/Groups/${group}`);
    expect(await idsAfter(okta.send('PUT', `/Groups/${group}`, { ...body, members: [] }))).toEqual([]);
  });

  // promises: SCIM-8
  it('reads pages, and changes only the version that it read', async () => {
    const first = await okta.send('GET', '/Users?startIndex=1&count=2&attributes=userName');
    expect(first.body).toMatchObject({ totalResults: 3, itemsPerPage: 2, startIndex: 1 });
    expect(Object.keys(first.body.Resources[0] as object).sort()).toEqual(['id', 'schemas', 'userName']);
    const rest = await okta.send('GET', '/Users?startIndex=3&count=2');
    expect(rest.body.Resources).toHaveLength(1);
    expect((await okta.send('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 3, Resources: [] });

    const { headers } = await okta.send('GET', `/Users/${user}`);
    const tag = headers.get('etag') ?? '';
    expect((await okta.send('GET', `/Users/${user}`, undefined, { 'if-none-match': tag })).status).toBe(304);
    const replace = (value: string) => ({ Operations: [{ op: 'replace', path: 'title', value }] });
    const won = await okta.send('PATCH', `/Users/${user}`, replace('one'), { 'if-match': tag });
    expect(won.status).toBe(200);
    const lost = await okta.send('PATCH', `/Users/${user}`, replace('two'), { 'if-match': tag });
    expect([lost.status, lost.body.status]).toEqual([412, '412']);
    expect((await okta.send('DELETE', `/Users/${user}`, undefined, { 'if-match': tag })).status).toBe(412);
  });

  // promises: SCIM-5
  it('reads what the gateway supports', async () => {
    const config = await okta.send('GET', '/ServiceProviderConfig');
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      etag: { supported: true },
    });
    const types = await okta.send('GET', '/ResourceTypes');
    expect((types.body.Resources as { id: string }[]).map(({ id }) => id)).toEqual(['User', 'Group']);
    const schemas = await okta.send('GET', '/Schemas');
    expect(schemas.body.totalResults).toBe(3);
    for (const id of [USER, encodeURIComponent(USER)]) {
      const one = await okta.send('GET', `/Schemas/${id}`);
      expect(one.body).toEqual((schemas.body.Resources as object[])[0]);
    }
    expect((await okta.send('GET', '/Schemas/%E0%A4%A')).status).toBe(404);
    expect((await okta.send('GET', '/Schemas/urn:none')).status).toBe(404);
    for (const path of ['/Bulk', '/Me', '/.search', '/Users/.search', '/Groups/.search'])
      expect([path, (await okta.send('POST', path, {})).status]).toEqual([path, 501]);
    for (const path of ['/search', '/..search', '/nothing/.search'])
      expect([path, (await okta.send('POST', path, {})).status]).toEqual([path, 404]);
    const put = await okta.send('PUT', '/Users', {});
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});
