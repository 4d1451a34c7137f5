import { isAscii, isUtf8 } from 'node:buffer';
import type { Mask } from '../../../gate/ports/guardrails';
import { incompleteTail } from '../../../kernel/text/utf8';
import { ESCAPE, terminalCodeLength } from './terminal-codes';

const NOTHING: Buffer = Buffer.alloc(0);
/** U+FFFD in UTF-8. */
const REPLACEMENT = [0xef, 0xbf, 0xbd] as const;
/** Shorter pieces are joined, so that bytes that arrive one by one are no list of as many pieces. */
const JOINED_UP_TO_BYTES = 1024;

/** Text and codes of a terminal, as they arrived. */
interface Held {
  readonly bytes: Buffer;
  /** Length of their text, in UTF-16 code units. */
  readonly units: number;
  /** Whether each byte is a code unit of the text. */
  readonly isPlain: boolean;
}

/**
 * Bytes of an output stream that wait until the screen releases their text. Rules see the bytes as UTF-8,
 * each byte that is no UTF-8 as U+FFFD. The client gets the very bytes, except where a mask replaces them.
 * In a terminal, rules do not see its codes, so that no color hides a word.
 *
 * A byte is looked at a fixed number of times: when it arrives, when it is released, and within a mask. So no
 * mix of texts and codes costs more than its length.
 */
export class HeldBytes {
  /** First bytes of a character or of a code that the next bytes complete. */
  private begun: Buffer = NOTHING;
  private held: Held[] = [];
  /** Offset of the first held text in the stream, in UTF-16 code units. */
  private start = 0;
  /** Number of bytes that are held. */
  size = 0;

  /** @param isTerminal whether the stream is the output of a terminal */
  constructor(private readonly isTerminal: boolean) {}

  /** Adds bytes, and returns their text. */
  push(chunk: Buffer): string {
    const all = this.begun.length === 0 ? chunk : Buffer.concat([this.begun, chunk]);
    const whole = all.subarray(0, all.length - incompleteTail(all));
    const end = this.isTerminal ? endOfCodes(whole) : whole.length;
    this.begun = Buffer.from(all.subarray(end));
    return this.hold(whole.subarray(0, end));
  }

  /** Returns the text of bytes that no character or code completed, at the end of the stream. */
  finish(): string {
    const rest = this.begun;
    this.begun = NOTHING;
    return this.hold(rest);
  }

  /** Returns the text of all that is held, with which a new stream begins. */
  restart(): string {
    this.start = 0;
    return this.held.map(({ bytes }) => this.textOf(bytes)).join('');
  }

  /**
   * Releases the bytes whose text ends at or before `upTo`, with the codes after it.
   * @param masks the masks of this text, in order
   */
  release(upTo: number, masks: readonly Mask[]): Buffer {
    const released: Buffer[] = [];
    for (const { start, end, replacement } of masks) {
      this.takeUpTo(start, (bytes) => released.push(bytes));
      released.push(Buffer.from(replacement));
      // Codes within the masked text stay, because they change what comes after it.
      this.takeUpTo(end, (bytes) => this.isTerminal && released.push(codesIn(bytes)));
    }
    this.takeUpTo(upTo, (bytes) => released.push(bytes));
    const [first = NOTHING] = released;
    return released.length > 1 ? Buffer.concat(released) : first;
  }

  /** Releases the codes before the first held text, which wait for nothing. */
  releaseCodes(): Buffer {
    return this.release(0, []);
  }

  private hold(bytes: Buffer): string {
    if (bytes.length === 0) return '';
    const text = this.textOf(bytes);
    const piece = { bytes, units: text.length, isPlain: text.length === bytes.length };
    this.size += bytes.length;
    const last = this.held.at(-1);
    if (last === undefined || last.bytes.length + bytes.length > JOINED_UP_TO_BYTES) this.held.push(piece);
    else this.held[this.held.length - 1] = joined(last, piece);
    return text;
  }

  private textOf(bytes: Buffer): string {
    if (!this.isTerminal) return decoded(bytes);
    return textParts(bytes)
      .map(([begin, end]) => decoded(bytes.subarray(begin, end)))
      .join('');
  }

