import { setFlagsFromString } from 'node:v8';

/**
 * Flags of V8 for the whole process. Must be imported first: they are part of what a compile cache
 * (`NODE_COMPILE_CACHE`) is valid for.
 *
 * WebAssembly stays as the fast compiler made it. V8 would compile functions that run long again, with its
 * optimizing compiler, and does so after two or three statements for the SQL parser: that one function has
 * 100 kB, and took 3 to 6 s of a processor and 611 MB of memory (Node 24). It then parsed no faster.
 */
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
