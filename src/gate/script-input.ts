import { createHash } from 'node:crypto';

/** All that decides what a script does: what people approve, and what then runs. */
export interface ScriptInput {
  readonly script: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The input as bytes, of which the SHA-256 is what a review approves. Each text is its length in UTF-8 (uint64,
 * big-endian) and its bytes: the script, the number of arguments, the arguments, then name and value of each variable,
 * by name. So no two inputs have the same bytes, wherever the border between two texts lies.
 */
export function inputBytes(input: ScriptInput): Buffer {
  const names = Object.keys(input.environment).toSorted();
  const variables = names.flatMap((name) => [name, input.environment[name] ?? '']);
  const texts = [input.script, String(input.arguments.length), ...input.arguments, ...variables];
  return Buffer.concat(texts.flatMap(withLength));
}

export function inputHash(input: ScriptInput): Buffer {
  return createHash('sha256').update(inputBytes(input)).digest();
}

function withLength(text: string): [Buffer, Buffer] {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes.length));
  return [length, bytes];
}
