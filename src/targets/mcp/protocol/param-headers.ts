import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';

/**
 * A parameter of a tool that clients repeat in the header `Mcp-Param-{name}`
 * (2026-07-28, streamable HTTP, "Schema Extension").
 */
export interface HeaderParameter {
  /** Name as the schema has it. Compared without regard to case. */
  readonly name: string;
  /** Names of properties, from the arguments' root. */
  readonly path: readonly string[];
}

/**
 * The tool's schema uses `x-mcp-header` where it must not: a client leaves such a tool out. The message has
 * the reason.
 */
export class InvalidHeaderParameter extends Error {}

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Keywords whose value is data and no schema: an annotation in it annotates nothing. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/**
 * The parameters of an input schema that are repeated in headers.
 * @throws InvalidHeaderParameter when an annotation is malformed, doubled, on a value that is not primitive,
 * or not reached by `properties` alone.
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
 * The values of a call's arguments that belong into headers, by the name of the parameter's header, not
 * encoded. Null and absent ones are left out.
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

/** Whether a schema somewhere below has the annotation. */
function mentions(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(mentions);
  if (!isObject(value)) return false;
  return (
    Object.hasOwn(value, ANNOTATION) ||
    Object.entries(value).some(([keyword, below]) => !DATA.has(keyword) && mentions(below))
  );
}
