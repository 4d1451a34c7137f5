import { JsonFault } from './json-value';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** Length of the longest escape sequence, such as `\u0041`. */
const LONGEST_ESCAPE = 6;

/** Reads one string of a document, which may be long, in steps. */
export class StringReading {
  /** Offset at which reading continues. */
  at: number;
  /** Start of the part that is not decoded yet. */
  private from: number;
  private decoded = '';
  private hasEscapes = false;

  /** @param at the offset after the opening quote */
  constructor(
    private readonly text: string,
    at: number,
  ) {
    this.at = at;
    this.from = at;
  }

  /**
   * Reads up to about offset `until`. Returns the decoded string once its end is found, and undefined before.
   * `at` is then the offset after the closing quote. @throws JsonFault
   */
  advance(until: number): string | undefined {
    const { text } = this;
    let { at } = this;
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) {
        this.hasEscapes = true;
        // The decoder checks the rest of the escape.
        at += text.charCodeAt(at + 1) === LETTER_U ? LONGEST_ESCAPE : 2;
      } else if (unit >= 0x20) {
        at += 1;
      } else {
        throw controlCharacter(unit, at >= text.length);
      }
      if (at >= until) {
        // A string without escapes needs no decoding: it is sliced from the text when its end is found.
        if (this.hasEscapes) this.decode(at);
        this.at = at;
        return undefined;
      }
    }
    this.at = at + 1;
    if (!this.hasEscapes) return text.slice(this.from, at);
    this.decode(at);
    if (!this.decoded.isWellFormed())
      throw new JsonFault('encoding', 'has a text with half of a surrogate pair');
    return this.decoded;
  }

  private decode(end: number): void {
    this.decoded += unescaped(this.text.slice(this.from, end));
    this.from = end;
  }
}

function unescaped(written: string): string {
  let decoded: string;
  try {
    decoded = JSON.parse(`"${written}"`) as string;
  } catch {
    throw new JsonFault('syntax', 'has a text with a malformed escape');
  }
  if (decoded.includes('\0')) throw nul();
  return decoded;
}

function controlCharacter(unit: number, isEnd: boolean): JsonFault {
  if (unit === 0) return nul();
  return new JsonFault(
    'syntax',
    isEnd ? 'is no valid JSON: a text is not closed' : 'has a text with a control character',
  );
}

function nul(): JsonFault {
  return new JsonFault('nul', 'has a text with the character NUL');
}
