import { TimeSlice } from '../../kernel/async/time-slice';

/** The beginning of the recorded values of a command, in the form of psql's meta-command. */
const HEAD = /^\\bind(_named)?(?= |$)/;

/** Number of characters of a value that are read in one step. */
const PART_LENGTH = 64 * 1024;

/**
 * Yields the texts of a recorded input of values: the values that were bound, each by itself, or the rows of
 * a COPY as they are. A value in binary is as it is recorded; the gate judges it as PostgreSQL prints it.
 * Reads in time slices, because an input may have millions of values, or one of 64 MiB.
 */
export async function* valuesIn(text: string): AsyncGenerator<string> {
  const slice = new TimeSlice();
  for (const value of steps(text)) {
    if (value !== '') yield value;
    if (slice.isOver) await slice.next();
  }
}

/** Yields the values, and an empty text after each step that found none. */
function* steps(text: string): Generator<string> {
  const head = HEAD.exec(text);
  if (head === null) return yield text;
  let isName = head[1] !== undefined;
  // A space precedes each name and value, so the character after it begins one: a quote, or NULL.
  for (let at = head[0].length + 1; at < text.length;) {
    const isQuoted = text[at] === "'";
    const [value, end] = isQuoted ? yield* quoted(text, at + 1) : ['', endOfWord(text, at)];
    yield isName ? '' : value;
    isName = false;
    at = isQuoted ? end + 2 : end + 1;
  }
}

function endOfWord(text: string, from: number): number {
  const end = text.indexOf(' ', from);
  return end === -1 ? text.length : end;
}

/** Returns a quoted text, and the place of its closing quote: the length of a text that was cut off. */
function* quoted(text: string, from: number): Generator<'', [value: string, end: number]> {
  let value = '';
  for (let at = from; at < text.length;) {
    const part = text.slice(at, at + PART_LENGTH);
    const length = singleQuote(part) ?? part.length;
    value += part.slice(0, length).replaceAll("''", "'");
    at += length;
    // Another quote follows where the end of the part is between the two of a doubled one.
    if (length < part.length && text[at + 1] !== "'") return [value, at];
    yield '';
  }
  return [value, text.length];
}

/** Returns the place of the first quote that is not doubled within the part. */
function singleQuote(part: string): number | undefined {
  for (let at = part.indexOf("'"); at !== -1; at = part.indexOf("'", at + 2))
    if (part[at + 1] !== "'") return at;
  return undefined;
}
