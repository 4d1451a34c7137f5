import { type Json, type JsonObject, isObject, writeJson } from '../../kernel/json/json';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Returns the first fault in the arguments of a call, as a message; undefined if there is none. Checks only
 * arguments that could change the called route: names, and values that become part of a path or a query. The
 * API checks everything else and sends its own error messages.
 */
export function faultOfArguments({ properties, required }: JsonObject, args: JsonObject): string | undefined {
  const known = isObject(properties) ? properties : {};
  for (const [name, value] of Object.entries(args)) {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!isObject(schema))
      return `there is no argument "${name.slice(0, 64).toWellFormed()}"; the arguments are ${Object.keys(known).join(', ')}`;
    const fault = faultOf(value, schema);
    if (fault !== undefined) return `"${name}" must be ${fault}`;
  }
  const missing = texts(required).find((name) => args[name] === undefined);
  return missing === undefined ? undefined : `the argument "${missing}" is missing`;
}

function faultOf(value: Json, schema: JsonObject): string | undefined {
  const { type, enum: values, format, items } = schema;
  if (Array.isArray(values) && !values.includes(value)) return `one of ${texts(values).join(', ')}`;
  if (type === 'string') {
    if (typeof value !== 'string' || value === '') return 'a text that is not empty';
    return format === 'uuid' && !UUID.test(value) ? 'an id (UUID)' : undefined;
  }
  if (type === 'integer') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
    const isWithin =
      Number.isSafeInteger(value) && Number(value) >= Number(minimum) && Number(value) <= Number(maximum);
    return isWithin ? undefined : `a whole number from ${writeJson(minimum)} to ${writeJson(maximum)}`;
  }
  if (type === 'array') {
    if (!Array.isArray(value)) return 'a list';
    const fault = isObject(items) ? value.map((item) => faultOf(item, items)).find(Boolean) : undefined;
    return fault === undefined ? undefined : `a list of which each item is ${fault}`;
  }
  return undefined;
}

function texts(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** Removes arguments with the value null, because models send null for arguments that they omit. */
export function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}
