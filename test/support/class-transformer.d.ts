/** What the decorator `@Type` stores; the package ships the module without its types. */
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(target: unknown, property: string): { typeFunction?: () => unknown } | undefined;
  };
}
