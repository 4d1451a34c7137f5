import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type BodyOperation, bodyOperations, bodyShapes, nullShapes } from '../bench/bodies/shapes.mjs';
import { type TestGateway, startGateway } from './support/gateway';

const document = JSON.parse(readFileSync(join(__dirname, '..', 'openapi.json'), 'utf8')) as object;
const operations = bodyOperations(document);
const NOTHING = '00000000-0000-4000-8000-000000000000';
/** A hundred times what the gateway promises, for a slow machine that does other work; it was 25 s. */
const SILENT_AT_MOST_MS = 5_000;
const MAX_MESSAGE_BYTES = 2_000;
/** So many of the shapes of each operation, spread over all of them; `npm run test:bodies` sends every one. */
const SHAPES = process.env['BODY_SHAPES'] === 'all' ? Number.MAX_SAFE_INTEGER : 8;

/** The shapes are made from openapi.json: a field or a route that is added is tried too. */
describe('the worst body', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });

  afterAll(() => gateway.close());

  const send = ({ method, path }: BodyOperation, body: string) =>
    gateway.call('admin', method, path.replaceAll(/\{\w+\}/g, NOTHING), body);

  it.each(operations)('of $id is answered shortly, and others are served meanwhile', async (operation) => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const shapes = bodyShapes(document, operation);
    const step = Math.max(1, shapes.length / SHAPES);
    for (const { name, body } of shapes.filter((_, index) => index % step < 1)) {
      const [answer, bystander] = await Promise.all([
        send(operation, body),
        gateway.call(null, 'GET', '/healthz'),
      ]);
      expect([name, bystander.status]).toEqual([name, 200]);
      expect([name, answer.status, answer.status < 500]).toEqual([name, answer.status, true]);
      if (answer.status >= 400) expect([name, answer.body]).toEqual([name, { message: expect.any(String) }]);
      const size = Buffer.byteLength(answer.body?.message ?? '');
      expect([name, size, size < MAX_MESSAGE_BYTES]).toEqual([name, size, true]);
    }
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(SILENT_AT_MOST_MS);
  });

  it.each(operations)('of $id: null is never a fault of the gateway, and no object', async (operation) => {
    for (const { name, schema, body } of nullShapes(document, operation)) {
      const { status, body: answer } = await send(operation, body);
      const isObject = schema.type === 'object' && schema.nullable !== true;
      expect([name, status, isObject ? status >= 400 && status < 500 : status < 500, answer]).toEqual([
        name,
        status,
        true,
        answer,
      ]);
      if (isObject) expect(answer.message).toBe(`${name} must be an object`);
    }
    expect((await send(operation, 'null')).status).toBe(400);
  });

  it('names ten faults at most', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]));
    const { status, body } = await gateway.call('admin', 'POST', '/groups', { name: 'g', ...unknown });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^(unknown field field\d; ){10}and 490 more$/);
    const rules = Array.from({ length: 200 }, () => ({ type: 7, words: 'x', message: 1 }));
    const nested = await gateway.call('admin', 'POST', '/guardrails', { name: 'g', input: { rules } });
    expect([nested.status, nested.body.message]).toEqual([
      400,
      expect.stringMatching(/^([^;]+; ){10}and \d+ more$/),
    ]);
  });
});