  /** Takes what is held up to an offset, with the codes after it. */
  private takeUpTo(end: number, take: (bytes: Buffer) => unknown): void {
    for (let first = this.held[0]; first !== undefined; first = this.held[0]) {
      const { at, units } = this.cut(first, Math.max(0, end - this.start));
      if (at === 0) return;
      take(first.bytes.subarray(0, at));
      this.start += units;
      this.size -= at;
      if (at === first.bytes.length) this.held.shift();
      else this.held[0] = { ...first, bytes: first.bytes.subarray(at), units: first.units - units };
    }
  }

  /**
   * Returns how many bytes have at most so many UTF-16 code units, with the codes after them. Both halves of
   * a surrogate pair belong to the first.
   */
  private cut({ bytes, units: all, isPlain }: Held, upTo: number): { at: number; units: number } {
    if (upTo >= all) return { at: bytes.length, units: all };
    if (isPlain) return { at: upTo, units: upTo };
    let at = 0;
    let units = 0;
    for (;;) {
      const code = this.isTerminal ? terminalCodeLength(bytes, at) : 0;
      if (code <= 0 && units >= upTo) return { at, units };
      const length = code > 0 ? code : characterLength(bytes, at);
      at += Math.max(1, length);
      if (code <= 0) units += length === 4 ? 2 : 1;
    }
  }
}

function joined(first: Held, second: Held): Held {
  return {
    bytes: Buffer.concat([first.bytes, second.bytes]),
    units: first.units + second.units,
    isPlain: first.isPlain && second.isPlain,
  };
}

/** The parts of the output of a terminal that are text: the offsets at which each begins and ends. */
function textParts(bytes: Buffer): [begin: number, end: number][] {
  const parts: [number, number][] = [];
  let begin = 0;
  for (let at = 0; at < bytes.length;) {
    const code = terminalCodeLength(bytes, at);
    if (code > 0 && at > begin) parts.push([begin, at]);
    at += Math.max(1, code);
    if (code > 0) begin = at;
  }
  if (bytes.length > begin) parts.push([begin, bytes.length]);
  return parts;
}

function codesIn(bytes: Buffer): Buffer {
  const codes: Buffer[] = [];
  let at = 0;
  for (const [begin, end] of textParts(bytes)) {
    codes.push(bytes.subarray(at, begin));
    at = end;
  }
  return Buffer.concat([...codes, bytes.subarray(at)]);
}

/** The offset at which an incomplete code of a terminal begins; the length of the bytes if there is none. */
function endOfCodes(bytes: Buffer): number {
  const last = bytes.lastIndexOf(ESCAPE);
  return last !== -1 && terminalCodeLength(bytes, last) === -1 ? last : bytes.length;
}

function decoded(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return (isUtf8(bytes) ? bytes : wellFormed(bytes)).toString('utf8');
}

/**
 * Returns the bytes with U+FFFD for each one that is no UTF-8. They are then decoded at once, because bytes
 * that are no text have thousands of valid parts.
 */
function wellFormed(bytes: Buffer): Buffer {
  const [first, second, third] = REPLACEMENT;
  const formed = Buffer.allocUnsafe(REPLACEMENT.length * bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    for (const end = at + length; at < end; at += 1) formed[size++] = bytes[at]!;
    if (length > 0) continue;
    formed[size++] = first;
    formed[size++] = second;
    formed[size++] = third;
    at += 1;
  }
  return formed.subarray(0, size);
}

/**
 * Length in bytes of the character at an offset; 0 if there is no valid one: Unicode Standard, table 3-7,
 * "Well-Formed UTF-8 Byte Sequences".
 */
function characterLength(bytes: Buffer, at: number): 0 | 1 | 2 | 3 | 4 {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  if (first < 0xc2 || first > 0xf4 || (second & 0xc0) !== 0x80) return 0;
  if (first < 0xe0) return 2;
  if (((bytes[at + 2] ?? 0) & 0xc0) !== 0x80) return 0;
  if (first < 0xf0) {
    const isBad = (first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f);
    return isBad ? 0 : 3;
  }
  if (((bytes[at + 3] ?? 0) & 0xc0) !== 0x80) return 0;
  const isBad = (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f);
  return isBad ? 0 : 4;
}
