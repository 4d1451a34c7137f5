import type { DtoClass } from '../dto/dto-fields';

const ACCEPTED_AND_IGNORED = Symbol('accepted and ignored fields');
const WITHOUT_EFFECT = Symbol('accepted fields without effect');
const MAY_BE_ABSENT = Symbol('body that may be left out');

const NONE: ReadonlySet<string> = new Set();
const NOTHING: ReadonlyMap<string, string> = new Map();
const warned = new WeakMap<object, readonly string[]>();

/**
 * Names the read-only fields of a resource, which are accepted in a body and ignored. So a client may send
 * back the resource that it read.
 */
export function AcceptsAndIgnores(...fields: string[]): ClassDecorator {
  return (target) => Reflect.defineMetadata(ACCEPTED_AND_IGNORED, new Set(fields), target);
}

/**
 * Names fields that the reference system's clients send and that have no effect here, each with its
 * replacement. The fields are accepted. If a client sends them, the answer's `warnings` list them
 * (`warningsOf`).
 */
export function AcceptsWithoutEffect(instead: Readonly<Record<string, string>>): ClassDecorator {
  return (target) => Reflect.defineMetadata(WITHOUT_EFFECT, new Map(Object.entries(instead)), target);
}

/** Allows a request without the body, which then counts as a body without fields. */
export function MayBeAbsent(): ClassDecorator {
  return (target) => Reflect.defineMetadata(MAY_BE_ABSENT, true, target);
}

export function ignoredFieldsOf(type: DtoClass): ReadonlySet<string> {
  return (Reflect.getMetadata(ACCEPTED_AND_IGNORED, type) as ReadonlySet<string> | undefined) ?? NONE;
}

/** The fields without effect, each with its replacement. */
export function fieldsWithoutEffect(type: DtoClass): ReadonlyMap<string, string> {
  return (Reflect.getMetadata(WITHOUT_EFFECT, type) as ReadonlyMap<string, string> | undefined) ?? NOTHING;
}

/** Stores the warnings of a validated body. @param plain the parsed JSON from which the body was built. */
export function noteWithoutEffect(type: DtoClass, body: object, plain: Record<string, unknown>): void {
  const warnings = [...fieldsWithoutEffect(type)]
    .filter(([name]) => Object.hasOwn(plain, name) && saysAnything(plain[name]))
    .map(([name, instead]) => `${name} has no effect here: ${instead}`);
  if (warnings.length > 0) warned.set(body, warnings);
}

/** Warnings for the sender of a validated body about fields without effect. */
export function warningsOf(body: object): readonly string[] {
  return warned.get(body) ?? [];
}

/**
 * Whether a field's value requests an effect. An empty or false value requests none: clients send all their
 * fields, also the ones that they do not use.
 */
function saysAnything(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

export function mayBeAbsent(type: DtoClass): boolean {
  return Reflect.hasMetadata(MAY_BE_ABSENT, type);
}
