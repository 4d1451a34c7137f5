import { isAscii, isUtf8 } from 'node:buffer';
import type { Mask } from '../../../gate/ports/guardrails';
import { incompleteTail } from '../../../kernel/text/utf8';
import { ESCAPE, terminalCodeLength } from './terminal-codes';

const NOTHING: Buffer = Buffer.alloc(0);
const REPLACEMENT = '\uFFFD';

interface Held {
  readonly bytes: Buffer;
  /** Length as a text, in UTF-16 code units. */
  readonly units: number;
}

/**
 * Bytes of an output stream that wait until the screen releases their text. Rules see the bytes as UTF-8,
 * each byte that is no UTF-8 as U+FFFD. The client gets the very bytes, except where a mask replaces them.
 * In a terminal, rules do not see its codes, so that no color hides a word.
 */
export class HeldBytes {
  /** First bytes of a character that the next bytes complete. */
  private begun: Buffer = NOTHING;
  private held: Held[] = [];
  /** Offset of the first held text in the stream, in UTF-16 code units. */
  private start = 0;

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

  /**
   * Releases the bytes whose text ends at or before `upTo`.
   * @param masks the masks of this text, in order
   */
  release(upTo: number, masks: readonly Mask[]): Buffer {
    const released: Buffer[] = [];
    for (const { start, end, replacement } of masks) {
      released.push(...this.takeUpTo(start).map(({ bytes }) => bytes), Buffer.from(replacement));
      // Codes within the masked text stay, because they change what comes after it.
      const codes = this.takeUpTo(end).filter(({ units }) => units === 0);
      released.push(...codes.map(({ bytes }) => bytes));
    }
    released.push(...this.takeUpTo(upTo).map(({ bytes }) => bytes));
    const [first = NOTHING] = released;
    return released.length > 1 ? Buffer.concat(released) : first;
  }

  private hold(bytes: Buffer): string {
    if (!this.isTerminal) return this.holdText(bytes);
    const texts: string[] = [];
    let begin = 0;
    for (let at = 0; at < bytes.length;) {
      const length = terminalCodeLength(bytes, at);
      at += Math.max(1, length);
      if (length <= 0) continue;
      texts.push(this.holdText(bytes.subarray(begin, at - length)));
      this.held.push({ bytes: bytes.subarray(at - length, at), units: 0 });
      begin = at;
    }
    texts.push(this.holdText(bytes.subarray(begin)));
    return texts.join('');
  }

  private holdText(bytes: Buffer): string {
    if (bytes.length === 0) return '';
    const text = decoded(bytes);
    this.held.push({ bytes, units: text.length });
    return text;
  }

  /** Takes what is held up to an offset, with the codes after it. */
  private takeUpTo(end: number): Held[] {
    const taken: Held[] = [];
    for (let first = this.held[0]; first !== undefined; first = this.held[0]) {
      const units = end - this.start;
      if (first.units > 0 && units <= 0) break;
      if (first.units <= units) {
        taken.push(first);
        this.start += first.units;
        this.held.shift();
        continue;
      }
      const at = bytesOfUnits(first.bytes, units);
      taken.push({ bytes: first.bytes.subarray(0, at), units });
      this.held[0] = { bytes: first.bytes.subarray(at), units: first.units - units };
      this.start = end;
    }
    return taken;
  }
}

/** The offset at which an incomplete code of a terminal begins; the length of the bytes if there is none. */
function endOfCodes(bytes: Buffer): number {
  const last = bytes.lastIndexOf(ESCAPE);
  return last !== -1 && terminalCodeLength(bytes, last) === -1 ? last : bytes.length;
}

function decoded(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  let valid = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString('utf8', valid, at), REPLACEMENT);
    at += 1;
    valid = at;
  }
  parts.push(bytes.toString('utf8', valid));
  return parts.join('');
}

/** Number of bytes whose text has this many UTF-16 code units. */
function bytesOfUnits(bytes: Buffer, units: number): number {
  if (isAscii(bytes)) return units;
  let at = 0;
  for (let left = units; left > 0;) {
    const length = characterLength(bytes, at);
    at += Math.max(1, length);
    left -= length === 4 ? 2 : 1;
  }
  return at;
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
