import {
  type ScimAttribute,
  COMMON_ATTRIBUTES,
  type ResourceType,
  type ScimSchema,
  findAttribute,
} from './attribute';

/** Path to a value in a resource: an attribute, maybe of an extension, maybe with a sub-attribute. */
export interface AttributePath {
  /** URN of the extension; undefined for the core schema. */
  readonly extension: string | undefined;
  readonly attribute: ScimAttribute;
  readonly sub: ScimAttribute | undefined;
}

/** RFC 7644, section 3.10: an optional URN, an attribute, and an optional sub-attribute. */
const PATH = /^(?:(urn:[\w:.-]+):)?([a-z$][\w$-]*)(?:\.([a-z$][\w$-]*))?$/i;

/**
 * Resolves a path, without regard to case. Returns undefined when the resource has no such attribute, and
 * `forgotten` when the gateway accepts the attribute but does not store it.
 */
export function resolvePath(type: ResourceType, path: string): AttributePath | 'forgotten' | undefined {
  const [, urn, name, subName] = PATH.exec(path) ?? [];
  if (name === undefined) return undefined;
  const schema = urn === undefined ? type.schema : schemaOf(type, urn);
  if (schema === undefined) return undefined;
  const isCore = schema === type.schema;
  const attribute = findAttribute(
    isCore ? [...COMMON_ATTRIBUTES, ...schema.attributes] : schema.attributes,
    name,
  );
  if (attribute === undefined) return type.forgotten.has(name.toLowerCase()) ? 'forgotten' : undefined;
  const sub = subName === undefined ? undefined : findAttribute(attribute.subAttributes ?? [], subName);
  if (subName !== undefined && sub === undefined) return undefined;
  return { extension: isCore ? undefined : schema.id, attribute, sub };
}

export function schemaOf(type: ResourceType, urn: string): ScimSchema | undefined {
  const wanted = urn.toLowerCase();
  return [type.schema, ...type.extensions].find(({ id }) => id.toLowerCase() === wanted);
}
