import { getMetadataStorage } from 'class-validator';

/** One check of one field; the package does not export its type. */
export type FieldCheck = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

export type DtoClass = new () => object;

const known = new WeakMap<DtoClass, ReadonlyMap<string, readonly FieldCheck[]>>();

/** The fields of a DTO class that have a check, with their checks, inherited ones included. All others are unknown. */
export function fieldsOfDto(type: DtoClass): ReadonlyMap<string, readonly FieldCheck[]> {
  const found = known.get(type);
  if (found !== undefined) return found;
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const fields = new Map(Object.entries(getMetadataStorage().groupByPropertyName(checks)));
  known.set(type, fields);
  return fields;
}
