import { ANY, type Word } from './word';
import type { Work } from './work';

/** Maximum number of groups in a word, and of words that it becomes. Others count as unknown. */
const MAX_GROUPS = 50;
const MAX_WORDS = 256;

// They stand for unquoted braces and commas, and for quotes with nothing in them. No text contains them,
// because half a surrogate pair is refused.
const [OPEN, COMMA, CLOSE, QUOTES] = ['\ud800', '\ud801', '\ud802', '\ud803'];
const MARKS: Readonly<Record<string, string>> = { '{': OPEN, ',': COMMA, '}': CLOSE };
const SEQUENCE = /^(?:-?\d+\.\.-?\d+|[A-Za-z]\.\.[A-Za-z])(?:\.\.-?\d+)?$/;

/**
 * Returns the words that Bash makes of a word with braces, such as `{rm,-rf,x}`; one unknown word if too
 * many.
 */
export function expandBraces(word: Word, work: Work): readonly Word[] {
  const { text, braces, emptyQuotes } = word;
  const groups = braces.filter((at) => text.charAt(at) === '{').length;
  const isList = braces.some((at) => text.charAt(at) === ',') || text.includes('..');
  if (groups === 0 || !isList) return [word];
  const count = groups > MAX_GROUPS ? Infinity : wordsOf(word);
  if (count > MAX_WORDS || !work.spend(count * (text.length + emptyQuotes.length))) return [unknown(word)];
  return expand(marked(word)).flatMap((each) => {
    // The shell drops words that are empty and have no quotes.
    if (each === '') return [];
    const plain = unmarked(each);
    const splits = word.splits || plain.includes(ANY);
    return { ...word, text: plain, braces: [], emptyQuotes: [], splits, variables: [] };
  });
}

/** Returns the text of a word with marks in place of its braces, commas and empty quotes. */
function marked({ text, braces, emptyQuotes }: Word): string {
  const marks = [
    ...braces.map((at) => ({ at, length: 1, mark: MARKS[text.charAt(at)] ?? '' })),
    ...emptyQuotes.map((at) => ({ at, length: 0, mark: QUOTES })),
  ];
  let all = '';
  let done = 0;
  // Quotes stand before the character at their offset.
  for (const { at, length, mark } of marks.sort((a, b) => a.at - b.at || a.length - b.length)) {
    all += text.slice(done, at) + mark;
    done = at + length;
  }
  return all + text.slice(done);
}

/**
 * Returns the number of words that a word becomes; infinite unless each brace is closed, and each pair has a
 * comma or a sequence in it. Bash has rules of its own for other braces.
 */
function wordsOf({ text, braces }: Word): number {
  /** For each open group: the words of its finished parts, and of the part that is read. */
  const open: { readonly at: number; parts: number; words: number }[] = [];
  let words = 1;
  for (const at of braces) {
    const mark = text.charAt(at);
    const group = open.at(-1);
    if (mark === '{') {
      open.push({ at, parts: 0, words });
      words = 1;
    } else if (mark === ',' && group !== undefined) {
      group.parts += words;
      words = 1;
    } else if (mark === '}') {
      const isList = group !== undefined && group.parts > 0;
      if (group === undefined || !(isList || SEQUENCE.test(text.slice(group.at + 1, at)))) return Infinity;
      open.pop();
      words = group.words * (group.parts + (isList ? words : 1));
    }
  }
  return open.length === 0 ? words : Infinity;
}

function unknown(word: Word): Word {
  return { ...word, text: ANY, braces: [], emptyQuotes: [], splits: true, variables: [] };
}

function unmarked(text: string): string {
  return text.replaceAll(OPEN, '{').replaceAll(COMMA, ',').replaceAll(CLOSE, '}').replaceAll(QUOTES, '');
}

function expand(text: string): string[] {
  for (let open = text.indexOf(OPEN); open !== -1; open = text.indexOf(OPEN, open + 1)) {
    const { parts, end } = groupAt(text, open);
    if (end === -1) continue;
    const inside = text.slice(open + 1, end);
    const middles = parts.length > 1 ? parts.flatMap(expand) : SEQUENCE.test(inside) ? [ANY] : undefined;
    if (middles === undefined) continue;
    const ends = expand(text.slice(end + 1));
    return middles.flatMap((middle) => ends.map((each) => text.slice(0, open) + middle + each));
  }
  return [text];
}

/** Returns the parts of the group that begins at `open`, and the offset of its closing brace, or -1. */
function groupAt(text: string, open: number): { readonly parts: string[]; readonly end: number } {
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === OPEN) depth += 1;
    else if (character === CLOSE) depth -= 1;
    if ((character === COMMA && depth === 1) || depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
    if (depth === 0) return { parts, end: at };
  }
  return { parts, end: -1 };
}
