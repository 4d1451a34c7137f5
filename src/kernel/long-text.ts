import { textOf } from './utf8';

/** From this many bytes on, a text is too long to be decoded, copied or searched in one turn of the event loop. */
const LONG_BYTES = 1024 * 1024;

/**
 * A text that is too long to be dealt with at once: its bytes in UTF-8. They lie in memory that threads share, so that one which
 * judges the text need not be sent a copy; nobody writes to them any more.
 */
export class LongText {
  constructor(readonly bytes: Buffer) {}

  /** In bytes: no fewer than its UTF-16 code units. */
  get length(): number {
    return this.bytes.length;
  }
}

export type Text = string | LongText;

export function isLong(bytes: Buffer): boolean {
  return bytes.length > LONG_BYTES;
}

/** The bytes as a text; what is no UTF-8 becomes U+FFFD once it is decoded. */
export function asText(bytes: Buffer): Text {
  return isLong(bytes) ? new LongText(bytes) : textOf(bytes);
}

/** Memory for a text that may be long: threads can share it, and none of it is touched before it is written to. */
export function sharedBytes(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}
