export const ESCAPE = 0x1b;
const BRACKET = 0x5b;
const CARRIAGE_RETURN = 0x0d;
const BELL = 0x07;
const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
/**
 * Maximum length of a control sequence that counts as invisible. Colors of letters and of their background
 * take up to 40 characters.
 */
const MAX_SEQUENCE = 256;
/** Maximum number of digits of one of its parameters. Longer ones could be data, which rules must see. */
const MAX_DIGITS = 5;

/**
 * Length of a code at an offset that changes how a terminal shows a text, but is no part of the text:
 * colors, positions, character sets, carriage returns. 0 if there is none, -1 if its end has not arrived.
 * Source: ECMA-48, sections 5.3 and 5.4. Codes that carry texts of their own (titles, links, the clipboard)
 * are no such codes.
 */
export function terminalCodeLength(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first === CARRIAGE_RETURN || first === BELL || first === SHIFT_IN || first === SHIFT_OUT) return 1;
  if (first !== ESCAPE) return 0;
  const second = bytes[at + 1];
  if (second === undefined) return -1;
  return second === BRACKET ? controlSequence(bytes, at) : escapeSequence(bytes, at);
}

/** `ESC [`, parameters, intermediate bytes and a final byte. */
function controlSequence(bytes: Buffer, at: number): number {
  let digits = 0;
  for (let end = at + 2; end < at + MAX_SEQUENCE; end += 1) {
    const byte = bytes[end];
    if (byte === undefined) return -1;
    digits = byte >= 0x30 && byte <= 0x39 ? digits + 1 : 0;
    if (digits > MAX_DIGITS) return 0;
    if (byte >= 0x40 && byte <= 0x7e) return end + 1 - at;
    if (byte < 0x20 || byte > 0x3f) return 0;
  }
  return 0;
}

/** `ESC`, up to two intermediate bytes and a final byte, except for those that begin a text. */
function escapeSequence(bytes: Buffer, at: number): number {
  for (let end = at + 1; end < at + 4; end += 1) {
    const byte = bytes[end];
    if (byte === undefined) return -1;
    if (byte >= 0x20 && byte <= 0x2f) continue;
    // ESC P, X, ], ^ and _ begin a text that ends with a code of its own.
    const beginsText = [0x50, 0x58, 0x5d, 0x5e, 0x5f].includes(byte);
    return byte >= 0x30 && byte <= 0x7e && !beginsText ? end + 1 - at : 0;
  }
  return 0;
}
