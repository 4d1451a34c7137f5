import { setFlagsFromString } from 'node:v8';

/**
 * Flags of V8 for the whole process. This module must be imported first, because a compile cache
 * (`NODE_COMPILE_CACHE`) is valid only for the same flags.
 *
 * The flags keep WebAssembly code as V8's fast compiler made it. Otherwise V8 recompiles long-running
 * functions with its optimizing compiler. For the SQL parser it did so after two or three statements: one
 * function of 100 kB took 3 to 6 s of processor time and 611 MB of memory (Node 24), and then parsed no
 * faster.
 */
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
