import { readFile } from 'node:fs/promises';
import createModule, { type PgQueryModule } from 'libpg-query/wasm/libpg-query.js';

/** The parser said no, in PostgreSQL's words: a syntax error or a limit that PostgreSQL itself sets. */
export class SqlSyntaxError extends Error {}

/** The parser itself is not there, for a moment: nothing can be said of the text, not even that it is unparseable. */
export class ParserNotReady extends Error {}

/**
 * Why not the package's own `parseSync`: it keeps one instance for ever. A stack overflow leaves that instance
 * with less stack than before; measured, after some fifty of them the next overflow runs into its own data and
 * nothing parses any more. Here an instance that failed in any other way than by a syntax error is thrown away.
 */
interface WasmApi {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (module: object, imports: unknown) => { readonly exports: unknown };
}
const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;

/** Two, because two failing texts may be parsed before the spare for the first is ready (a few microtasks). */
const SPARE_INSTANCES = 2;
/** Memory of an instance never shrinks, and starts at 128 MiB of address space: one that grew is replaced. */
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

/** Loads the parser once for this thread; a second call waits for the first. Rejects when it cannot be read. */
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
    // The next failure tries again; until then parsing refuses, which is the safe side.
  }
}

function replaceInstance(): void {
  current = spares.pop();
  if (compiled !== undefined) void refill(compiled);
}

/** The result is a C struct of pointers: tree, what was printed, error; the error starts with its message. */
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

/**
 * PostgreSQL's raw parse tree of a text without NUL, as libpg-query writes it in JSON. Throws `SqlSyntaxError` when
 * the parser refuses, any other error when it failed (stack, memory).
 */
export function parseTree(text: string): unknown {
  const engine = current;
  if (engine === undefined) {
    replaceInstance();
    throw new ParserNotReady('the parser is starting again');
  }
  try {
    return JSON.parse(parseWith(engine, text));
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) replaceInstance();
    throw error;
  } finally {
    if (engine === current && engine.HEAPU8.length > MAX_INSTANCE_BYTES) replaceInstance();
  }
}
