import { type ScimAttribute, COMMON_ATTRIBUTES, type ResourceType } from '../schema/attribute';
import { invalidValue } from './scim-fault';
import { type AttributeValue, type Attributes, fieldOf, isRecord } from './attributes';

const MAX_TEXT = 1_024;
/** Maximum number of values of a multi-valued attribute of a person, such as e-mail addresses. */
export const MAX_ELEMENTS = 50;

/**
 * Returns the attributes that a caller may write, with the names and types of the schema. Leaves out
 * read-only fields and fields that the schema does not have, so that a request can set nothing else.
 * @throws ScimFault `invalidValue` for a value of another type, and for a missing required attribute.
 */
export function readResource(type: ResourceType, body: unknown): Attributes {
  if (!isRecord(body)) throw invalidValue(`a ${type.name} must be an object`);
  const resource: Record<string, AttributeValue> = {
    ...readAttributes([...COMMON_ATTRIBUTES, ...type.schema.attributes], body),
  };
  for (const { id, attributes } of type.extensions) {
    const given = fieldOf(body, id);
    if (!isRecord(given)) continue;
    const extension = readAttributes(attributes, given);
    if (Object.keys(extension).length > 0) resource[id] = extension;
  }
  return resource;
}

function readAttributes(
  attributes: readonly ScimAttribute[],
  given: Readonly<Record<string, unknown>>,
): Attributes {
  const values: Record<string, AttributeValue> = {};
  for (const attribute of attributes) {
    if (attribute.mutability === 'readOnly') continue;
    const value = readValue(attribute, fieldOf(given, attribute.name));
    if (value !== undefined) values[attribute.name] = value;
    else if (attribute.required === true) throw invalidValue(`${attribute.name} is required`);
  }
  return values;
}

/**
 * Reads a value. Returns undefined for null, an empty text, and a list or an object without values, because
 * they count as no value (RFC 7643, section 2.5).
 */
export function readValue(attribute: ScimAttribute, given: unknown): AttributeValue | undefined {
  if (given === undefined || given === null) return undefined;
  if (attribute.multiValued !== true) return readSingle(attribute, given);
  const list = Array.isArray(given) ? given : [given];
  if (list.length > MAX_ELEMENTS)
    throw invalidValue(`${attribute.name} may have ${MAX_ELEMENTS} values at most`);
  const elements = list.flatMap((one) => {
    // Providers also send a plain text instead of an object with this text as `value`.
    const element = readSingle(attribute, typeof one === 'string' ? { value: one } : one);
    return isRecord(element) ? [element] : [];
  });
  return elements.length === 0 ? undefined : elements;
}

function readSingle(attribute: ScimAttribute, given: unknown): string | boolean | Attributes | undefined {
  if (attribute.type === 'boolean') return readBoolean(attribute.name, given);
  if (attribute.type !== 'complex') return readText(attribute.name, given);
  if (!isRecord(given)) throw invalidValue(`${attribute.name} must be an object`);
  const parts = readAttributes(attribute.subAttributes ?? [], given);
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Reads a boolean, also from a text, because Entra also sends "True" and "False". */
function readBoolean(name: string, given: unknown): boolean {
  if (typeof given === 'boolean') return given;
  if (typeof given === 'string' && /^(?:true|false)$/i.test(given)) return given.toLowerCase() === 'true';
  throw invalidValue(`${name} must be true or false`);
}

function readText(name: string, given: unknown): string | undefined {
  if (typeof given !== 'string') throw invalidValue(`${name} must be a text`);
  if (given.length > MAX_TEXT) throw invalidValue(`${name} may have ${MAX_TEXT} characters at most`);
  if (given.includes('\0') || !given.isWellFormed())
    throw invalidValue(`${name} has characters that cannot be stored`);
  return given === '' ? undefined : given;
}
