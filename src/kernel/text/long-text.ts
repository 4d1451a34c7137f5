import { textOf } from './utf8';

/** A text above this size takes too long to decode, copy or search in one turn of the event loop. */
const LONG_BYTES = 1024 * 1024;

/**
 * A text that is too long to handle in one turn of the event loop, as UTF-8 bytes. The bytes are in shared
 * memory, so that a thread that judges the text needs no copy. They must not be changed.
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
 * Allocates memory for a text that may be long. Threads can share it, and the system allocates a page only
 * when it is written.
 */
export function sharedBytes(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}
