import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { DtoClass } from '../dto/dto-fields';

/**
 * Private parts of class-transformer, used only in this file: the metadata of `@Type` and `@Transform`. The
 * package's own `plainToInstance` takes quadratic time for objects with many keys, and reads unknown fields.
 * `transformer-parts.spec.ts` fails when a version changes these parts.
 */

/**
 * Class of a field's value, or of its elements, from `@Type`; undefined if the value stays as it was parsed.
 */
export function nestedTypeOf(type: DtoClass, field: string): DtoClass | undefined {
  return defaultMetadataStorage.findTypeMetadata(type, field)?.typeFunction() as DtoClass | undefined;
}

/** The value of a field after its `@Transform`. */
export function transformed(target: DtoClass, key: string, obj: Record<string, unknown>): unknown {
  const type = TransformationType.PLAIN_TO_CLASS;
  return defaultMetadataStorage
    .findTransformMetadatas(target, key, type)
    .reduce((value, check) => check.transformFn({ value, key, obj, type, options: {} }), obj[key]);
}
