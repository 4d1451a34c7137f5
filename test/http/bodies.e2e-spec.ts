import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type BodyOperation, bodyOperations, bodyShapes, nullShapes } from '../../bench/bodies/shapes.mjs';
import { describeGateway } from '../support/describe';
import { ROOT } from '../support/root';
import { volume } from '../support/volume';

const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as object;
const operations = bodyOperations(document);
const NOTHING = '00000000-0000-4000-8000-000000000000';
/**
 * Maximum delay of the event loop: a hundred times the promised limit, because a test machine may be slow and
 * busy. A body once blocked the gateway for 25 s.
 */
const SILENT_AT_MOST_MS = 5_000;
const MAX_MESSAGE_BYTES = 2_000;
/** Length of the pieces in which long texts are checked, in UTF-16 code units. */
const PIECE = 512 * 1024;
/**
 * Number of shapes that each operation is tested with, spread over all its shapes and different from
 * operation to operation. `npm run test:long` sends every shape.
 */
const SHAPES = volume(3, Number.MAX_SAFE_INTEGER);

/** Sends the worst bodies. They are made from openapi.json, so that new fields and routes are tested too. */
describeGateway('the worst body', ({ gateway }) => {
  const send = ({ method, path }: BodyOperation, body: string) =>
    gateway.call('admin', method, path.replaceAll(/\{\w+\}/g, NOTHING), body);

  // promises: HTTP-18, HTTP-19
  it.each(operations)('of $id is answered shortly, and others are served meanwhile', async (operation) => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const shapes = bodyShapes(document, operation);
    const step = Math.max(1, shapes.length / SHAPES);
    const from = operations.indexOf(operation);
    for (const { name, body } of shapes.filter((_, index) => (index + from) % step < 1)) {
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

  // promises: HTTP-26
  it.each(operations)(
    'of $id: null is taken where the description has it, and else 400',
    async (operation) => {
      const wrong: unknown[] = [];
      for (const { name: path, schema, body } of nullShapes(document, operation)) {
        const name = path.replaceAll('*', '0');
        const { status, body: answer } = await send(operation, body);
        const told = String(answer?.message);
        // A nullable field must not be refused because it is null.
        const isRight =
          schema.nullable === true
            ? status < 500 && !told.includes(`${name} must not be null`)
            : status === 400 && told.includes(name);
        if (!isRight) wrong.push([name, schema.nullable === true, status, told]);
        if (schema.type === 'object' && schema.nullable !== true)
          expect(told).toBe(`${name} must be an object`);
      }
      expect(wrong).toEqual([]);
      expect((await send(operation, 'null')).status).toBe(400);
    },
  );

  // promises: HTTP-18
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

  it.each<[string, string, number, RegExp]>([
    ['sound', 'x'.repeat(600_000), 404, /no connection/],
    [
      'of characters that lie on the border of two pieces',
      `${'x'.repeat(PIECE - 1)}\u{1F4A9}${'x'.repeat(9)}`,
      404,
      /no connection/,
    ],
    ['that ends with NUL', `${'x'.repeat(600_000)}\0`, 422, /^script must not contain NUL/],
    ['that begins with NUL', `\0${'x'.repeat(600_000)}`, 422, /^script must not contain NUL/],
    [
      'with half a character at the border',
      `${'x'.repeat(PIECE - 1)}\ud83d${'x'.repeat(9)}`,
      422,
      /lone surrogates/,
    ],
    [
      'with half a character behind the border',
      `${'x'.repeat(PIECE)}\ude00${'x'.repeat(9)}`,
      422,
      /lone surrogates/,
    ],
  ])('that is a long script %s is checked to its end', async (_, script, status, words) => {
    const body = { connection: 'of-nobody', script };
    const answer = await gateway.call('admin', 'POST', '/sessions', body);
    expect([answer.status, answer.body]).toEqual([status, { message: expect.stringMatching(words) }]);
  });

  it('has no more tables than fit into a rule set: those beyond are counted, not looked into', async () => {
    const rule = (count: number, table: object) => ({
      name: 'tables',
      input: {
        rules: [
          {
            type: 'sql_statement',
            words: [],
            pattern_regex: '',
            tables: Array.from({ length: count }, () => table),
          },
        ],
      },
    });
    const post = (body: object) => gateway.call('admin', 'POST', '/guardrails', body);
    const beyond = await post(rule(12_000, { name: 7 }));
    expect([beyond.status, beyond.body.message]).toEqual([
      400,
      expect.stringMatching(
        /^input\.rules\.0\.tables must contain no more than 2500 elements|tables\.0\.name must be/,
      ),
    ]);
    const shortest = await post(rule(2_501, { name: 'a', access: 'any' }));
    expect([shortest.status, shortest.body.message]).toEqual([
      422,
      'input.rules.0.tables must contain no more than 2500 elements',
    ]);
    // A list of 2 300 elements fits into the maximum size of a rule set, so it is accepted.
    const largest = await post(rule(2_300, { name: 'a', access: 'any' }));
    expect([largest.status, largest.text.slice(0, 200)]).toEqual([201, largest.text.slice(0, 200)]);
  });
});
