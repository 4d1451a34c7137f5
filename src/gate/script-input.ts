import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { piecesOf } from '../kernel/text/pieces';

/** Everything that decides what a script does. People approve exactly this input. */
export interface ScriptInput {
  readonly script: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A long script is hashed in pieces of this many UTF-16 code units, with other work in between. */
const PIECE_LENGTH = 512 * 1024;

/**
 * Returns the SHA-256 hash of the input; a review approves this hash. The hashed texts are the script, the
 * number of arguments, the arguments, then the name and value of each variable, sorted by name. The length of
 * each text in UTF-8 (uint64, big-endian) is hashed before its bytes, so that different inputs never have the
 * same hashed bytes.
 */
export async function inputHash(input: ScriptInput): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of inputBytes(input)) hash.update(bytes);
  return hash.digest();
}

/** Generates the bytes that are hashed, in pieces. */
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
