import { setImmediate as othersTurn } from 'node:timers/promises';
import { StringDecoder } from 'node:string_decoder';
import { TimeSlice } from '../../kernel/async/time-slice';
import type { Draft } from './draft';
import { PIECE_HEAD_BYTES, INPUT, LOWER_CASE, VALUES } from './event-codec';
import { phraseWindows } from './phrase-windows';

/**
 * Length of the parts in which texts are indexed. A tsvector stores no word positions above 16 383, so a part
 * must not have more words. A word needs two characters: a letter and a gap.
 */
const PART_CHARACTERS = 32 * 1024;

/**
 * Maximum total length of short inputs that share a row of the index, because a row for each short input
 * would cost ten times as much. A tsvector stores at most 256 positions of a word. Texts of this length have
 * fewer words, so all positions are stored, and `session_inputs` can separate the inputs again.
 */
const SHARED_CHARACTERS = 256;

/**
 * Word that separates the inputs that share a row. The database function `session_inputs` searches for it.
 */
const INPUT_ENDS = 'inputends';
/**
 * Word that marks an index row that contains only a part of an input (see `phraseWindows`). Another row
 * contains the whole input. Searches with exclusions ignore the marked rows, because an exclusion is about
 * the whole input.
 */
export const INPUT_GOES_ON = 'inputgoeson';
/**
 * Matches every spelling that PostgreSQL may fold to `inputends` or `inputgoeson`, so that no client can
 * insert these words.
 */
const SPELLED_MARKS = /[iıİ]nput(?:end[sſ]|goe[sſ]on)/giu;

/**
 * Matches the beginning of an input that contains bound values (`\bind`). This beginning is not indexed,
 * because its command was recorded and indexed before.
 */
const VALUES_HEAD = /^\\bind(?:_named '(?:[^']|'')*')?(?= |$)/;

/**
 * Returns the texts of inputs for the full-text index, in parts. A text is cut between words if there is a
 * gap near the end of a part. Repeated texts are indexed once. Yields to the event loop between the drafts of
 * a large input, and between its rows.
 */
export async function textsOf(drafts: readonly Draft[]): Promise<string[]> {
  const texts = new Set<string>();
  const begun = new BegunInput(texts);
  for (const draft of drafts) {
    readInputs(draft, texts, begun);
    if (draft.isOpenEnded) await othersTurn();
  }
  const rows: string[] = [];
  const slice = new TimeSlice();
  for (const row of rowsOf(texts)) {
    rows.push(row);
    if (slice.isOver) await slice.next();
  }
  return rows;
}

/**
 * Combines texts into rows of the full-text index. Short texts share a row. A text that repeats a word very
 * often gets several rows.
 */
export function* rowsOf(texts: Iterable<string>): Generator<string> {
  let shared: string[] = [];
  let characters = 0;
  for (const given of texts) {
    const text = given.replace(SPELLED_MARKS, ' ');
    if (given.length > SHARED_CHARACTERS) {
      yield text;
      for (const part of phraseWindows(text)) yield `${part} ${INPUT_GOES_ON}`;
      continue;
    }
    if (characters + text.length > SHARED_CHARACTERS) {
      if (shared.length > 0) yield sharedRow(shared);
      shared = [];
      characters = 0;
    }
    shared.push(text);
    characters += text.length;
  }
  if (shared.length > 0) yield sharedRow(shared);
}

function sharedRow(texts: readonly string[]): string {
  return texts.join(` ${INPUT_ENDS} `);
}

/** An input that continues over several drafts. At most one part of it is held in memory. */
class BegunInput {
  private decoder: StringDecoder | undefined;
  private rest = '';

  constructor(private readonly texts: Set<string>) {}

  get isThere(): boolean {
    return this.decoder !== undefined;
  }

  add(bytes: Buffer): void {
    this.decoder ??= new StringDecoder();
    this.rest = addParts(this.rest + textOf(this.decoder.write(bytes)), this.texts);
  }

  end(bytes: Buffer): void {
    this.add(bytes);
    const rest = this.rest + (this.decoder?.end() ?? '');
    if (rest !== '') this.texts.add(rest);
    this.decoder = undefined;
    this.rest = '';
  }
}

function readInputs({ bytes }: Draft, texts: Set<string>, begun: BegunInput): void {
  for (let at = 0; at < bytes.length;) {
    const letter = bytes.readUInt8(at + 8);
    const start = at + PIECE_HEAD_BYTES;
    at = start + bytes.readUInt32LE(start - 4);
    const lower = letter | LOWER_CASE;
    if (lower !== INPUT && lower !== VALUES) continue;
    if (lower !== letter) begun.add(bytes.subarray(start, at));
    else if (begun.isThere) begun.end(bytes.subarray(start, at));
    else {
      const text = textOf(bytes.toString('utf8', start, at));
      const rest = addParts(lower === VALUES ? text.replace(VALUES_HEAD, '') : text, texts);
      if (rest !== '') texts.add(rest);
    }
  }
}

/** Adds all full parts of a text to `texts`. Returns the rest of the text. */
function addParts(text: string, texts: Set<string>): string {
  let rest = text;
  while (rest.length > PART_CHARACTERS) {
    const part = partOf(rest);
    texts.add(part);
    rest = rest.slice(part.length);
  }
  return rest;
}

/**
 * Share of characters of a text that may be no UTF-8. Western text in another encoding has fewer; compressed
 * and encrypted bytes have twice as many.
 */
const UNREADABLE_SHARE = 0.25;
/** Characters in a row that can be read: as many as `strings` (GNU Binutils) asks for, with line feeds. */
const READABLE = /(?:[^\p{Cc}\u{fffd}]|[\t\n\r]){4,}/gu;

/**
 * Returns what of a text is indexed: of bytes that are no text, the texts within them, because random bytes
 * have as many short words as a language. NUL is replaced, which PostgreSQL cannot store in text.
 */
function textOf(text: string): string {
  const unreadable = text.split('\ufffd').length - 1;
  if (unreadable > text.length * UNREADABLE_SHARE) return (text.match(READABLE) ?? []).join(' ');
  return text.replaceAll('\0', ' ');
}

const LONGEST_WORD = 1024;

function partOf(text: string): string {
  const gap = text.slice(PART_CHARACTERS - LONGEST_WORD, PART_CHARACTERS).search(/\s\S*$/);
  return text.slice(0, gap === -1 ? PART_CHARACTERS : PART_CHARACTERS - LONGEST_WORD + gap + 1);
}
