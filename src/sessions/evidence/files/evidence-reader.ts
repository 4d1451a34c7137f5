import { isUtf8 } from 'node:buffer';
import { type Hash, createHash } from 'node:crypto';
import type { z } from 'zod';
import { parseJson } from '../../../kernel/json/json';
import type { ChunkFacts } from '../../format/verification';
import { type Head, chunkLine, chunkOf, endLine, headLine, sealLine } from './evidence-format';

/** Error for a file that does not have the evidence format. The message is a sentence. */
export class EvidenceFault extends Error {}

/** Maximum size of a line: twice the largest chunk. Without it, a forged file could fill the memory. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const LINE_FEED = 0x0a;
const SEAL_LINE = Buffer.from('{"file_seal":');

const CUT_OFF = 'the file has no end mark: it was cut off';

/** The last two lines of a file: its seal, signature and digest. */
export interface Foot {
  readonly seal: Buffer;
  /** Signature of the file; absent in version 1. */
  readonly signature: { readonly keyId: string; readonly bytes: Buffer } | undefined;
  /** The digest that the seal covers. */
  readonly sealed: Buffer;
  readonly chunks: number;
  /** Whether the digest in the end mark is right. */
  readonly isIntact: boolean;
}

/** Reads a file of evidence as a stream, with one line in memory at a time. @throws EvidenceFault */
export class EvidenceReader {
  private readonly lines: AsyncGenerator<Buffer>;
  private readonly sum: Hash = createHash('sha256');
  private line = 0;

  constructor(file: AsyncIterable<Buffer>) {
    this.lines = linesOf(file);
  }

  /** Reads the head. Must be called first. */
  async head(): Promise<Head> {
    const first = await this.lines.next();
    if (first.done) throw new EvidenceFault('the file is empty');
    return this.read(headLine, first.value);
  }

  /**
   * Yields the chunks. The caller must read them all, because the generator's return value is the foot of the
   * file.
   */
  async *chunks(): AsyncGenerator<ChunkFacts, Foot> {
    for await (const bytes of this.lines) {
      if (bytes.subarray(0, SEAL_LINE.length).equals(SEAL_LINE)) return this.foot(bytes);
      yield chunkOf(this.read(chunkLine, bytes));
    }
    throw new EvidenceFault(CUT_OFF);
  }

  private async foot(bytes: Buffer): Promise<Foot> {
    const sealed = this.sum.copy().digest();
    const { file_seal: seal, key_id: keyId, signature: signed } = this.read(sealLine, bytes);
    const signature = keyId === undefined || signed === undefined ? undefined : { keyId, bytes: signed };
    const last = await this.lines.next();
    if (last.done) throw new EvidenceFault(CUT_OFF);
    const { end } = parsed(endLine, last.value, 'the last line');
    if (!(await this.lines.next()).done) throw new EvidenceFault('the file goes on after its end mark');
    return { seal, signature, sealed, chunks: end.chunks, isIntact: end.sha256.equals(this.sum.digest()) };
  }

  private read<T extends z.ZodType>(schema: T, bytes: Buffer): z.output<T> {
    this.sum.update(bytes);
    this.line += 1;
    return parsed(schema, bytes, `line ${this.line}`);
  }
}

function parsed<T extends z.ZodType>(schema: T, bytes: Buffer, which: string): z.output<T> {
  if (!isUtf8(bytes)) throw new EvidenceFault(`${which} is not UTF-8`);
  const text = bytes.toString();
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    throw new EvidenceFault(`${which} is no JSON`);
  }
  const result = schema.safeParse(json);
  if (!result.success) throw new EvidenceFault(`${which} is not as a gateway writes it`);
  // No digest covers the end mark, so it must be exactly the text that a gateway writes.
  if (bytes.length < 1024 && `${JSON.stringify(json)}\n` !== text) {
    throw new EvidenceFault(`${which} is not as a gateway writes it`);
  }
  return result.data;
}

/** Yields each line with its line feed. The last line must end with a line feed too. */
async function* linesOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of file) {
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...parts, bytes.subarray(from, end + 1)]);
      parts = [];
      size = 0;
      from = end + 1;
    }
    parts.push(bytes.subarray(from));
    size += bytes.length - from;
    if (size > MAX_LINE_BYTES) throw new EvidenceFault('a line is longer than any that a gateway writes');
  }
  if (size > 0) throw new EvidenceFault('the file was cut off: its last line has no end');
}
