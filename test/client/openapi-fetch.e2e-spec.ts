import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../clients/typescript/src/schema';
import { describeGateway } from '../support/describe';

/** Creates, reads, changes and deletes each resource with the client that openapi-typescript types. */
describeGateway('the client of openapi-typescript', ({ gateway }) => {
  let client: Client<paths>;

  beforeAll(async () => {
    client = createClient<paths>({
      baseUrl: gateway.api,
      headers: { authorization: `Bearer ${await gateway.token('admin')}` },
    });
  });

  it('leads a guardrail through its life', async () => {
    const entry = { type: 'deny_words_list' as const, words: ['DROP TABLE'], pattern_regex: '' };
    const created = await client.POST('/guardrails', {
      body: { name: 'no-drops', input: { rules: [entry] } },
    });
    const path = { id: created.data?.id ?? '' };
    const etag = created.response.headers.get('etag') ?? '';
    expect((await client.GET('/guardrails/{id}', { params: { path } })).data).toEqual(created.data);
    const body = { name: 'no-drops', description: 'changed', input: { rules: [entry] } };
    const changed = await client.PUT('/guardrails/{id}', {
      params: { path, header: { 'If-Match': etag } },
      body,
    });
    expect(changed.data?.description).toBe('changed');
    const late = await client.PUT('/guardrails/{id}', {
      params: { path, header: { 'If-Match': etag } },
      body,
    });
    expect([late.response.status, late.error?.message]).toEqual([412, expect.stringContaining('changed')]);
    expect(
      (await client.GET('/guardrails', { params: { query: { page_size: 10 } } })).data?.pages.total,
    ).toBe(1);
    expect((await client.DELETE('/guardrails/{id}', { params: { path } })).response.status).toBe(204);
    expect((await client.GET('/guardrails/{id}', { params: { path } })).response.status).toBe(404);
  });

  it('leads an access request rule through its life', async () => {
    const body = {
      name: 'prod',
      access_type: 'jit' as const,
      reviewers_groups: ['dba'],
      min_approvals: 1,
      attributes: ['pii'],
    };
    const created = await client.POST('/access-requests/rules', { body });
    expect(created.data?.warnings.length).toBeGreaterThan(0);
    const path = { name: created.data?.name ?? '' };
    const read = await client.GET('/access-requests/rules/{name}', { params: { path } });
    expect(read.data).toEqual(created.data);
    const changed = await client.PUT('/access-requests/rules/{name}', {
      params: { path },
      body: { ...body, access_max_duration: 600 },
    });
    expect(changed.data?.access_max_duration).toBe(600);
    expect((await client.GET('/access-requests/rules')).data?.data.map(({ name }) => name)).toEqual(['prod']);
    const gone = await client.DELETE('/access-requests/rules/{name}', { params: { path } });
    expect(gone.response.status).toBe(204);
  });

  it('leads a connection through its life', async () => {
    const secret = { HOST: '127.0.0.1', PORT: '5432', USER: 'app', PASS: 'secret', DB: 'orders' };
    const kind = { type: 'database' as const, subtype: 'postgres' as const };
    const created = await client.POST('/connections', { body: { name: 'orders', ...kind, secret } });
    const path = { nameOrID: created.data?.id ?? '' };
    const read = await client.GET('/connections/{nameOrID}', { params: { path } });
    // Ignores warnings, because they are about the change, not about the connection.
    expect({ ...read.data, warnings: created.data?.warnings }).toEqual(created.data);
    // A client may send back the values that it read.
    const replaced = await client.PUT('/connections/{nameOrID}', {
      params: { path },
      body: { name: 'orders', ...kind, secret: read.data?.secret ?? {}, description: 'replaced' },
    });
    expect(replaced.data?.description).toBe('replaced');
    const patched = await client.PATCH('/connections/{nameOrID}', {
      params: { path },
      body: { connection_tags: { environment: 'production' } },
    });
    expect(patched.data).toMatchObject({
      description: 'replaced',
      connection_tags: { environment: 'production' },
    });
    const query = { tag_selector: 'environment=production', type: 'database' };
    expect((await client.GET('/connections', { params: { query } })).data?.pages.total).toBe(1);
    const gone = await client.DELETE('/connections/{nameOrID}', { params: { path } });
    expect(gone.response.status).toBe(204);
  });

  it('leads an attribute through its life', async () => {
    const created = await client.POST('/attributes', { body: { name: 'secret stuff/1' } });
    const path = { name: created.data?.name ?? '' };
    const changed = await client.PUT('/attributes/{name}', {
      params: { path },
      body: { description: 'changed' },
    });
    expect(changed.data?.description).toBe('changed');
    expect((await client.GET('/attributes/{name}', { params: { path } })).data).toEqual(changed.data);
    expect((await client.DELETE('/attributes/{name}', { params: { path } })).response.status).toBe(204);
  });

  it('leads a user and a group through their lives', async () => {
    const group = await client.POST('/groups', { body: { name: 'night shift', description: 'at night' } });
    const created = await client.POST('/users', {
      body: { id: 'idp|1', email: 'grace@example.com', groups: ['night shift'] },
    });
    const path = { id: created.data?.id ?? '' };
    expect((await client.GET('/users/{id}', { params: { path } })).data).toEqual(created.data);
    const changed = await client.PATCH('/users/{id}', { params: { path }, body: { status: 'inactive' } });
    expect(changed.data).toMatchObject({ status: 'inactive', groups: ['night shift'] });
    const listed = (await client.GET('/groups')).data?.data.find(({ name }) => name === group.data?.name);
    expect(listed).toEqual({ name: 'night shift', description: 'at night', members: 1 });
    expect((await client.DELETE('/users/{id}', { params: { path } })).response.status).toBe(204);
    const gone = await client.DELETE('/groups/{name}', { params: { path: { name: 'night shift' } } });
    expect(gone.response.status).toBe(204);
    expect((await client.GET('/users', { params: { query: { search: 'grace' } } })).data?.data).toEqual([]);
  });

  it('leads an API key through its life, and reads what was done', async () => {
    const created = await client.POST('/api-keys', { body: { name: 'nightly', groups: ['auditor'] } });
    const path = { id: created.data?.id ?? '' };
    const machine = createClient<paths>({
      baseUrl: gateway.api,
      headers: { authorization: `Bearer ${created.data?.key}` },
    });
    expect((await machine.GET('/userinfo')).data).toMatchObject({
      identity_type: 'machine',
      role: 'auditor',
    });
    expect((await client.GET('/api-keys/{id}', { params: { path } })).data?.status).toBe('active');
    expect((await client.DELETE('/api-keys/{id}', { params: { path } })).response.status).toBe(204);
    expect((await client.GET('/api-keys')).data?.data[0]?.status).toBe('revoked');
    expect((await machine.GET('/userinfo')).response.status).toBe(401);
    const features = await client.PATCH('/organization', { body: { features: { access_control: true } } });
    expect(features.data?.features).toMatchObject({ access_control: true });
    const query = { resource_type: 'api-keys', action: 'delete' as const };
    const { data } = await client.GET('/audit/logs', { params: { query } });
    expect(data?.data.map(({ resource_id }) => resource_id)).toEqual([path.id]);
    expect((await client.GET('/audit/verify')).data?.valid).toBe(true);
  });
});
