import Ajv2020 from 'ajv/dist/2020';
import * as fc from '../../../../test/support/fast-check';
import { volume } from '../../../../test/support/volume';
import { type Json, readJson, valueAt } from '../../../kernel/json/json';
import { stillFits } from './schema-fit';

type Schema = Record<string, unknown> | boolean;

const text = fc.constantFrom('a', 'b@c.d', '****', '****1111', '', 'long enough');

/** Schemas of every keyword that may constrain a text or its surroundings. */
const schemas = fc.letrec<{ schema: Schema }>((tie) => {
  const inner = tie('schema');
  const some = fc.array(inner, { minLength: 1, maxLength: 2 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<Schema>(true, { type: 'string' }, { type: ['string', 'null'] }, { type: 'array' }, {}),
      fc.record({ minLength: fc.nat(6) }),
      fc.record({ maxLength: fc.nat(6) }),
      fc.record({ pattern: fc.constantFrom('^a', '\\*', '@', '^.{4}$') }),
      fc.record({ enum: fc.array(text, { minLength: 1 }).map((all) => [...new Set(all)]) }),
      fc.record({ const: fc.oneof(text, fc.constant({ a: 'a' })) }),
      fc.record({ a: inner, b: inner }).map((properties) => ({ properties })),
      inner.map((it) => ({ patternProperties: { '^a': it } })),
      inner.map((it) => ({ additionalProperties: it })),
      inner.map((it) => ({ unevaluatedProperties: it })),
      inner.map((it) => ({ items: it })),
      some.map((prefixItems) => ({ prefixItems, items: false })),
      inner.map((it) => ({ contains: it })),
      fc.constant({ uniqueItems: true }),
      some.map((anyOf) => ({ anyOf })),
      some.map((oneOf) => ({ oneOf })),
      some.map((allOf) => ({ allOf })),
      inner.map((not) => ({ not })),
      fc
        .tuple(inner, inner, inner)
        .map((all) => Object.fromEntries(['if', 'then', 'else'].map((name, index) => [name, all[index]]))),
      inner.map((it) => ({ dependentSchemas: { a: it } })),
      fc.constant<Schema>({ $ref: '#/$defs/short' }),
    ),
  };
}).schema;

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.record({ a: tie('value'), b: tie('value') }, { requiredKeys: ['a'] }),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
  ),
})).value;

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value === 'string') return [path];
  return Object.entries(value as object).flatMap(([name, inner]) => pathsOf(inner, [...path, name]));
}

function withText(value: unknown, [first, ...rest]: readonly string[], after: string): unknown {
  if (first === undefined) return after;
  const changed = withText((value as Record<string, unknown>)[first], rest, after);
  return Array.isArray(value)
    ? value.map((item: unknown, index) => (index === Number(first) ? changed : item))
    : { ...(value as object), [first]: changed };
}

const read = (value: unknown): Json => readJson(Buffer.from(JSON.stringify(value))) as Json;

describe('stillFits', () => {
  it('never says yes where a validator would see a difference', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    let said = 0;
    fc.assert(
      fc.property(schemas, values, fc.nat(), text, (schema, value, which, after) => {
        const whole = { $defs: { s: schema, short: { maxLength: 4 } }, $ref: '#/$defs/s' };
        const paths = pathsOf(value);
        const path = paths[which % paths.length]!;
        const before = valueAt(read(value), path) as string;
        if (!stillFits(read(whole), { path, before, after })) return;
        said += 1;
        const validate = ajv.compile(whole);
        expect(validate(withText(value, path, after))).toBe(validate(value));
      }),
      { numRuns: volume(1_000, 5_000) },
    );
    expect(said).toBeGreaterThan(fc.runs(100));
  });
});
