/**
 * Decodes recorded output, which events cut anywhere: invalid bytes become U+FFFD, and a byte order mark is
 * an ordinary character. Give `{ stream: true }` with each piece, and call `decode()` at the end: it returns
 * the replacement for an incomplete character.
 */
export function outputDecoder(): InstanceType<typeof TextDecoder> {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
