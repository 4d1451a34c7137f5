import { readFile } from 'node:fs/promises';
import createModule, { type PgQueryModule } from 'libpg-query/wasm/libpg-query.js';
import { MAX_REREADS, rereadsOf } from './parse-cost';

/** Thrown when PostgreSQL's parser refuses a text (with its message), or when parsing would take too long. */
export class SqlSyntaxError extends Error {}

/** Thrown while the parser is restarted. The text was not read, so it may or may not be parseable. */
export class ParserNotReady extends Error {}

/**
 * Private parts of libpg-query, used only in this file: its WebAssembly module and the functions in it.
 * `parser-engine.spec.ts` fails when a version changes them.
 *
 * They replace the package's `parseSync`, which keeps one instance forever. After a stack overflow that
 * instance has less stack than before. In a measurement, after about fifty overflows the next one overwrote
 * the instance's data, and the instance could not parse any more. Here an instance is discarded after any
 * failure other than a syntax error.
 */
interface WasmApi {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (module: object, imports: unknown) => { readonly exports: unknown };
}
const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;

/** Number of spare parser instances. Two, because two texts may fail before the first spare is replaced. */
const SPARE_INSTANCES = 2;
/**
 * Maximum memory of an instance; a larger instance is replaced. The memory starts at 128 MiB of address
 * space and never shrinks.
 */
const MAX_INSTANCE_BYTES = 256 * 1024 * 1024;

const spares: PgQueryModule[] = [];
let current: PgQueryModule | undefined;
let compiled: object | undefined;
let loaded = false;
let loading: Promise<void> | undefined;

async function newInstance(module: object): Promise<PgQueryModule> {
  return createModule({
    instantiateWasm(imports, done) {
      const instance = new wasm.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  });
}

async function load(): Promise<void> {
  compiled = await wasm.compile(await readFile(require.resolve('libpg-query/wasm/libpg-query.wasm')));
  current = await newInstance(compiled);
  while (spares.length < SPARE_INSTANCES) spares.push(await newInstance(compiled));
  loaded = true;
}

/**
 * Loads the parser once in this thread; further calls wait for the first.
 * Rejects when the package cannot be read.
 */
export function loadParserEngine(): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Whether `parseTree` may be called. */
export function parserLoaded(): boolean {
  return loaded;
}

async function refill(module: object): Promise<void> {
  try {
    const instance = await newInstance(module);
    if (current === undefined) current = instance;
    else spares.push(instance);
  } catch {
    // The next failure of an instance starts another attempt. Until then, parsing throws if none is left.
  }
}

function replaceInstance(): void {
  current = spares.pop();
  if (compiled !== undefined) void refill(compiled);
}

/** Reads a C struct of three pointers: tree, stderr output, error. The error begins with its message. */
function readResult(engine: PgQueryModule, result: number): string {
  const error = engine.getValue(result + 8, 'i32');
  if (error !== 0) throw new SqlSyntaxError(engine.UTF8ToString(engine.getValue(error, 'i32')));
  return engine.UTF8ToString(engine.getValue(result, 'i32'));
}

function parseWith(engine: PgQueryModule, text: string): string {
  const size = engine.lengthBytesUTF8(text) + 1;
  const query = engine._malloc(size);
  if (query === 0) throw new Error('no memory for the text');
  engine.stringToUTF8(text, query, size);
  const result = engine._wasm_parse_query_raw(query);
  try {
    return readResult(engine, result);
  } finally {
    engine._free(query);
    engine._wasm_free_parse_result(result);
  }
}

function refuseCostly(text: string): void {
  if (rereadsOf(text) > MAX_REREADS)
    throw new SqlSyntaxError('has runs of operator characters that are too long to parse');
}

/**
 * Returns PostgreSQL's raw parse tree from the JSON of libpg-query. The text must not contain NUL. Throws
 * `SqlSyntaxError` if the parser refuses the text or would take too long. Throws any other error if the
 * parser itself failed (stack, memory).
 */
export function parseTree(text: string): unknown {
  refuseCostly(text);
  const engine = current;
  if (engine === undefined) {
    replaceInstance();
    throw new ParserNotReady('the parser is starting again');
  }
  const { stackTraceLimit } = Error;
  // The stack of a syntax error is never used, and collecting it takes half of the time for a short text.
  Error.stackTraceLimit = 0;
  try {
    return JSON.parse(parseWith(engine, text));
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) replaceInstance();
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (engine === current && engine.HEAPU8.length > MAX_INSTANCE_BYTES) replaceInstance();
  }
}
