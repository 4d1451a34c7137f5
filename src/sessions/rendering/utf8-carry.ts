import { isAscii } from 'node:buffer';

/** Bytes of the longest character of UTF-8. */
const LONGEST = 4;

/**
 * Decodes UTF-8 that comes in pieces cut anywhere; what is none becomes U+FFFD, as WHATWG's decoder does it. A byte
 * order mark is a character like any other. Several times as fast as `TextDecoder` where the bytes are ASCII.
 */
export class Utf8Carry {
  private rest: Buffer = Buffer.alloc(0);

  write(bytes: Buffer): string {
    const whole = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const end = whole.length - unfinished(whole);
    this.rest = Buffer.from(whole.subarray(end));
    return textOf(whole.subarray(0, end));
  }

  /** What was begun and never finished. */
  end(): string {
    const text = this.rest.toString();
    this.rest = Buffer.alloc(0);
    return text;
  }
}

function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
}

/** How many bytes at the end may be the beginning of a character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back < LONGEST && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthFrom(byte) ? back : 0;
  }
  return 0;
}

function lengthFrom(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
