/**
 * Control sequences that change the screen alone: text is inserted, erased and scrolled, the cursor moves,
 * letters have colors. Source: ECMA-48, section 8.3; xterm, "Control Sequences". Left out is all that a
 * terminal answers (`c`, `n`, `t`, `q`), that changes what it sends (the mouse, `?2004`), or that costs more
 * than its length (`b`, which repeats a letter, for more than 999 times).
 */
const SCREEN_SEQUENCES = [
  /^[0-9;:]*[@A-HIJKLMPSTXZ`adefgm]$/,
  /^\d{0,3}b$/,
  /^[0-9;]*[rsu]$/,
  // The cursor is hidden and shown, lines wrap, the other screen of editors is used.
  /^\?(?:[17]|25|47|104[789])(?:;(?:[17]|25|47|104[789]))*[hl]$/,
  /^4[hl]$/,
  /^!p$/,
] as const;
/** Short sequences of this kind: the cursor is saved, a line is passed, a character set is selected. */
const SCREEN_ESCAPES = /^(?:[78DEHMc]|[()][AB0])$/;

/** Maximum number of digits of a parameter: no screen has more columns. */
const LONG_PARAMETER = /\d{5}/;
/** Longest sequence; longer ones are no sequences. */
const MAX_SEQUENCE = 128;
/**
 * Maximum length of a text of its own, such as a title or what is put into the clipboard. A longer one is
 * shown from there on, so that nobody hides a session by one that does not end.
 */
const MAX_OWN_TEXT = 64 * 1024;

/** Characters that are not shown as they are: controls, and those that change the direction of text. */
const SPECIAL = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Ends of a text of its own: BEL, ST, CAN, SUB. An escape that begins something else ends it, too. */
// oxlint-disable-next-line no-control-regex -- terminals obey control characters
const OWN_TEXT_ENDS = /[\u0007\u0018\u001a\u009c]|\u001b\\?/g;
const SEQUENCE = /[0-?]*[ -/]*([@-~])?/y;
const ESCAPE_SEQUENCE = /[ -/]{0,2}([0-~])?/y;

const PASSED = new Set(['\b', '\t', '\n', '\r', '\u000e', '\u000f']);
const ESCAPE = '\u001b';
/** Controls of one character, and the escapes that they stand for: ECMA-48, section 5.3. */
const C1 = { first: 0x80, last: 0x9f, offset: 0x40 } as const;
/** Escapes that begin a text of its own: DCS, SOS, OSC, PM, APC. */
const BEGINS_OWN_TEXT = new Set(['P', 'X', ']', '^', '_']);

interface Code {
  readonly length: number;
  /** The part of it that is shown. */
  readonly shown: string;
  /** Whether a text of its own follows. */
  readonly beginsText?: boolean;
}

/**
 * Makes the output of a terminal safe to be played: what changes the screen stays, so that an auditor sees
 * what the person saw. All else is left out: titles, links, the clipboard, questions to the terminal. Costs
 * the length of the output, wherever it is cut.
 */
export class TerminalReplay {
  /** The beginning of a sequence that the next text completes. */
  private held = '';
  /** Number of characters of a text of its own that may still be left out; 0 outside of one. */
  private leftOut = 0;

  /** Returns what of the text is played. */
  write(text: string): string {
    const all = this.held + text;
    this.held = '';
    let shown = '';
    for (let at = 0; at < all.length;) {
      if (this.leftOut > 0) {
        at = this.passText(all, at);
        continue;
      }
      SPECIAL.lastIndex = at;
      const special = SPECIAL.exec(all);
      const next = special?.index ?? all.length;
      shown += all.slice(at, next);
      if (special === null) break;
      const code = codeAt(all, next);
      if (code === undefined) {
        this.held = all.slice(next);
        break;
      }
      shown += code.shown;
      if (code.beginsText === true) this.leftOut = MAX_OWN_TEXT;
      at = next + code.length;
    }
    return shown;
  }

  /** Leaves out a text of its own. Returns where the output goes on. */
  private passText(all: string, from: number): number {
    const limit = Math.min(all.length, from + this.leftOut);
    OWN_TEXT_ENDS.lastIndex = from;
    const found = OWN_TEXT_ENDS.exec(all.slice(0, limit));
    if (found === null) {
      this.leftOut -= limit - from;
      return limit;
    }
    this.leftOut = 0;
    // An escape without a backslash begins the next code; the next text may still bring the backslash.
    return found[0] === ESCAPE ? found.index : found.index + found[0].length;
  }
}

/** Reads the code that begins at a special character; undefined if its end has not arrived. */
function codeAt(all: string, at: number): Code | undefined {
  const first = all.charAt(at);
  const point = first.charCodeAt(0);
  if (PASSED.has(first)) return { length: 1, shown: first };
  if (first === ESCAPE) return escapeAt(all, at);
  if (point < C1.first) return { length: 1, shown: '' };
  if (point > C1.last) return { length: 1, shown: '\ufffd' };
  return shortCode(String.fromCharCode(point - C1.offset), 1) ?? sequenceFrom(all, at + 1, 1);
}

function escapeAt(all: string, at: number): Code | undefined {
  ESCAPE_SEQUENCE.lastIndex = at + 1;
  const [found = '', letter] = ESCAPE_SEQUENCE.exec(all) ?? [];
  if (letter === undefined) {
    const mayGoOn = at + 1 + found.length === all.length;
    return mayGoOn ? undefined : { length: 1, shown: '' };
  }
  return shortCode(found, 1 + found.length) ?? sequenceFrom(all, at + 2, 2);
}

/** Returns the code of an escape with these characters; undefined if it begins a control sequence. */
function shortCode(code: string, length: number): Code | undefined {
  if (code === '[') return undefined;
  if (BEGINS_OWN_TEXT.has(code)) return { length, shown: '', beginsText: true };
  return { length, shown: SCREEN_ESCAPES.test(code) ? `${ESCAPE}${code}` : '' };
}

/** Reads the control sequence whose parameters begin at `start`, after `length` characters that begin it. */
function sequenceFrom(all: string, start: number, length: number): Code | undefined {
  SEQUENCE.lastIndex = start;
  const [found = '', final] = SEQUENCE.exec(all.slice(0, start + MAX_SEQUENCE)) ?? [];
  if (final === undefined) {
    const mayGoOn = start + found.length === all.length && found.length < MAX_SEQUENCE;
    return mayGoOn ? undefined : { length, shown: '' };
  }
  const isShown = SCREEN_SEQUENCES.some((known) => known.test(found)) && !LONG_PARAMETER.test(found);
  return { length: length + found.length, shown: isShown ? `${ESCAPE}[${found}` : '' };
}
