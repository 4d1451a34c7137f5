/**
 * Returns a function that converts UTF-8 byte offsets to UTF-16 offsets. It must be called with ascending
 * offsets, so that it reads the text only once. `text` must be well-formed.
 */
export function utf16Offsets(text: string): (byteOffset: number) => number {
  if (Buffer.byteLength(text, 'utf8') === text.length)
    return (byteOffset) => Math.min(byteOffset, text.length);
  let bytes = 0;
  let units = 0;
  return (byteOffset) => {
    while (bytes < byteOffset && units < text.length) {
      const point = text.codePointAt(units) ?? 0;
      bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      units += point < 0x10000 ? 1 : 2;
    }
    return units;
  };
}
