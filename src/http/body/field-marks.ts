import type { DtoClass } from '../dto-fields';

const ACCEPTED_AND_IGNORED = Symbol('accepted and ignored fields');
const MAY_BE_ABSENT = Symbol('body that may be left out');
/** Where `@ApiProperty` keeps what it was told. */
const API_PROPERTY = 'swagger/apiModelProperties';

const NONE: ReadonlySet<string> = new Set();

/**
 * Fields of a body that clients may send and that change nothing: the resource's own read-only fields, so
 * that a client may send back what it read, and fields of the reference system's clients.
 */
export function AcceptsAndIgnores(...fields: string[]): ClassDecorator {
  return (target) => Reflect.defineMetadata(ACCEPTED_AND_IGNORED, new Set(fields), target);
}

/** A body that may be left out: then it is one without fields. */
export function MayBeAbsent(): ClassDecorator {
  return (target) => Reflect.defineMetadata(MAY_BE_ABSENT, true, target);
}

export function ignoredFieldsOf(type: DtoClass): ReadonlySet<string> {
  return (Reflect.getMetadata(ACCEPTED_AND_IGNORED, type) as ReadonlySet<string> | undefined) ?? NONE;
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
