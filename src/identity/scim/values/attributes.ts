/** The values of a resource, under the names of its schema. */
export type AttributeValue = string | boolean | Attributes | readonly Attributes[];
export interface Attributes {
  readonly [name: string]: AttributeValue;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The field with this name, without regard to case (RFC 7643, section 2.1). Fields of a prototype are none.
 */
export function fieldOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const wanted = name.toLowerCase();
  const key = Object.keys(object).find((own) => own.toLowerCase() === wanted);
  return key === undefined ? undefined : object[key];
}
