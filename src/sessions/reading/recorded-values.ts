import { TimeSlice } from '../../kernel/async/time-slice';

/** Matches the beginning of the recorded values of a command, which have the form of psql's `\bind`. */
const HEAD = /^\\bind(_named)?(?= |$)/;

/** Number of characters of a value that are read in one step. */
const PART_LENGTH = 64 * 1024;

/**
 * Yields the values of a recorded input: each bound value alone, or the rows of a COPY unchanged. Binary
 * values are yielded as they were recorded, although the gate judged them in PostgreSQL's text form. Reads in
 * time slices, because an input may have millions of values, or one value of 64 MiB.
 */
export async function* valuesIn(text: string): AsyncGenerator<string> {
  const slice = new TimeSlice();
  for (const value of steps(text)) {
    if (value !== '') yield value;
    if (slice.isOver) await slice.next();
  }
}

/**
 * Yields the values. Yields an empty text after each step without a value, so that the time slice can end.
 */
function* steps(text: string): Generator<string> {
  const head = HEAD.exec(text);
  if (head === null) return yield text;
  let isName = head[1] !== undefined;
  // A space precedes each name and value. The character after the space is a quote, or begins NULL.
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

/**
 * Returns the unquoted value and the offset of its closing quote, or the text length if there is no such
 * quote.
 */
function* quoted(text: string, from: number): Generator<'', [value: string, end: number]> {
  let value = '';
  for (let at = from; at < text.length;) {
    const part = text.slice(at, at + PART_LENGTH);
    const length = singleQuote(part) ?? part.length;
    value += part.slice(0, length).replaceAll("''", "'");
    at += length;
    // If the part ends within a doubled quote, the next character is a quote too, and the value continues.
    if (length < part.length && text[at + 1] !== "'") return [value, at];
    yield '';
  }
  return [value, text.length];
}

/** Returns the offset of the first quote that is not doubled within the part. */
function singleQuote(part: string): number | undefined {
  for (let at = part.indexOf("'"); at !== -1; at = part.indexOf("'", at + 2))
    if (part[at + 1] !== "'") return at;
  return undefined;
}
