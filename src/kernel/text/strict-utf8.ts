/** A character of UTF-8 has no more bytes. */
const LONGEST_CHARACTER = 4;

/** The bytes are no UTF-8. Decoded leniently, they would become another text. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';

  constructor(
    /** Offset of the first byte that is part of no character, from 0. */
    readonly offset: number,
    bytes: Uint8Array,
    name: string,
  ) {
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
    super(`${name} is not UTF-8: byte ${offset} (0x${byte}) is part of no character${guess(bytes)}`);
  }
}

/**
 * The text of a file that is executed or becomes policy. A byte order mark at its beginning is no part of it,
 * as psql reads it.
 * @param name of the file, for the fault
 * @throws NotUtf8
 */
export function strictText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NotUtf8(faultOffset(bytes), bytes, name);
  }
}

function guess({ 0: first, 1: second }: Uint8Array): string {
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 ? '; it looks like UTF-16. Save it as UTF-8' : '. Save it as UTF-8';
}

/**
 * A binary search for the longest beginning that may go on, and then back to
 * the end of its last whole character.
 */
function faultOffset(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isDecoded(bytes.subarray(0, middle), true)) good = middle;
    else bad = middle;
  }
  for (let end = good; end > good - LONGEST_CHARACTER && end > 0; end -= 1)
    if (isDecoded(bytes.subarray(0, end), false)) return end;
  return 0;
}

function isDecoded(bytes: Uint8Array, stream: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}
