/** Splits a text into pieces of at most `length` UTF-16 code units, never inside a character. */
export function piecesOf(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + length;
    const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    pieces.push(text.slice(at, isHalf ? end - 1 : end));
    at = isHalf ? end - 1 : end;
  }
  return pieces;
}
