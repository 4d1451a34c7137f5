import type { Draft } from './draft';
import { HEAD_BYTES, INPUT, LOWER_CASE, VALUES } from './event-codec';

/** Words are indexed in parts of this many characters: a tsvector tells no places beyond the 16 383rd word. */
const PART_CHARACTERS = 32 * 1024;

/**
 * What inputs say, in parts that the index can take; cut between words where there is a gap near the end. What is said
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
  return [...texts];
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
        yield textOf(bytes.toString('utf8', start, at));
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
