import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Description, rules } from '../support/description-rules';
import { ROOT } from '../support/root';

const text = readFileSync(join(ROOT, 'openapi.json'), 'utf8');
const description = JSON.parse(text) as Description;

/** Faulty schemas and operations, by the first part of the name of the rule that must report them. */
const planted: Readonly<Record<string, { schemas?: object; operation?: object }>> = {
  alternatives: { schemas: { Planted: { oneOf: [{ type: 'string' }, { type: 'number' }] } } },
  '`nullable`': {
    schemas: {
      Planted: {
        type: 'object',
        properties: { part: { nullable: true, allOf: [{ $ref: '#/components/schemas/PageInfo' }] } },
      },
    },
  },
  'an enumeration': { schemas: { Planted: { type: 'string', nullable: true, enum: ['a'] } } },
  'an object says': { schemas: { Planted: { type: 'object', nullable: true, maxLength: 5 } } },
  'nothing stands': { schemas: { Planted: { $ref: '#/components/schemas/PageInfo', description: 'x' } } },
  'an integer': { schemas: { Planted: { type: 'integer', minimum: 0 } } },
  'a required': { schemas: { Planted: { type: 'object', properties: {}, required: ['name'] } } },
  'an object that': {
    schemas: {
      Part: { type: 'object', nullable: true, properties: {} },
      Planted: {
        type: 'object',
        properties: { part: { $ref: '#/components/schemas/Part' } },
        required: ['part'],
      },
    },
  },
  'an enumeration with null': {
    schemas: {
      Planted: {
        type: 'object',
        properties: { mode: { type: 'string', nullable: true, enum: ['a', null] } },
        required: ['mode'],
      },
    },
  },
  'no name': { schemas: { NewWebhookView: { type: 'string' } } },
  'names of': { schemas: { PAGEINFO: { type: 'string' } } },
  'the properties': {
    schemas: { Planted: { type: 'object', properties: { a_b: {}, aB: {} } } },
  },
  'the successes': {
    operation: {
      responses: {
        200: { content: { 'application/json': { schema: { type: 'string' } } } },
        204: { description: 'Nothing.' },
      },
    },
  },
  'a body has one': {
    operation: {
      requestBody: {
        content: {
          'application/json': { schema: {}, example: {} },
          'application/merge-patch+json': { schema: {}, example: {} },
        },
      },
    },
  },
  'a merge patch': {
    operation: {
      requestBody: {
        description: 'Also application/merge-patch+json.',
        content: { 'application/json': { schema: {}, example: {} } },
      },
    },
  },
  'an enumeration has': { schemas: { Planted: { type: 'object', additionalProperties: { enum: [''] } } } },
  'each operation': { operation: { description: '' } },
  'each parameter': { operation: { parameters: [{ name: 'name', in: 'query' }] } },
  'each body': {
    operation: { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
  },
};

/**
 * Tests rules for the API description. Each rule covers a fault that generated clients or strict validators
 * once revealed (npm run test:clients).
 */
describe('the form of the API description', () => {
  it.each(Object.keys(rules))('%s', (rule) => {
    expect(rules[rule]?.(description)).toEqual([]);
  });

  it.each(Object.keys(rules))('would be found wrong: %s', (rule) => {
    // Takes the longest key that matches, because some keys begin with another key.
    const [key] = Object.keys(planted)
      .filter((beginning) => rule.startsWith(beginning))
      .sort((a, b) => b.length - a.length);
    const { schemas = {}, operation = {} } = planted[key ?? ''] ?? {};
    const whole = {
      operationId: 'planted',
      summary: 'Plant',
      description: 'Planted.',
      tags: [description.tags?.[0]?.name],
      responses: {},
      ...operation,
    };
    const changed = {
      ...description,
      paths: { ...description.paths, '/planted': { get: whole } },
      components: { ...description.components, schemas: { ...description.components.schemas, ...schemas } },
    } as Description;
    expect(rules[rule]?.(changed)).toHaveLength(1);
  });
});

// promises: VERSION-2
it('only replaced fields of a session are marked as deprecated', () => {
  const { SessionView } = (JSON.parse(text) as { components: { schemas: Record<string, Described> } })
    .components.schemas;
  const deprecated = Object.entries(SessionView?.properties ?? {}).filter(([, { deprecated }]) => deprecated);
  expect(deprecated.map(([name]) => name).sort()).toEqual(['connection', 'labels']);
});

interface Described {
  properties?: Record<string, { deprecated?: boolean }>;
}

// Generators write descriptions and examples into comments, as they are: C# did not compile.
it('no text of the description ends a comment of the languages of its clients', () => {
  expect(text).not.toContain('*/');
});
