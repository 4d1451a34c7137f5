import type { DtoClass } from '../dto-fields';

const ACCEPTED_AND_IGNORED = Symbol('accepted and ignored fields');
const WITHOUT_EFFECT = Symbol('accepted fields without effect');
const MAY_BE_ABSENT = Symbol('body that may be left out');
/** Where `@ApiProperty` keeps what it was told. */
const API_PROPERTY = 'swagger/apiModelProperties';

const NONE: ReadonlySet<string> = new Set();
const NOTHING: ReadonlyMap<string, string> = new Map();
const warned = new WeakMap<object, readonly string[]>();

/**
 * Fields of a body that clients may send and that change nothing: the resource's own read-only fields, so
 * that a client may send back what it read.
 */
export function AcceptsAndIgnores(...fields: string[]): ClassDecorator {
  return (target) => Reflect.defineMetadata(ACCEPTED_AND_IGNORED, new Set(fields), target);
}

/**
 * Fields of the reference system's clients that do nothing here, each with what does it instead. They are accepted, and the
 * answer says in its `warnings` which of them were sent (`warningsOf`).
 */
export function AcceptsWithoutEffect(instead: Readonly<Record<string, string>>): ClassDecorator {
  return (target) => Reflect.defineMetadata(WITHOUT_EFFECT, new Map(Object.entries(instead)), target);
}

/** A body that may be left out: then it is one without fields. */
export function MayBeAbsent(): ClassDecorator {
  return (target) => Reflect.defineMetadata(MAY_BE_ABSENT, true, target);
}

export function ignoredFieldsOf(type: DtoClass): ReadonlySet<string> {
  return (Reflect.getMetadata(ACCEPTED_AND_IGNORED, type) as ReadonlySet<string> | undefined) ?? NONE;
}

/** Each with what does instead what it does not do. */
export function fieldsWithoutEffect(type: DtoClass): ReadonlyMap<string, string> {
  return (Reflect.getMetadata(WITHOUT_EFFECT, type) as ReadonlyMap<string, string> | undefined) ?? NOTHING;
}

/** Called with a checked body and the one that it was made of. */
export function noteWithoutEffect(type: DtoClass, body: object, plain: Record<string, unknown>): void {
  const warnings = [...fieldsWithoutEffect(type)]
    .filter(([name]) => Object.hasOwn(plain, name) && saysAnything(plain[name]))
    .map(([name, instead]) => `${name} has no effect here: ${instead}`);
  if (warnings.length > 0) warned.set(body, warnings);
}

/** Warnings for the sender of this checked body: its fields that have no effect. */
export function warningsOf(body: object): readonly string[] {
  return warned.get(body) ?? [];
}

/** Clients send all their fields: those that are empty or off ask for nothing. */
function saysAnything(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

export function mayBeAbsent(type: DtoClass): boolean {
  return Reflect.hasMetadata(MAY_BE_ABSENT, type);
}

/** Whether the field is documented as one that may be null. */
export function isNullable(type: DtoClass, field: string): boolean {
  const documented = Reflect.getMetadata(API_PROPERTY, type.prototype as object, field) as
    | { nullable?: boolean }
    | undefined;
  return documented?.nullable === true;
}
