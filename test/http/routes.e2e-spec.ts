import { type IncomingMessage, request as httpRequest } from 'node:http';
import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import type { Answer } from '../support/gateway';
import { type Operation, briefly, operations, pathOf } from '../support/operations';
import { type Route, controllerRoutes } from '../support/routes';
import { turnOf } from '../support/volume';

const NOTHING = '00000000-0000-4000-8000-000000000000';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const UUID = /^[0-9a-f-]{36}$/;
/** Routes whose answers are the same for every caller, and may be cached. */
const PUBLIC = new Set(['/evidence-keys', '/ssh-host-keys', '/ssh/user-ca.pub']);
const MERGE_PATCH = 'application/merge-patch+json';

/**
 * Tests promises about HTTP on all routes. Code that all routes share reads many kinds of input. In
 * `npm test`, each route gets only some of these inputs, but all routes together get all of them.
 */
describeGateway('every route', ({ gateway }) => {
  let routes: Route[];

  beforeAll(async () => {
    routes = controllerRoutes(gateway.app);
  });

  const bodies = operations.filter((operation) => operation.hasBody);
  const place = (path: string) => path.replaceAll(/:\w+/g, NOTHING);
  const send = (operation: Operation, body: unknown, headers: Record<string, string> = {}) =>
    gateway.call('admin', operation.method, pathOf(operation, NOTHING), body, headers);
  const refused = ({ status, headers, body }: Answer) => ({
    status,
    body,
    id: headers.get('x-request-id'),
    cache: headers.get('cache-control'),
  });
  const refusal = (status: number, words: string | RegExp = '') => ({
    status,
    body: { message: expect.stringMatching(words) },
    id: expect.stringMatching(UUID),
    cache: 'no-store',
  });
  /** Sends a request whose body does not match its headers. */
  const half = async (
    operation: Operation,
    headers: Record<string, string>,
    body: Buffer | undefined,
    person: 'admin' | 'alice' | null = 'admin',
  ): Promise<{ status: number | undefined; text: string; continued: boolean }> => {
    const authorization: Record<string, string> =
      person === null ? {} : { authorization: `Bearer ${await gateway.token(person)}` };
    return new Promise((resolve, reject) => {
      let continued = false;
      const sent = httpRequest(`${gateway.api}${pathOf(operation, NOTHING)}${briefly(operation.path)}`, {
        method: operation.method,
        headers: { 'content-type': 'application/json', ...authorization, ...headers },
      });
      sent.once('continue', () => (continued = true));
      sent.once('error', reject);
      sent.once('response', (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => {
          sent.destroy();
          resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString(), continued });
        });
      });
      if (body === undefined) sent.flushHeaders();
      else sent.end(body);
    });
  };

  // promises: HTTP-6
  it('names its methods to whom asks with another', async () => {
    const paths = [...new Set(operations.map(({ path }) => path))];
    for (const path of paths) {
      const own = operations.filter((operation) => operation.path === path).map(({ method }) => method);
      const at = path.replaceAll(/\{\w+\}/g, NOTHING);
      const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : [])].sort();
      for (const method of METHODS.filter((one) => !own.includes(one))) {
        const answer = await gateway.call('admin', method, at);
        expect([method, path, refused(answer)]).toEqual([method, path, refusal(405, method)]);
        const allowed = (answer.headers.get('allow') ?? '').split(', ').sort();
        expect([method, path, allowed]).toEqual([method, path, allow]);
      }
    }
    expect(paths.length).toBeGreaterThan(60);
  });

  // promises: HTTP-6
  it('of words is no id of another route, however it is written', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/Reviews/STREAM', 'GET, HEAD'],
      ['PUT', '/reviews/stream/', 'GET, HEAD'],
      ['DELETE', '/guardrails/dry-run?', 'POST'],
      ['HEAD', '/guardrails/dry-run', 'POST'],
    ] as const) {
      const answer = await gateway.call('alice', method, path);
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow]);
    }
  });

  // promises: HTTP-6
  it('that does not exist is 404, in the API and outside', async () => {
    const origin = new URL(gateway.api).origin;
    for (const path of [
      '/api',
      '/api/',
      '/api/no-such',
      '/api/sessions/x/y/z',
      '/no-such',
      '/apiary',
      '/%ff',
      '//',
      '/api/%ff',
    ]) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(`${origin}${path}`, { method });
        expect([path, response.status, await response.json()]).toEqual([
          path,
          path.startsWith('/api/%') ? 400 : 404,
          { message: expect.any(String) },
        ]);
        expect([path, response.headers.get('x-request-id')]).toEqual([path, expect.stringMatching(UUID)]);
      }
    }
  });

  // promises: HTTP-7
  it.each(bodies)('$id takes JSON alone', async (operation) => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/json; charset=latin1',
    ];
    for (const type of turnOf(types, bodies.indexOf(operation), 2)) {
      const answer = await send(operation, '{}', { 'content-type': type });
      expect([type, refused(answer)]).toEqual([type, refusal(415, /application\/json|UTF-8/)]);
    }
    const nameless = await half(operation, { 'content-type': '' }, Buffer.from('{}'));
    expect(nameless.status).toBe(415);
    const patch = await send(operation, '{"no_such_field":1}', { 'content-type': MERGE_PATCH });
    expect(patch.status === 415).toBe(operation.method !== 'PATCH');
    const plain = await send(operation, '{"no_such_field":1}', {
      'content-type': 'application/json; charset="UTF-8"',
    });
    expect([plain.status, plain.body.message]).toEqual([
      400,
      expect.stringContaining('unknown field no_such_field'),
    ]);
  });

  // promises: HTTP-8
  it.each(bodies)(
    '$id refuses what is too large before it comes, and asks first who sends it',
    async (operation) => {
      const tooLarge = { 'content-length': String(2 * 1024 ** 3) };
      expect(await half(operation, tooLarge, undefined)).toEqual({
        status: 413,
        text: JSON.stringify({ message: 'the request body is larger than 1 MiB' }),
        continued: false,
      });
      expect((await half(operation, tooLarge, undefined, null)).status).toBe(401);
      const waits = { 'content-length': '100', expect: '100-continue' };
      expect(await half(operation, waits, undefined, null)).toMatchObject({ status: 401, continued: false });
      const unfinished = Buffer.from('{"a":');
      expect((await half(operation, {}, unfinished, null)).status).toBe(401);
      expect((await half(operation, { ...tooLarge, expect: '100-continue' }, undefined)).continued).toBe(
        false,
      );
      expect(await half(operation, { expect: '100-continue' }, unfinished)).toMatchObject({
        status: 400,
        continued: true,
      });
    },
  );

  // promises: HTTP-9, HTTP-3
  it.each(bodies)('$id refuses what is no UTF-8, no JSON and no object', async (operation) => {
    const index = bodies.indexOf(operation);
    const broken = [
      [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
      [0x22, 0xc0, 0x80, 0x22],
    ];
    for (const bytes of turnOf(broken, index, 1)) {
      const { status, text } = await half(operation, {}, Buffer.from(bytes));
      expect([status, text]).toEqual([400, expect.stringContaining('UTF-8')]);
    }
    const noObject = ['{', 'null', '[]', '"text"', '1', '{"a":1}{"b":2}', "{'a':1}"];
    for (const text of turnOf(noObject, index, 2))
      expect([text, refused(await send(operation, text))]).toEqual([text, refusal(400)]);
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'prototype',
      'valueOf',
      '\u202e',
    ];
    for (const name of turnOf(names, index, 2)) {
      const answer = await send(operation, `{${JSON.stringify(name)}:{}}`);
      expect([name, refused(answer)]).toEqual([name, refusal(400, 'unknown field')]);
      expect(answer.body.message).not.toContain('\u202e');
    }
  });

  // promises: HTTP-9
  it('refuses a body, which it would drop, where it takes none', async () => {
    const told = JSON.stringify({ message: 'this route accepts no request body' });
    for (const [index, operation] of operations.filter(({ hasBody }) => !hasBody).entries()) {
      const sent: [Record<string, string>, Buffer | undefined][] = [
        [{ 'content-length': '2' }, Buffer.from('{}')],
        [{ 'transfer-encoding': 'chunked' }, Buffer.from('{}')],
        [{ 'content-length': '100', expect: '100-continue' }, undefined],
      ];
      for (const [headers, body] of turnOf(sent, index, 1)) {
        const { status, text, continued } = await half(operation, headers, body);
        expect([operation.id, headers, status, text, continued]).toEqual([
          operation.id,
          headers,
          400,
          told,
          false,
        ]);
      }
      const none = await half(operation, { 'content-length': '0' }, Buffer.alloc(0));
      expect([operation.id, none.text]).toEqual([
        operation.id,
        expect.not.stringContaining('accepts no request body'),
      ]);
    }
  });

  it.each([
    '/docs',
    '/docs/',
    '/docs/swagger-ui.css',
    '/docs/sign-in.js',
    '/openapi.json',
    '/openapi.yaml',
    '/OpenAPI.json',
  ])('%s of the documentation takes neither parameters nor a body', async (path) => {
    expect((await gateway.call(null, 'GET', path)).status).toBe(200);
    for (const query of ['x=1', 'format=yaml', '__proto__=1', 'x']) {
      const answer = await gateway.call(null, 'GET', `${path}?${query}`);
      expect([query, refused(answer)]).toEqual([query, refusal(400, 'unknown query parameter')]);
    }
    const operation = { method: 'GET', path } as Operation;
    const { status, text } = await half(operation, { 'content-length': '2' }, Buffer.from('{}'), null);
    expect([status, JSON.parse(text)]).toEqual([400, { message: 'this route accepts no request body' }]);
  });

  it('of the documentation is where a failed sign-in comes back to', async () => {
    expect((await gateway.call(null, 'GET', '/docs?error=access_denied')).status).toBe(200);
    expect((await gateway.call(null, 'GET', '/openapi.json?error=access_denied')).status).toBe(400);
  });

  // promises: HTTP-10
  it('refuses query parameters that it does not have, and those without a value', async () => {
    for (const [index, { method, path }] of routes.filter((route) => route.path !== '/callback').entries()) {
      const ask = (query: string) => gateway.call('admin', method, `${place(path)}?${query}`);
      const unknown = [
        'no_such_parameter=1',
        'blob-type=raw',
        'a&b',
        '=',
        'toString=1',
        '__proto__=1',
        '%F0%9F%92%A9=1',
      ];
      for (const query of turnOf(unknown, index, 1)) {
        const answer = refused(await ask(query));
        expect([method, path, query, answer]).toEqual([
          method,
          path,
          query,
          refusal(400, 'unknown query parameter'),
        ]);
      }
      const unsound: [string, string][] = [
        ['%ff=1', 'UTF-8'],
        ['%zz=1', 'UTF-8'],
        ['x=1&'.repeat(3_000), 'more than 100'],
      ];
      for (const [query, words] of turnOf(unsound, index, 1))
        expect([method, path, words, refused(await ask(query))]).toEqual([
          method,
          path,
          words,
          refusal(400, words),
        ]);
    }
    for (const operation of operations) {
      const names = operation.parameters.filter((parameter) => parameter.in === 'query');
      for (const [index, { name }] of names.entries()) {
        if (operation.id === 'callback') continue;
        for (const query of turnOf([name, `${name}=`, `${name}=&${name}=1`], index, 1)) {
          const answer = await gateway.call(
            'admin',
            operation.method,
            `${pathOf(operation, NOTHING)}?${query}`,
          );
          expect([operation.id, query, refused(answer)]).toEqual([
            operation.id,
            query,
            refusal(400, 'no value'),
          ]);
        }
      }
    }
  });

  // promises: ERROR-1, HTTP-2, HTTP-15
  it('has a message, its id, and no-store for private answers', async () => {
    for (const { method, path } of routes) {
      for (const person of ['admin', 'alice', null] as const) {
        if (person === 'admin' && path === '/retention/runs') continue;
        const answer = await gateway.call(person, method, `${place(path)}${briefly(path)}`);
        const what = [method, path, person];
        expect([...what, answer.headers.get('x-request-id')]).toEqual([...what, expect.stringMatching(UUID)]);
        const isPublic = PUBLIC.has(path) && answer.status === 200;
        expect([...what, answer.headers.get('cache-control')]).toEqual([
          ...what,
          expect.stringContaining(isPublic ? 'public' : 'no-store'),
        ]);
        if (answer.status >= 400)
          expect([...what, answer.body]).toEqual([...what, { message: expect.any(String) }]);
      }
    }
  });

  it('has its line in the audit log where it was refused, whatever bytes its path has', async () => {
    const writes = routes.filter(({ method, path }) => method !== 'GET' && path.includes(':'));
    for (const { method, path } of writes) {
      const id = `refused-${writes.findIndex((route) => route.path === path && route.method === method)}`;
      const answer = await gateway.call('admin', method, path.replaceAll(/:\w+/g, 'a%00b'), undefined, {
        'x-request-id': id,
      });
      expect([method, path, answer.status]).toEqual([method, path, expect.any(Number)]);
      expect([method, path, answer.status >= 400 && answer.status < 500]).toEqual([method, path, true]);
      await eventually(`the line of ${method} ${path}`, async () => {
        const { body } = await gateway.call('admin', 'GET', `/audit/logs?request_id=${id}`);
        return body.data.length === 1;
      });
    }
  });
});
