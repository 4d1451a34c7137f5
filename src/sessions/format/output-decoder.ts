/**
 * Returns a decoder for recorded output, which events may cut at any byte. Invalid bytes become U+FFFD. A
 * byte order mark is an ordinary character. Pass `{ stream: true }` with each piece, and call `decode()` at
 * the end: it returns a replacement if the last character is incomplete.
 */
export function outputDecoder(): InstanceType<typeof TextDecoder> {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
