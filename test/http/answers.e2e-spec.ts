import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describeScoped, stay } from '../support/describe';
import { startWorld } from '../support/operation-world';
import { type Operation, operations } from '../support/operations';

describeScoped('answers', (begin) => {
  const world = begin(startWorld);
  const gateway = begin(() => world.gateway, stay);

  beforeAll(async () => {});

  const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    gateway.call('admin', method, path, body, headers);
  /** Sends a request and returns the bytes of the answer without decompressing them. */
  const raw = async (path: string, encoding: string, method = 'GET', body?: string) => {
    const authorization = `Bearer ${await gateway.token('admin')}`;
    return new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer }>(
      (resolve, reject) => {
        const headers = { authorization, 'accept-encoding': encoding, 'content-type': 'application/json' };
        const sent = httpRequest(`${gateway.api}${path}`, { method, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('end', () =>
            resolve({
              encoding: response.headers['content-encoding'],
              vary: response.headers.vary,
              bytes: Buffer.concat(chunks),
            }),
          );
        });
        sent.once('error', reject);
        sent.end(body);
      },
    );
  };

  // promises: HTTP-13
  it('of creations have a Location', async () => {
    const creations = operations.filter((operation) => operation.statuses.includes('201'));
    expect(creations.length).toBeGreaterThanOrEqual(10);
    for (const operation of creations) {
      const id = await world.make(operation);
      const answer = await world.send(operation, { id, body: world.body(operation.id, id) });
      const location = answer.headers.get('location') ?? '';
      expect([operation.id, answer.status, location]).toEqual([
        operation.id,
        201,
        expect.stringContaining(`${gateway.api}${operation.path.split('{')[0]}`),
      ]);
      const path = location.slice(gateway.api.length);
      const there = await admin('GET', path);
      // If the path has no GET operation, a GET is answered with an error.
      const readable = operations.some(
        ({ method, path: known }) =>
          method === 'GET' && new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(path),
      );
      expect([operation.id, there.status === 200]).toEqual([operation.id, readable]);
    }
  });

  // promises: HTTP-13
  it.each([
    ['/groups', 'team:dba'],
    ['/groups', 'team:данные'],
    ['/attributes', 'env:prod'],
    ['/attributes', 'http://elsewhere.example/1'],
  ])('of creations have a Location of the gateway at %s for %s', async (path, name) => {
    const made = await admin('POST', path, { name });
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      `${gateway.api}${path}/${encodeURIComponent(name)}`,
    ]);
    expect((await admin('POST', path, { name })).status).toBe(409);
  });

  /** Returns the path of the resource: removes the action after the last parameter. */
  const resourceOf = ({ path }: Operation): string => path.replace(/(\})\/[^{]+$/, '$1');
  const changed = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'If-Match'));

  it('of what can be changed have a tag, and no change is overwritten', async () => {
    const ids = changed.map(({ id }) => id);
    for (const resource of [
      'User',
      'Attribute',
      'ApiKey',
      'Webhook',
      'Organization',
      'Connection',
      'GuardRail',
      'AccessRequestRule',
      'Group',
      'WebhookSecret',
    ])
      expect([resource, ids.filter((id) => id.endsWith(resource)).length]).not.toEqual([resource, 0]);
  });

  it('of what has a tag are changed by no operation that does not take it', async () => {
    const tagged = new Set<string>();
    for (const operation of operations.filter(({ method, path }) => method === 'GET' && path.includes('{'))) {
      const answer = await world.send(operation, { id: await world.make(operation) });
      if (answer.headers.has('etag')) tagged.add(operation.path);
    }
    expect(tagged.size).toBeGreaterThanOrEqual(8);
    const takes = new Set(changed.map(({ id }) => id));
    const blind = operations.filter(
      ({ method, path, id }) =>
        ['PUT', 'PATCH', 'DELETE'].includes(method) && tagged.has(path) && !takes.has(id),
    );
    expect(blind.map(({ id }) => id)).toEqual([]);
  });

  // promises: HTTP-14
  it.each(changed)('$id holds If-Match against the tag that was read', async (operation) => {
    const id = await world.make(operation);
    const read = operations.find(({ method, path }) => method === 'GET' && path === resourceOf(operation));
    if (read === undefined) throw new Error(`${operation.id}: there is nothing to read`);
    const tag = async () => (await world.send(read, { id })).headers.get('etag') ?? '';
    const first = await tag();
    expect(first).toMatch(/^"[\w-]+"$/);
    expect(await tag()).toBe(first);
    const send = (match: string) =>
      world.send(operation, { id, body: world.body(operation.id, id), headers: { 'if-match': match } });
    const stale = await send('"stale"');
    expect([stale.status, stale.body]).toEqual([412, { message: expect.stringContaining('has changed') }]);
    expect(await tag()).toBe(first);
    const done = await send(`"stale", ${first}`);
    expect([done.status < 300, done.text]).toEqual([true, done.text]);
    if (operation.method === 'DELETE') return;
    // The operation changes a part of the resource, so its answer does not have the ETag of the resource.
    if (read.path !== operation.path) {
      // The ETag of a tool belongs to its definition, which does not change when the tool is accepted.
      if (operation.id !== 'acceptMcpTool') expect(await tag()).not.toBe(first);
      return;
    }
    // Some operations rename the resource by a name in the body.
    const now = await world.send(read, { id: operation.path.endsWith('{name}') ? done.body.name : id });
    expect(done.headers.get('etag')).toBe(now.headers.get('etag'));
  });

  // promises: HTTP-14
  it('of a resource changed meanwhile are 412', async () => {
    const { body } = await admin('POST', '/users', { id: world.fresh(), email: 'x@example.com' });
    const { headers } = await admin('GET', `/users/${body.id}`);
    const match = { 'if-match': headers.get('etag') ?? '' };
    expect((await admin('PATCH', `/users/${body.id}`, { groups: ['dba'] }, match)).status).toBe(200);
    expect((await admin('PATCH', `/users/${body.id}`, { groups: [] }, match)).status).toBe(412);
    expect((await admin('GET', `/users/${body.id}`)).body.groups).toEqual(['dba']);
  });

  // promises: ATTRIBUTE-2
  it('to a new attribute list its connections, which have it', async () => {
    const name = world.fresh();
    const made = await admin('POST', '/attributes', { name, connection_names: ['orders'] });
    expect([made.status, made.body.connection_names]).toEqual([201, ['orders']]);
    expect((await admin('GET', '/connections/orders')).body.attributes).toContain(name);
    for (const bearers of [
      { connection_names: ['orders', 'of-nobody'] },
      { guardrail_names: ['x'] },
      { access_rule_names: ['x'] },
    ]) {
      const other = world.fresh();
      expect((await admin('POST', '/attributes', { name: other, ...bearers })).status).toBe(422);
      expect((await admin('GET', `/attributes/${other}`)).status).toBe(404);
      expect((await admin('PUT', `/attributes/${name}`, bearers)).status).toBe(422);
    }
    expect((await admin('PUT', `/attributes/${name}`, made.body)).status).toBe(200);
    expect((await admin('PUT', `/attributes/${name}`, { connection_names: [] })).status).toBe(422);
  });

  // promises: HTTP-16
  it('are packed as the caller asks, where that is worth it', async () => {
    const plain = await raw('/openapi.json', 'identity');
    const [brotli, gzip] = await Promise.all([
      raw('/openapi.json', 'br, gzip'),
      raw('/openapi.json', 'gzip'),
    ]);
    expect([plain.encoding, brotli.encoding, gzip.encoding]).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(gzip.vary).toBe('Accept-Encoding');
    for (const path of ['/docs', '/docs/swagger-ui.css', '/mcp-catalog', '/audit/logs'])
      expect([path, (await raw(path, 'gzip')).encoding]).toEqual([path, 'gzip']);
    expect((await raw('/healthz', 'gzip')).encoding).toBeUndefined();
  });

  // promises: HTTP-16
  it('are not packed where a secret is shown, nor a file', async () => {
    const key = await raw(
      '/api-keys',
      'gzip',
      'POST',
      JSON.stringify({
        name: 'k'.repeat(128),
        groups: Array.from({ length: 50 }, (_, index) => `${'g'.repeat(60)}${index}`),
      }),
    );
    expect([key.bytes.length > 2_000, key.encoding]).toEqual([true, undefined]);
    const script = JSON.stringify({ connection: 'orders', script: `SELECT repeat('x', 5000)` });
    const { session_id } = JSON.parse((await raw('/sessions', 'gzip', 'POST', script)).bytes.toString());
    const file = await raw(`/sessions/${session_id}?extension=txt`, 'gzip');
    expect([file.bytes.length > 2_000, file.encoding]).toEqual([true, undefined]);
    expect((await raw(`/sessions/${session_id}?event_stream=utf8`, 'gzip')).encoding).toBe('gzip');
  });

  it('are 304 while the API description is unchanged', async () => {
    const { headers } = await gateway.call(null, 'GET', '/openapi.json');
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers.get('cache-control')).toBe('no-cache');
    const same = await gateway.call(null, 'GET', '/openapi.json', undefined, { 'if-none-match': tag });
    expect([same.status, same.text.length]).toEqual([304, 0]);
    const other = await gateway.call(null, 'GET', '/openapi.json', undefined, { 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
  });

  it('lead from the root to the documentation', async () => {
    const origin = new URL(gateway.api).origin;
    const root = await fetch(`${origin}/`);
    expect([root.status, root.url, root.headers.get('content-type')]).toEqual([
      200,
      `${origin}/api/docs`,
      'text/html; charset=utf-8',
    ]);
    const post = await fetch(`${origin}/`, { method: 'POST' });
    expect([post.status, post.headers.get('allow'), await post.json()]).toEqual([
      405,
      'GET, HEAD',
      { message: expect.any(String) },
    ]);
  });
});
