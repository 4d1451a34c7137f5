import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';

/**
 * A parameter of a tool that clients repeat in the header `Mcp-Param-{name}`
 * (2026-07-28, streamable HTTP, "Schema Extension").
 */
export interface HeaderParameter {
  /** Name as the schema has it. Compared without regard to case. */
  readonly name: string;
  /** Path to the parameter: names of properties from the root of the arguments. */
  readonly path: readonly string[];
}

/**
 * Error: a tool's schema uses `x-mcp-header` at a wrong place or in a wrong way. Clients ignore such a tool.
 * The message contains the reason.
 */
export class InvalidHeaderParameter extends Error {}

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVES: readonly unknown[] = ['string', 'integer', 'boolean'];
/**
 * Schema keywords whose value is data and not a schema, so that `x-mcp-header` in the value has no effect.
 */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Returns the parameters of an input schema that clients repeat in headers.
 * @throws InvalidHeaderParameter when an annotation is malformed or duplicated, is not on a primitive value,
 * or is below a schema keyword other than `properties`.
 */
export function headerParameters(inputSchema: Json | undefined): HeaderParameter[] {
  const found: HeaderParameter[] = [];
  if (isObject(inputSchema)) collect(inputSchema, [], found);
  const names = found.map(({ name }) => name.toLowerCase());
  if (new Set(names).size < names.length)
    throw new InvalidHeaderParameter('two parameters have the same x-mcp-header');
  return found;
}

/**
 * Returns the values of a call's arguments to repeat in headers, by header name, not encoded. Leaves out
 * values that are null, absent, or of another type.
 */
export function headerParameterValues(
  parameters: readonly HeaderParameter[],
  args: Json | undefined,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, path } of parameters) {
    let value = args;
    for (const part of path) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
    if (typeof value === 'string') values[name] = value;
    else if (typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value)))
      values[name] = String(value);
  }
  return values;
}

function collect(schema: JsonObject, path: readonly string[], found: HeaderParameter[]): void {
  if (Object.hasOwn(schema, ANNOTATION)) found.push(parameterOf(schema, path));
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' && isObject(value)) {
      for (const [name, property] of Object.entries(value))
        if (isObject(property)) collect(property, [...path, name], found);
    } else if (keyword !== ANNOTATION && !DATA.has(keyword) && mentions(value))
      throw new InvalidHeaderParameter(`x-mcp-header is not allowed below "${keyword.slice(0, 40)}"`);
  }
}

function parameterOf(schema: JsonObject, path: readonly string[]): HeaderParameter {
  const name = schema[ANNOTATION];
  if (typeof name !== 'string' || !TOKEN.test(name))
    throw new InvalidHeaderParameter('an x-mcp-header is not the name of a header');
  if (path.length === 0 || !PRIMITIVES.includes(schema['type']))
    throw new InvalidHeaderParameter('an x-mcp-header is not on a string, an integer or a boolean');
  return { name, path };
}

/** Whether `x-mcp-header` occurs anywhere in a value. */
function mentions(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(mentions);
  if (!isObject(value)) return false;
  return (
    Object.hasOwn(value, ANNOTATION) ||
    Object.entries(value).some(([keyword, below]) => !DATA.has(keyword) && mentions(below))
  );
}
