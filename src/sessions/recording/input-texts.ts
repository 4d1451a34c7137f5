import type { Draft } from './draft';
import { HEAD_BYTES, INPUT, LOWER_CASE, VALUES } from './event-codec';

/** Words are indexed in parts of this many characters: a tsvector tells no places beyond the 16 383rd word. */
const PART_CHARACTERS = 32 * 1024;

/**
 * Short inputs share a row of the index: a row for each costs ten times as much. No word can be in so many characters more often
 * than a tsvector tells places of it (256), so that `session_inputs` can tell the inputs apart again.
 */
const SHARED_CHARACTERS = 256;

/** The word between inputs that share a row; `session_inputs` knows it. */
const INPUT_ENDS = 'inputends';

/** What values are for was recorded, and is found, by itself. */
const VALUES_HEAD = /^\\bind(?:_named '(?:[^']|'')*')?(?= |$)/;

/**
 * What inputs say, in rows that the index can take; cut between words where there is a gap near the end. What is said
 * twice is found by one of them.
 */
export function textsOf(drafts: readonly Draft[]): string[] {
  const texts = new Set<string>();
  for (const text of inputsOf(drafts)) {
    for (let rest = text; rest !== '';) {
      const part = partOf(rest);
      texts.add(part);
      rest = rest.slice(part.length);
    }
  }
  return rowsOf(texts);
}

/** Texts as rows of the index, each by itself or with others. */
export function rowsOf(texts: Iterable<string>): string[] {
  const rows: string[] = [];
  let shared: string[] = [];
  let characters = 0;
  const close = (): void => {
    if (shared.length > 0) rows.push(shared.join(` ${INPUT_ENDS} `));
    shared = [];
    characters = 0;
  };
  for (const text of texts) {
    if (text.length > SHARED_CHARACTERS) {
      rows.push(text);
      continue;
    }
    if (characters + text.length > SHARED_CHARACTERS) close();
    shared.push(text.includes(INPUT_ENDS) ? text.replaceAll(INPUT_ENDS, ' ') : text);
    characters += text.length;
  }
  close();
  return rows;
}

function* inputsOf(drafts: readonly Draft[]): Generator<string> {
  let begun: Buffer[] = [];
  for (const { bytes } of drafts) {
    for (let at = 0; at < bytes.length;) {
      const letter = bytes.readUInt8(at + 8);
      const start = at + HEAD_BYTES;
      at = start + bytes.readUInt32LE(start - 4);
      const lower = letter | LOWER_CASE;
      if (lower !== INPUT && lower !== VALUES) continue;
      if (lower === letter && begun.length === 0) {
        const text = textOf(bytes.toString('utf8', start, at));
        yield lower === VALUES ? text.replace(VALUES_HEAD, '') : text;
        continue;
      }
      begun.push(bytes.subarray(start, at));
      if (lower !== letter) continue;
      yield textOf(Buffer.concat(begun).toString());
      begun = [];
    }
  }
}

/** PostgreSQL's text knows no NUL. */
function textOf(text: string): string {
  return text.replaceAll('\0', ' ');
}

const LONGEST_WORD = 1024;

function partOf(text: string): string {
  if (text.length <= PART_CHARACTERS) return text;
  const gap = text.slice(PART_CHARACTERS - LONGEST_WORD, PART_CHARACTERS).search(/\s\S*$/);
  return text.slice(0, gap === -1 ? PART_CHARACTERS : PART_CHARACTERS - LONGEST_WORD + gap + 1);
}
