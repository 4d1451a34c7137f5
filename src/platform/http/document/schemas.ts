import { type Schema, type Schemas, isReference, nodesBelow, referenceTo, referredName } from './parts';

const MAX_INT32 = 2_147_483_647;

/**
 * In an `@ApiProperty`, stands for any JSON value. OpenAPI 3.0.3 expresses it by a schema without a type.
 * Alternatives (`oneOf` of the primitive types) do not compile in most generated clients.
 */
export const ANY_VALUE = { oneOf: [] };

/** Brings every schema into a form that strict validators and generated clients understand alike. */
export function settleSchemas(schemas: Schemas): void {
  for (const node of nodesBelow(schemas)) {
    if ((node['oneOf'] as unknown[] | undefined)?.length === 0) delete node['oneOf'];
    if (node['type'] === 'integer') settleInteger(node);
  }
  settleNullableReferences(schemas);
  settleNullableEnumerations(schemas);
}

/** Adds the format int64 to large integers. Without it, clients use 32 bits and fail at larger numbers. */
function settleInteger(schema: Schema): void {
  if ((schema.maximum ?? Number.POSITIVE_INFINITY) > MAX_INT32) schema.format ??= 'int64';
}

/**
 * Removes nullable enumerations from `required`, although the gateway always sends them. The C# client
 * (httpclient) does not allow null for a required enumeration, and refuses the whole answer.
 */
function settleNullableEnumerations(schemas: Schemas): void {
  for (const owner of Object.values(schemas)) {
    if (isReference(owner) || owner.required === undefined) continue;
    owner.required = owner.required.filter((name) => {
      const property = owner.properties?.[name];
      return property === undefined || isReference(property) || !(property.nullable && property.enum);
    });
  }
}

interface NullableReference {
  readonly owner: Schema;
  readonly property: string;
  readonly schema: Schema;
  readonly target: string;
}

/**
 * Makes referenced schemas nullable, because `nullable` beside a reference has no effect: the referenced
 * schema still refuses null (OpenAPI 3.0.3, "Schema Object"). If other properties refer to the schema for a
 * value that is never null, a nullable copy `<name>OrNull` is made.
 *
 * Removes the property from `required`, although it is always sent: the Java client (okhttp-gson) refuses
 * null for a required object.
 */
function settleNullableReferences(schemas: Schemas): void {
  const found = Object.values(schemas).flatMap(nullableReferences);
  const nodes = new Set<unknown>(found.map(({ schema }) => schema.allOf?.[0]));
  const plain = new Set([...nodesBelow(schemas)].filter((node) => !nodes.has(node)).map(referredName));
  for (const { owner, property, schema, target } of found) {
    const name = plain.has(target) ? `${target}OrNull` : target;
    schemas[name] = { ...schemas[target], nullable: true };
    owner.properties = { ...owner.properties, [property]: withoutNullable(schema, name) };
    const required = (owner.required ?? []).filter((name) => name !== property);
    // OpenAPI does not allow an empty `required` list.
    if (required.length > 0) owner.required = required;
    else delete owner.required;
  }
}

function nullableReferences(owner: Schemas[string]): NullableReference[] {
  if (isReference(owner)) return [];
  return Object.entries(owner.properties ?? {}).flatMap(([property, schema]) => {
    if (isReference(schema) || schema.nullable !== true) return [];
    const target = referredName(schema.allOf?.[0]);
    return target === undefined ? [] : [{ owner, property, schema, target }];
  });
}

function withoutNullable(schema: Schema, target: string): Schemas[string] {
  const { nullable: _, type: __, allOf: ___, ...said } = schema;
  return Object.keys(said).length === 0 ? referenceTo(target) : { ...said, allOf: [referenceTo(target)] };
}
