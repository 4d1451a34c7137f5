/** Where `@Type` and `@Transform` keep what they were told; the package does not describe this part of itself. */
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
