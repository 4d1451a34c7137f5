import { type Json, JsonNumber } from '../../../kernel/json/json';
import { InvalidHeaderParameter, headerParameterValues, headerParameters } from './param-headers';

const SCHEMA: Json = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    limit: { type: 'integer', 'x-mcp-header': 'Limit' },
    at: { type: 'object', properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } } },
    properties: { type: 'string' },
    example: { type: 'string', default: 'x', enum: ['x'], examples: [{ 'x-mcp-header': 'Data' }] as Json },
  },
};

describe('parameters that are repeated in headers', () => {
  it('are found where only properties lead to them', () => {
    expect(headerParameters(SCHEMA)).toEqual([
      { name: 'Region', path: ['region'] },
      { name: 'Limit', path: ['limit'] },
      { name: 'Dry-Run', path: ['at', 'dry'] },
    ]);
    expect(headerParameters(true)).toEqual([]);
    expect(headerParameters({ type: 'object' })).toEqual([]);
  });

  it.each<[string, Json, Record<string, string>]>([
    [
      'all',
      { region: 'eu 1', limit: -7, at: { dry: false } },
      { Region: 'eu 1', Limit: '-7', 'Dry-Run': 'false' },
    ],
    ['null and what is absent', { region: null, at: {} }, {}],
    ['values of another type', { region: ['a'], limit: { a: 1 }, at: 'x' }, {}],
    ['integers that are not safe, and fractions', { limit: new JsonNumber('9007199254740993') }, {}],
    ['fractions', { limit: 1.5 }, {}],
    ['an empty string', { region: '' }, { Region: '' }],
    ['arguments that are no object', [1], {}],
  ])('have the values of the arguments: %s', (_, args, values) => {
    expect(headerParameterValues(headerParameters(SCHEMA), args)).toEqual(values);
  });

  const string = { type: 'string', 'x-mcp-header': 'A' };
  it.each<[string, Json]>([
    ['empty', { properties: { a: { type: 'string', 'x-mcp-header': '' } } }],
    ['no name of a header', { properties: { a: { type: 'string', 'x-mcp-header': 'a b' } } }],
    ['more than one line', { properties: { a: { type: 'string', 'x-mcp-header': 'a\r\nb: c' } } }],
    ['a number', { properties: { a: { type: 'string', 'x-mcp-header': 1 } } }],
    [
      'given twice, in another case',
      { properties: { a: string, b: { type: 'string', 'x-mcp-header': 'a' } } },
    ],
    ['on a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['on a nullable', { properties: { a: { type: ['string', 'null'], 'x-mcp-header': 'A' } } }],
    ['on an object', { properties: { a: { type: 'object', 'x-mcp-header': 'A' } } }],
    ['on the root', { type: 'string', 'x-mcp-header': 'A' }],
    ['in items', { properties: { a: { type: 'array', items: string } } }],
    ['in items, deeper', { properties: { a: { type: 'array', items: { properties: { b: string } } } } }],
    ['in oneOf', { oneOf: [{ properties: { a: string } }] }],
    ['in else', { if: {}, else: { properties: { a: string } } }],
    ['in $defs', { $defs: { a: string }, properties: { b: { $ref: '#/$defs/a' } } }],
    ['in additionalProperties', { additionalProperties: string }],
  ])('are none where the annotation is %s', (_, schema) => {
    expect(() => headerParameters(schema)).toThrow(InvalidHeaderParameter);
  });
});
