import type { OpenAPIObject } from '@nestjs/swagger';

export type Components = NonNullable<OpenAPIObject['components']>;
export type Schemas = NonNullable<Components['schemas']>;
export type SchemaOrReference = Schemas[string];
export type Reference = Extract<SchemaOrReference, { $ref: string }>;
export type Schema = Exclude<SchemaOrReference, Reference>;
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Responses = NonNullable<Components['responses']>;
export type Response = Exclude<NonNullable<Operation['responses'][string]>, Reference>;
export type Content = NonNullable<Response['content']>;

const PREFIX = '#/components/schemas/';

export function referenceTo(name: string): Reference {
  return { $ref: `${PREFIX}${name}` };
}

/** The name of the schema that a node refers to; undefined for other nodes. */
export function referredName(node: unknown): string | undefined {
  const $ref = (node as Partial<Reference> | null)?.$ref;
  return typeof $ref === 'string' && $ref.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined;
}

export function isReference(node: object): node is Reference {
  return '$ref' in node;
}

export function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.values(document.paths).flatMap(({ get, put, post, patch, delete: remove }) =>
    [get, put, post, patch, remove].filter((operation) => operation !== undefined),
  );
}

/** Keys whose values are data, not parts of the description. */
const DATA = new Set(['example', 'examples', 'enum', 'default']);

/** Every object at and below a node, except values that are data. */
export function* nodesBelow(node: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(node)) {
    for (const item of node) yield* nodesBelow(item);
  } else if (typeof node === 'object' && node !== null) {
    yield node as Record<string, unknown>;
    for (const [key, value] of Object.entries(node)) if (!DATA.has(key)) yield* nodesBelow(value);
  }
}

/** The names of all schemas that the nodes refer to, directly or through other schemas. */
export function reachableSchemas(schemas: Schemas, from: readonly unknown[]): Set<string> {
  const reached = new Set<string>();
  const visit = (node: unknown) => {
    for (const part of nodesBelow(node)) {
      const name = referredName(part);
      if (name === undefined || reached.has(name)) continue;
      reached.add(name);
      visit(schemas[name]);
    }
  };
  from.forEach(visit);
  return reached;
}
