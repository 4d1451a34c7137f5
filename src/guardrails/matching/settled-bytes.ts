import { isSettled } from '../../languages/text/plain-text';

/**
 * Pictographs that neither join with other characters nor change under NFKC: U+1F300 to U+1F3FA and U+1F400
 * to U+1F64F.
 */
const PICTURES: readonly (readonly [number, number])[] = [
  [0x1f300, 0x1f3fa],
  [0x1f400, 0x1f64f],
];

/** White space that NFKC keeps, and that white-space folding turns into a space. */
const SPACES: ReadonlySet<number> = new Set([0x85, 0x1680, 0x2028, 0x2029]);

/**
 * Returns the offset, at or after `from`, of the next bytes that normalization may change in a UTF-8 text of
 * `length` bytes; -1 when there are none. Normalization may change white space beyond ASCII, invisible
 * characters, characters that NFKC changes or joins, and invalid UTF-8.
 * @param asciiOnly whether the result is the next character beyond ASCII, even one that stays unchanged
 */
export function nextUnsettled(bytes: Uint8Array, from: number, length: number, asciiOnly: boolean): number {
  for (let at = from; at < length; at++) {
    const first = bytes[at]!;
    if (first < 0x80) continue;
    if (asciiOnly) return at;
    const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || at + more >= length) return at;
    let point = first & (0x3f >> more);
    for (let next = 1; next <= more; next++) {
      const byte = bytes[at + next]!;
      if ((byte & 0xc0) !== 0x80) return at;
      point = (point << 6) | (byte & 0x3f);
    }
    if (point < 0x10000 ? !isSettled(point) || SPACES.has(point) : !isPicture(point)) return at;
    at += more;
  }
  return -1;
}

function isPicture(point: number): boolean {
  return PICTURES.some(([first, last]) => point >= first && point <= last);
}
