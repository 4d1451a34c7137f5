/** Maximum length of a UTF-8 character in bytes. */
const LONGEST_CHARACTER = 4;

/** Thrown for bytes that are not UTF-8. A lenient decoder would turn them into a different text. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';

  constructor(
    /** Offset of the first byte that does not belong to a valid character, from 0. */
    readonly offset: number,
    bytes: Uint8Array,
    name: string,
  ) {
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
    super(`${name} is not UTF-8: byte ${offset} (0x${byte}) is part of no character${guess(bytes)}`);
  }
}

/**
 * Decodes a file that is executed or becomes policy. Removes a byte order mark at the beginning, as psql
 * does.
 * @param name the name of the file, for the error message
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
 * Finds the longest prefix that could continue as UTF-8, by binary search. Then steps back to the end of
 * its last complete character.
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
