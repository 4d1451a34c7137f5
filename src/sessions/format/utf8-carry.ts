import { isAscii } from 'node:buffer';

/** Largest number of bytes of a UTF-8 character. */
const LONGEST = 4;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Decodes UTF-8 in pieces cut anywhere. Invalid bytes become U+FFFD, as in the WHATWG decoder. A byte
 * order mark is an ordinary character. Several times faster than `TextDecoder` for ASCII.
 */
export class Utf8Carry {
  private rest = NOTHING;

  write(bytes: Buffer): string {
    const whole = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const open = unfinished(whole);
    if (open === 0) {
      this.rest = NOTHING;
      return textOf(whole);
    }
    const end = whole.length - open;
    this.rest = Buffer.from(whole.subarray(end));
    return textOf(whole.subarray(0, end));
  }

  /** Returns the replacement for an incomplete character at the end. */
  end(): string {
    if (this.rest.length === 0) return '';
    const text = this.rest.toString();
    this.rest = NOTHING;
    return text;
  }
}

function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
}

/** Number of bytes at the end that may begin a character. */
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
