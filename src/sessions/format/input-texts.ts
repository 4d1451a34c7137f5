import { setImmediate as othersTurn } from 'node:timers/promises';
import { StringDecoder } from 'node:string_decoder';
import type { Draft } from './draft';
import { PIECE_HEAD_BYTES, INPUT, LOWER_CASE, VALUES } from './event-codec';

/**
 * Texts are indexed in parts of this many characters, because a tsvector has
 * no positions beyond the 16 383rd word.
 */
const PART_CHARACTERS = 32 * 1024;

/**
 * Inputs up to this length share a row of the index: a row for each would cost ten times as much. No word can
 * occur in so many characters more often than a tsvector stores positions of it (256), so `session_inputs`
 * can separate the inputs again.
 */
const SHARED_CHARACTERS = 256;

/** Separator word between inputs that share a row; `session_inputs` knows it. */
const INPUT_ENDS = 'inputends';

/** The command of a \bind was recorded before and is indexed by itself. */
const VALUES_HEAD = /^\\bind(?:_named '(?:[^']|'')*')?(?= |$)/;

/**
 * The texts of inputs for the index, in parts, cut between words where there is a gap near the end. Repeated
 * texts are indexed once. Between two drafts of a large input the event loop turns.
 */
export async function textsOf(drafts: readonly Draft[]): Promise<string[]> {
  const texts = new Set<string>();
  const begun = new BegunInput(texts);
  for (const draft of drafts) {
    readInputs(draft, texts, begun);
    if (draft.isOpenEnded) await othersTurn();
  }
  return rowsOf(texts);
}

/** Combines texts into rows of the index; short ones share a row. */
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

/** An input across several drafts, of which at most one part is held in memory. */
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

/** Adds the parts of a text longer than one part; returns the rest. */
function addParts(text: string, texts: Set<string>): string {
  let rest = text;
  while (rest.length > PART_CHARACTERS) {
    const part = partOf(rest);
    texts.add(part);
    rest = rest.slice(part.length);
  }
  return rest;
}

/** PostgreSQL cannot store NUL in text. */
function textOf(text: string): string {
  return text.replaceAll('\0', ' ');
}

const LONGEST_WORD = 1024;

function partOf(text: string): string {
  const gap = text.slice(PART_CHARACTERS - LONGEST_WORD, PART_CHARACTERS).search(/\s\S*$/);
  return text.slice(0, gap === -1 ? PART_CHARACTERS : PART_CHARACTERS - LONGEST_WORD + gap + 1);
}
