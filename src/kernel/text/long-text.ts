import { textOf } from './utf8';

/** A text of this size takes too long to be decoded, copied or searched in one turn of the event loop. */
const LONG_BYTES = 1024 * 1024;

/**
 * A text that is too long to be handled at once: its bytes in UTF-8. They are in shared memory, so that a
 * thread which judges the text needs no copy. They must not be changed.
 */
export class LongText {
  constructor(readonly bytes: Buffer) {}

  /** Length in bytes, which is at least the number of UTF-16 code units. */
  get length(): number {
    return this.bytes.length;
  }
}

export type Text = string | LongText;

export function isLong(bytes: Buffer): boolean {
  return bytes.length > LONG_BYTES;
}

/** The bytes as a text; invalid UTF-8 becomes U+FFFD when it is decoded. */
export function asText(bytes: Buffer): Text {
  return isLong(bytes) ? new LongText(bytes) : textOf(bytes);
}

/**
 * Memory for a text that may be long. Threads can share it, and pages are
 * allocated only when they are written.
 */
export function sharedBytes(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}
