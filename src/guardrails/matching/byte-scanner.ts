import { type Bucket, COMPARED, bucketsOf, shareOfBucket, shareOfSequence, tablesOf } from './byte-buckets';
import { type ByteClass, sourceOf } from './byte-class';
import { TABLES, TABLE_BYTES, scanModule } from './scan-module';

export const BLOCK = 16;
/** Limit of sequences: more would accept nearly every text. */
export const MOST_SEQUENCES = 64;
/** Places of common text that may need a closer look, and those that still remain: more would not pay. */
const MOST_LOOKS = 1 / 10;
const MOST_FOUND = 1 / 30;

const PAGES = 5;
/** Offset of the text in the memory. */
const TEXT = 1_024;
/** Padding after the text, which no table accepts. */
const PADDING = 64;
/** Bytes of text that can be scanned at once. */
export const SCANNED_AT_ONCE = PAGES * 65_536 - TEXT - PADDING;

/** Target of a scan: any of the sequences, or any of the single bytes. */
export interface ByteSearch {
  readonly sequences: readonly (readonly ByteClass[])[];
  readonly singles: ByteClass;
}

interface WasmApi {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => {
    readonly exports: {
      readonly m: { readonly buffer: ArrayBuffer };
      readonly scan: (from: number, to: number) => number;
      readonly runs: (from: number, to: number) => number;
    };
  };
}
const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;

/** The shared scan memory, and whose tables are loaded in it. */
class Workbench {
  readonly text: Buffer;
  readonly scan: (from: number, to: number) => number;
  readonly runs: (from: number, to: number) => number;
  private readonly tables: Uint8Array;
  private tablesOf: object | undefined;

  constructor(module: Uint8Array) {
    const { m, scan, runs } = new wasm.Instance(new wasm.Module(module)).exports;
    this.text = Buffer.from(m.buffer, TEXT);
    this.tables = new Uint8Array(m.buffer, 0, TABLES * TABLE_BYTES);
    this.scan = scan;
    this.runs = runs;
  }

  use(owner: object, tables: Uint8Array): void {
    if (this.tablesOf === owner) return;
    this.tables.set(tables);
    this.tablesOf = owner;
  }
}

const encoder = new TextEncoder();
let workbench: Workbench | undefined;
let isOpened = false;

/** Undefined on a processor without the instructions that the module needs. */
function openWorkbench(): Workbench | undefined {
  if (!isOpened) {
    const module = scanModule(PAGES);
    if (wasm.validate(module)) workbench = new Workbench(module);
    isOpened = true;
  }
  return workbench;
}

/**
 * Finds, at gigabytes a second, whether a text holds any of some short sequences. All scanners share one
 * memory: put a text there and finish its questions before the next text. Sequences hold ASCII only.
 */
export class ByteScanner {
  private readonly tables: Uint8Array;
  private readonly closer: RegExp;
  /** Bytes of the longest sequence, and as many as are compared at least. */
  readonly longest: number;

  private constructor(
    private readonly bench: Workbench,
    buckets: readonly Bucket[],
    { sequences, singles }: ByteSearch,
  ) {
    this.tables = tablesOf(buckets, singles);
    this.longest = Math.max(COMPARED, ...sequences.map((sequence) => sequence.length));
    const sources = sequences.map((sequence) => sequence.map(sourceOf).join(''));
    this.closer = new RegExp([...(singles.size > 0 ? [sourceOf(singles)] : []), ...sources].join('|'));
  }

  /**
   * Undefined when a scan would not pay: too many sequences, or sequences that are frequent in common text.
   */
  static of(search: ByteSearch): ByteScanner | undefined {
    const { sequences } = search;
    if (sequences.length > MOST_SEQUENCES || sum(sequences.map(shareOfSequence)) > MOST_FOUND)
      return undefined;
    const buckets = bucketsOf(sequences);
    if (sum(buckets.map(shareOfBucket)) > MOST_LOOKS) return undefined;
    const bench = openWorkbench();
    return bench === undefined ? undefined : new ByteScanner(bench, buckets, search);
  }

  /** The memory, with the text at its beginning as it was put there. */
  get text(): Buffer {
    return this.bench.text;
  }

  /** Puts a text there in UTF-8; it must fit. Returns its length in bytes. */
  put(text: string): number {
    return this.end(encoder.encodeInto(text, this.bench.text).written);
  }

  putBytes(bytes: Uint8Array): number {
    this.bench.text.set(bytes);
    return this.end(bytes.length);
  }

  /** Whether the text in memory, of that length, holds any of the sequences or single bytes. */
  isFound(length: number): boolean {
    return this.next(0, length) >= 0;
  }

  /**
   * Returns the start of a block of `BLOCK` bytes, at or after `from` in the text of that length, such that
   * the next match lies in the block or within `longest` bytes around it; -1 when there is none.
   */
  next(from: number, length: number): number {
    const { bench } = this;
    bench.use(this, this.tables);
    for (let start = TEXT + from; ;) {
      const block = bench.scan(start, TEXT + length);
      if (block < 0) return -1;
      const place = block - TEXT;
      const around = bench.text.toString(
        'latin1',
        Math.max(0, place - this.longest),
        Math.min(length, place + BLOCK + this.longest),
      );
      if (this.closer.test(around)) return place;
      start = block + BLOCK;
    }
  }

  /**
   * Returns the start of a block of `BLOCK` bytes, at or after `from` in the text of that length, in which
   * the next run of 13 digits ends, or one of 14, a single space or dash after a digit counting as one; -1
   * when there is none. `from` is no place inside of one.
   */
  nextRun(from: number, length: number): number {
    const block = this.bench.runs(TEXT + from, TEXT + length);
    return block < 0 ? -1 : block - TEXT;
  }

  private end(length: number): number {
    this.bench.text.set(PADDING_BYTES, length);
    return length;
  }
}

const NEWLINE = 10;
const PADDING_BYTES = new Uint8Array(PADDING).fill(NEWLINE);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
