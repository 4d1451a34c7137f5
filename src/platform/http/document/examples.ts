import type { OpenAPIObject } from '@nestjs/swagger';
import { requestContents } from './bodies';
import { type Schema, type SchemaOrReference, type Schemas, isReference, referredName } from './parts';

/**
 * Gives each request body an example that the gateway accepts. The example has the required fields, and the
 * optional fields that have an example of their own.
 */
export function exemplifyBodies(document: OpenAPIObject, schemas: Schemas): void {
  for (const content of requestContents(document)) {
    for (const media of Object.values(content)) {
      if (media.schema !== undefined) media.example ??= exampleOf(media.schema, schemas);
    }
  }
}

const plainValues: Readonly<Record<string, unknown>> = { array: [], boolean: true, object: {} };

function exampleOf(node: SchemaOrReference, schemas: Schemas): unknown {
  if (!isReference(node) && node.example !== undefined) return node.example;
  const schema = resolved(node, schemas);
  if (schema.example !== undefined) return schema.example;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.properties !== undefined) return exampleOfObject(schema, schemas);
  // A test fails if a required field gets no example here.
  return plainValues[String(schema.type)];
}

function exampleOfObject({ properties = {}, required = [] }: Schema, schemas: Schemas): object {
  const told = Object.entries(properties).filter(
    ([name, property]) =>
      required.includes(name) || (!isReference(property) && property.example !== undefined),
  );
  return Object.fromEntries(told.map(([name, property]) => [name, exampleOf(property, schemas)]));
}

function resolved(node: SchemaOrReference, schemas: Schemas): Schema {
  const name = referredName(node) ?? referredName((node as Schema).allOf?.[0]);
  if (name === undefined) return node as Schema;
  return resolved(schemas[name] ?? {}, schemas);
}
