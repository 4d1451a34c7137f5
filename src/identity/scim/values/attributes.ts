/** A value of an attribute. `Attributes` has the values of a resource under the names of its schema. */
export type AttributeValue = string | boolean | Attributes | readonly Attributes[];
export interface Attributes {
  readonly [name: string]: AttributeValue;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the field with this name, regardless of case (RFC 7643, section 2.1). Ignores inherited fields. */
export function fieldOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const wanted = name.toLowerCase();
  const key = Object.keys(object).find((own) => own.toLowerCase() === wanted);
  return key === undefined ? undefined : object[key];
}
