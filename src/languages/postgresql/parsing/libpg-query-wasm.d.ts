declare module 'libpg-query/wasm/libpg-query.js' {
  /** The object that the package's WebAssembly loader returns; only the members used here. */
  export interface PgQueryModule {
    readonly HEAPU8: Uint8Array;
    getValue(pointer: number, type: 'i32'): number;
    lengthBytesUTF8(text: string): number;
    stringToUTF8(text: string, pointer: number, size: number): void;
    UTF8ToString(pointer: number): string;
    _malloc(size: number): number;
    _free(pointer: number): void;
    _wasm_parse_query_raw(query: number): number;
    _wasm_free_parse_result(result: number): void;
  }
  export interface LoaderOptions {
    instantiateWasm(imports: unknown, done: (instance: { readonly exports: unknown }) => void): unknown;
  }
  const createModule: (options: LoaderOptions) => Promise<PgQueryModule>;
  export default createModule;
}
