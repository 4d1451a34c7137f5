import { type Json, type JsonObject, isObject, writeJson } from '../../kernel/json/json';
import type { Principal } from '../../kernel/principal';
import { faultOfArguments, withoutNulls } from './arguments';
import { JsonSchemas } from './json-schemas';
import type { OwnRequest } from './own-api';
import type { ArgumentDefinition, RouteToolDefinition } from './tool-definitions';

/** An argument, and whether a request of the route sends it in the path, the query or the body. */
interface Placed extends ArgumentDefinition {
  readonly place: 'path' | 'query' | 'body';
  readonly target: string;
  readonly described: JsonObject;
  readonly isRequired: boolean;
}

/** The parts of an operation in the API description that a tool needs. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

/** The API request for a tool call, or the message about a fault in the call's arguments. */
export type AskedRoute =
  | { readonly kind: 'request'; readonly request: OwnRequest }
  | { readonly kind: 'fault'; readonly message: string };

/** A tool that calls one route of the REST API. Its schemas are those of the route. */
export class RouteTool {
  /** The tool in the form of `tools/list`. */
  readonly listed: JsonObject;
  /** Fields of the route's answer that the tool's result omits. */
  readonly without: readonly string[];
  private readonly route: Route;
  private readonly placed: readonly Placed[];
  private readonly inputSchema: JsonObject;

  /** @param document the API description */
  constructor(
    definition: RouteToolDefinition,
    document: JsonObject,
    private readonly prefix: string,
  ) {
    const schemas = new JsonSchemas(objectAt(objectAt(document, 'components'), 'schemas'));
    this.route = routeOf(document, definition.operation);
    const { operation } = this.route;
    this.without = definition.without ?? [];
    this.placed = definition.arguments.map((argument) => placedIn(operation, schemas, argument));
    this.inputSchema = schemas.complete(
      {
        type: 'object',
        properties: Object.fromEntries(
          this.placed.map(({ name, described, schema }) => [name, { ...described, ...schema }]),
        ),
        required: this.placed.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        additionalProperties: false,
      },
      true,
    );
    this.listed = {
      name: definition.name,
      title: definition.title,
      description: definition.description,
      inputSchema: this.inputSchema,
      // Omits the descriptions of fields, because they would be most of the tool list, which clients put into
      // each prompt.
      outputSchema: schemas.complete(without(this.without, schemas.resolved(answerOf(operation))), false),
      annotations: annotationsOf(definition),
    };
  }

  asks(given: JsonObject, caller: Principal): AskedRoute {
    const args = withoutNulls(given);
    const fault = faultOfArguments(this.inputSchema, args);
    if (fault !== undefined) return { kind: 'fault', message: fault };
    let { path } = this.route;
    const query = new URLSearchParams();
    const body: JsonObject = {};
    for (const { name, place, target, schema, absent } of this.placed) {
      const value = args[name] ?? schema?.['default'] ?? absent?.(caller);
      if (value === undefined) continue;
      if (place === 'path') path = path.replace(`{${target}}`, encodeURIComponent(textOf(value)));
      else if (place === 'query') query.set(target, textOf(value));
      else body[target] = value;
    }
    const { method } = this.route;
    return {
      kind: 'request',
      request: {
        method,
        path: `${this.prefix}${path}${query.size === 0 ? '' : `?${query.toString()}`}`,
        body: method === 'GET' ? undefined : writeJson(body),
      },
    };
  }
}

export function annotationsOf({
  effect,
  isIdempotent,
}: Pick<RouteToolDefinition, 'effect' | 'isIdempotent'>): JsonObject {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'destroys',
    idempotentHint: isIdempotent,
    // The tools reach only systems behind this gateway.
    openWorldHint: false,
  };
}

function routeOf(document: JsonObject, operationId: string): Route {
  for (const [path, item] of Object.entries(objectAt(document, 'paths')))
    for (const [method, operation] of Object.entries(isObject(item) ? item : {}))
      if (isObject(operation) && operation['operationId'] === operationId)
        return { method: method.toUpperCase(), path, operation };
  throw new Error(`the API has no operation ${operationId}`);
}

function placedIn(operation: JsonObject, schemas: JsonSchemas, argument: ArgumentDefinition): Placed {
  const target = argument.as ?? argument.name;
  const parameter = listOf(operation['parameters']).find((one) => one['name'] === target);
  if (parameter !== undefined)
    return {
      ...argument,
      target,
      place: parameter['in'] === 'path' ? 'path' : 'query',
      isRequired: parameter['required'] === true && argument.absent === undefined,
      described: { ...objectAt(parameter, 'schema'), ...described(parameter) },
    };
  const body = schemas.resolved(jsonOf(objectAt(operation, 'requestBody')));
  const field = objectAt(objectAt(body, 'properties'), target);
  const required = body['required'];
  const isRequired = Array.isArray(required) && required.includes(target);
  return { ...argument, target, place: 'body', isRequired, described: field };
}

function described({ description }: JsonObject): JsonObject {
  return description === undefined ? {} : { description };
}

/** Returns the schema of the route's JSON answer. */
function answerOf(operation: JsonObject): JsonObject {
  return jsonOf(objectAt(objectAt(operation, 'responses'), '200'));
}

function without(names: readonly string[], schema: JsonObject): JsonObject {
  if (names.length === 0) return schema;
  const properties = { ...objectAt(schema, 'properties') };
  for (const name of names) delete properties[name];
  const { required } = schema;
  const stays = (name: Json): boolean => typeof name !== 'string' || !names.includes(name);
  return { ...schema, properties, ...(Array.isArray(required) ? { required: required.filter(stays) } : {}) };
}

function jsonOf(content: JsonObject): JsonObject {
  return objectAt(objectAt(objectAt(content, 'content'), 'application/json'), 'schema');
}

/** Returns an object inside another. @throws Error when the API description changed; a test detects this. */
function objectAt(object: JsonObject, name: string): JsonObject {
  const found = object[name];
  if (!isObject(found)) throw new Error(`the API description has no "${name}" where a tool relies on it`);
  return found;
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the value as text for a path or a query. */
function textOf(value: Json): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' ? value : writeJson(value);
}
