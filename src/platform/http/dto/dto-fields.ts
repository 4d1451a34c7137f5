import { getMetadataStorage } from 'class-validator';

/** One check of one field. class-validator does not export this type. */
export type FieldCheck = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

export type DtoClass = new () => object;

const known = new WeakMap<DtoClass, ReadonlyMap<string, readonly FieldCheck[]>>();

/** The fields of a DTO class with their checks, including inherited fields. All others are unknown fields. */
export function fieldsOfDto(type: DtoClass): ReadonlyMap<string, readonly FieldCheck[]> {
  const found = known.get(type);
  if (found !== undefined) return found;
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const fields = new Map(Object.entries(getMetadataStorage().groupByPropertyName(checks)));
  known.set(type, fields);
  return fields;
}
