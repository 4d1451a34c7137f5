import { type Bucket, COMPARED, bucketsOf, shareOfBucket, shareOfSequence, tablesOf } from './byte-buckets';
import { type ByteClass, sourceOf } from './byte-class';
import { TABLES, TABLE_BYTES, scanModule } from './scan-module';

export const BLOCK = 16;
/** Maximum number of sequences. A scan for more sequences would accept nearly every text. */
export const MOST_SEQUENCES = 64;
/**
 * Maximum estimated fractions of the positions in common text: positions that need a closer look, and
 * positions that match. Above these fractions, a scan costs more than it saves.
 */
const MOST_LOOKS = 1 / 10;
const MOST_FOUND = 1 / 30;

const PAGES = 5;
/** Offset of the scanned text in the memory of the WebAssembly module. */
const TEXT = 1_024;
/** Number of padding bytes after the text. No table accepts these bytes. */
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

/** The shared scan memory, with the owner of the tables that are loaded in it. */
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

/** Returns undefined when the processor lacks the instructions that the module needs. */
function openWorkbench(): Workbench | undefined {
  if (!isOpened) {
    const module = scanModule(PAGES);
    if (wasm.validate(module)) workbench = new Workbench(module);
    isOpened = true;
  }
  return workbench;
}

/**
 * Finds out, at gigabytes a second, whether a text contains one of some short ASCII sequences. All scanners
 * share one memory: put a text there, and finish its scans before you put the next text.
 */
export class ByteScanner {
  private readonly tables: Uint8Array;
  private readonly closer: RegExp;
  /** Length of the longest sequence in bytes, but at least `COMPARED`. */
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
   * Creates a scanner. Returns undefined when there are too many sequences, when they are frequent in common
   * text, or when the processor lacks the instructions.
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

  /** The shared memory. The text that was put there last is at its beginning. */
  get text(): Buffer {
    return this.bench.text;
  }

  /** Copies a text into the shared memory, in UTF-8. The text must fit. Returns its length in bytes. */
  put(text: string): number {
    return this.end(encoder.encodeInto(text, this.bench.text).written);
  }

  putBytes(bytes: Uint8Array): number {
    this.bench.text.set(bytes);
    return this.end(bytes.length);
  }

  /** Whether the first `length` bytes in memory contain one of the sequences or single bytes. */
  isFound(length: number): boolean {
    return this.next(0, length) >= 0;
  }

  /**
   * Returns the start of the next block of `BLOCK` bytes, at or after `from`, with a match in it or within
   * `longest` bytes around it; -1 when there is none. The text in memory has `length` bytes.
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
   * Returns the start of the next block of `BLOCK` bytes, at or after `from`, in which a long run ends; -1
   * when there is none. A long run has 13 digits, or 14 characters where a single space or dash after a digit
   * counts as a digit. `from` must not lie inside a run. The text in memory has `length` bytes.
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
