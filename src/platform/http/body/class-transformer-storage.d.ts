/** The storage of `@Type` and `@Transform`, for which the package has no published types. */
declare module 'class-transformer/cjs/storage.js' {
  import type { TransformFnParams, TransformationType } from 'class-transformer';
  export const defaultMetadataStorage: {
    findTypeMetadata(target: object, property: string): { typeFunction(): unknown } | undefined;
    findTransformMetadatas(
      target: object,
      property: string,
      type: TransformationType,
    ): { transformFn(parameters: TransformFnParams): unknown }[];
  };
}
