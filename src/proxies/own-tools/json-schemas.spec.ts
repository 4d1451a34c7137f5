import { Ajv2020 } from 'ajv/dist/2020';
import { JsonSchemas } from './json-schemas';

const components = {
  Tree: {
    type: 'object',
    nullable: true,
    properties: {
      name: { type: 'string', enum: ['a', 'b'], nullable: true, description: 'Its name.', example: 'a' },
      size: { type: 'integer', format: 'int64' },
      left: { nullable: true, allOf: [{ $ref: '#/components/schemas/Leaf' }] },
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
    required: ['name'],
  },
  Leaf: { type: 'object', properties: { example: { type: 'boolean' } }, required: ['example'] },
};

describe('a JSON Schema of the API description', () => {
  const schemas = new JsonSchemas(components);
  const root = { $ref: '#/components/schemas/Tree' };

  it('is an object at its root, and accepts what the API may answer', () => {
    const schema = schemas.complete(root, true);
    expect(schema['type']).toBe('object');
    const check = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
    const accepts = (value: object | null): boolean => check(value);
    expect(accepts({ name: null, size: 1, left: null, children: [{ name: 'b' }, null] })).toBe(true);
    expect(accepts({ name: 'a', left: { example: true } })).toBe(true);
    expect(accepts({ name: 'c' })).toBe(false);
    expect(accepts({ name: 'a', left: {} })).toBe(false);
    expect(accepts({ name: 'a', children: [{ size: 1 }] })).toBe(false);
    expect(accepts(null)).toBe(false);
  });

  it('has the descriptions only where they are wanted', () => {
    expect(JSON.stringify(schemas.complete(root, true))).toContain('Its name.');
    expect(JSON.stringify(schemas.complete(root, false))).not.toContain('Its name.');
  });
});
