import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { piecesOf } from '../kernel/text/pieces';

/** Everything that decides what a script does: what people approve is exactly what runs. */
export interface ScriptInput {
  readonly script: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** UTF-16 code units. A script of megabytes is read in pieces, with other work in between. */
const PIECE_LENGTH = 512 * 1024;

/**
 * The SHA-256 of the input, which a review approves. Each text is hashed as its length in UTF-8 (uint64,
 * big-endian) and its bytes: the script, the number of arguments, the arguments, then name and value of each
 * variable, sorted by name. So different inputs never have the same bytes.
 */
export async function inputHash(input: ScriptInput): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of inputBytes(input)) hash.update(bytes);
  return hash.digest();
}

/** The hashed bytes, in pieces. */
export async function* inputBytes(input: ScriptInput): AsyncGenerator<Buffer> {
  const names = Object.keys(input.environment).toSorted();
  const variables = names.flatMap((name) => [name, input.environment[name] ?? '']);
  const texts = [input.script, String(input.arguments.length), ...input.arguments, ...variables];
  for (const text of texts) yield* withLength(text);
}

async function* withLength(text: string): AsyncGenerator<Buffer> {
  const pieces = piecesOf(text, PIECE_LENGTH);
  let bytes = 0;
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await turn();
    bytes += Buffer.byteLength(piece);
  }
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes));
  yield length;
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await turn();
    yield Buffer.from(piece);
  }
}
