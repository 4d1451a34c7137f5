import { RE2JS } from 're2js';
import {
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
  JsonNumber,
  pointerParts,
  valueAt,
} from '../../../kernel/json/json';

/** A text in a value, before and after masking. */
export interface MaskedText {
  /** Names and indexes from the value to the text. */
  readonly path: readonly string[];
  readonly before: string;
  readonly after: string;
}

/**
 * Maximum number of subschemas for one place in a value. Protects against schemas that are made to be slow.
 */
const MAX_SUBSCHEMAS = 2_000;
const MAX_PATTERN = 1_000;
/** Maximum length in characters of a reference to a part of the schema. */
const MAX_REFERENCE = 2_048;

/**
 * Whether a value still fits its JSON schema after a text in it was masked. Returns true only if each
 * assertion that may apply to the text has the same result before and after, because then no combination of
 * assertions can change. Returns false if this is not certain. Fetches nothing. Does not use a validator,
 * because a validator would run code generated from the server's schema, and the schema's patterns could take
 * very long. Here patterns match in linear time.
 */
export function stillFits(schema: Json, { path, before, after }: MaskedText): boolean {
  try {
    let here = new Subschemas(schema).with([schema]);
    for (const step of path) {
      if (!here.all.every(ignoresPartsOfItself)) return false;
      here = here.inside(step);
    }
    return here.all.every((each) => saysTheSame(each, before, after));
  } catch (error) {
    if (error instanceof Unclear) return false;
    throw error;
  }
}

class Unclear extends Error {}

/** Keywords whose subschemas apply to the same value as the schema itself. */
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];
const IN_PLACE = ['not', 'if', 'then', 'else'];

/** All subschemas of a schema that may apply to one place in a value. */
class Subschemas {
  readonly all: JsonObject[] = [];
  private readonly known = new Set<JsonObject>();

  constructor(private readonly root: Json) {}

  with(schemas: readonly (Json | undefined)[]): this {
    for (const schema of schemas) this.add(schema);
    return this;
  }

  /** Returns the subschemas for a member or item of the value, by its name or index. */
  inside(step: string): Subschemas {
    const found = new Subschemas(this.root);
    for (const schema of this.all) {
      const index = /^\d+$/.test(step) ? Number(step) : undefined;
      const { properties, patternProperties, prefixItems, items } = schema;
      found.with([
        isObject(properties) ? properties[step] : undefined,
        // Adds the subschemas of all patterns, even if the name does not match, because more subschemas only
        // make the result stricter.
        ...(isObject(patternProperties) ? Object.values(patternProperties) : []),
        schema['additionalProperties'],
        schema['unevaluatedProperties'],
      ]);
      if (index === undefined) continue;
      found.with([
        ...(Array.isArray(items) ? items : [items]),
        Array.isArray(prefixItems) ? prefixItems[index] : undefined,
        schema['additionalItems'],
        schema['unevaluatedItems'],
        schema['contains'],
      ]);
    }
    return found;
  }

  private add(schema: Json | undefined): void {
    if (!isObject(schema) || this.known.has(schema)) return;
    this.known.add(schema);
    if (this.known.size > MAX_SUBSCHEMAS) throw new Unclear();
    // With another base URI or a dynamic reference, it is not certain where a reference leads.
    if ('$dynamicRef' in schema || '$recursiveRef' in schema || ('$id' in schema && schema !== this.root))
      throw new Unclear();
    this.all.push(schema);
    for (const name of IN_PLACE_LISTS) {
      const list = schema[name];
      if (Array.isArray(list)) this.with(list);
    }
    for (const name of IN_PLACE) this.add(schema[name]);
    for (const name of ['dependentSchemas', 'dependencies']) {
      const dependent = schema[name];
      if (isObject(dependent)) this.with(Object.values(dependent));
    }
    if ('$ref' in schema) this.add(this.referred(schema['$ref']));
  }

  /** Resolves a reference into the same document. Other references make the result unclear. */
  private referred(ref: Json | undefined): Json {
    if (typeof ref !== 'string' || !ref.startsWith('#') || ref.length > MAX_REFERENCE) throw new Unclear();
    const parts = pointerParts(unescapedFragment(ref.slice(1)));
    const found = parts === undefined ? undefined : valueAt(this.root, parts);
    if (found === undefined) throw new Unclear();
    return found;
  }
}

function unescapedFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new Unclear();
  }
}

/**
 * Whether the schema has no assertion about a whole array or object whose result may change when a part of it
 * is masked.
 */
function ignoresPartsOfItself(schema: JsonObject): boolean {
  return !('enum' in schema) && !('const' in schema) && (schema['uniqueItems'] ?? false) === false;
}

/**
 * Whether the schema's own assertions, without its subschemas, have the same result for the texts `before`
 * and `after`.
 */
function saysTheSame(schema: JsonObject, before: string, after: string): boolean {
  if ('format' in schema || 'contentEncoding' in schema || 'contentMediaType' in schema) return false;
  return [isListed, isLongEnough, isShortEnough, matches].every(
    (holds) => holds(schema, before) === holds(schema, after),
  );
}

function isListed(schema: JsonObject, text: string): boolean {
  const written = canonicalJson(text);
  const isSame = (value: Json): boolean => typeof value === 'string' && canonicalJson(value) === written;
  const { enum: listed, const: only } = schema;
  return (!Array.isArray(listed) || listed.some(isSame)) && (only === undefined || isSame(only));
}

function isLongEnough({ minLength }: JsonObject, text: string): boolean {
  return minLength === undefined || charactersOf(text) >= numberOf(minLength);
}

function isShortEnough({ maxLength }: JsonObject, text: string): boolean {
  return maxLength === undefined || charactersOf(text) <= numberOf(maxLength);
}

function numberOf(value: Json): number {
  if (typeof value === 'number') return value;
  if (value instanceof JsonNumber) return Number(value.text);
  throw new Unclear();
}

/** Counts Unicode code points, as JSON Schema does. */
function charactersOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) pairs += 1;
  return text.length - pairs;
}

function matches({ pattern }: JsonObject, text: string): boolean {
  if (pattern === undefined) return true;
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN) throw new Unclear();
  return compiled(pattern).matcher(text).find();
}

function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new Unclear();
  }
}
