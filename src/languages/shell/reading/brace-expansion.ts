import { ANY, type Word } from './word';

/** Maximum number of groups in a word, and of words that it becomes. Others count as unknown. */
const MAX_GROUPS = 50;
const MAX_WORDS = 256;
/** The words together may have twice as many characters as the word, and so many more. */
const MAX_ADDED = 4_096;

// They stand for unquoted braces and commas. No text contains them, because half a surrogate pair is refused.
const [OPEN, COMMA, CLOSE] = ['\ud800', '\ud801', '\ud802'];
const MARKS: Readonly<Record<string, string>> = { '{': OPEN, ',': COMMA, '}': CLOSE };
const SEQUENCE = /^(?:-?\d+\.\.-?\d+|[A-Za-z]\.\.[A-Za-z])(?:\.\.-?\d+)?$/;

/** Returns the words that Bash makes of a word with braces, such as `{rm,-rf,x}`. */
export function expandBraces(word: Word): readonly Word[] {
  const { text, braces } = word;
  const groups = braces.filter((at) => text.charAt(at) === '{').length;
  const isList = braces.some((at) => text.charAt(at) === ',') || text.includes('..');
  if (groups === 0 || !isList) return [word];
  if (groups > MAX_GROUPS || !isRegular(word)) return [unknown(word)];
  let marked = '';
  let done = 0;
  for (const at of braces) {
    marked += text.slice(done, at) + (MARKS[text.charAt(at)] ?? '');
    done = at + 1;
  }
  const expanded = expand(marked + text.slice(done));
  const length = expanded?.reduce((sum, each) => sum + each.length, 0) ?? Infinity;
  if (expanded === undefined || length > 2 * text.length + MAX_ADDED) return [unknown(word)];
  return expanded.flatMap((each) => {
    const plain = unmarked(each);
    // The shell drops words that are empty and have no quotes.
    if (plain === '' && word.bare === text.length) return [];
    return { ...word, text: plain, braces: [], splits: word.splits || plain.includes(ANY) };
  });
}

/**
 * Whether each brace is closed, and each pair has a comma or a sequence in it. Bash has rules of its own for
 * other braces.
 */
function isRegular({ text, braces }: Word): boolean {
  const open: { readonly at: number; commas: number }[] = [];
  for (const at of braces) {
    const mark = text.charAt(at);
    const last = open.at(-1);
    if (mark === '{') open.push({ at, commas: 0 });
    else if (mark === ',' && last !== undefined) last.commas += 1;
    else if (mark === '}') {
      const group = open.pop();
      if (group === undefined || (group.commas === 0 && !SEQUENCE.test(text.slice(group.at + 1, at))))
        return false;
    }
  }
  return open.length === 0;
}

function unknown(word: Word): Word {
  return { ...word, text: ANY, braces: [], splits: true };
}

function unmarked(text: string): string {
  return text.replaceAll(OPEN, '{').replaceAll(COMMA, ',').replaceAll(CLOSE, '}');
}

/** @returns undefined if there are too many words */
function expand(text: string): string[] | undefined {
  for (let open = text.indexOf(OPEN); open !== -1; open = text.indexOf(OPEN, open + 1)) {
    const { parts, end } = groupAt(text, open);
    if (end === -1) continue;
    const inside = text.slice(open + 1, end);
    const middles = parts.length > 1 ? expandAll(parts) : SEQUENCE.test(inside) ? [ANY] : undefined;
    if (parts.length > 1 && middles === undefined) return undefined;
    if (middles === undefined) continue;
    const ends = expand(text.slice(end + 1));
    if (ends === undefined || ends.length * middles.length > MAX_WORDS) return undefined;
    return middles.flatMap((middle) => ends.map((each) => text.slice(0, open) + middle + each));
  }
  return [text];
}

function expandAll(parts: readonly string[]): string[] | undefined {
  const all: string[] = [];
  for (const part of parts) {
    const words = expand(part);
    if (words === undefined || all.length + words.length > MAX_WORDS) return undefined;
    all.push(...words);
  }
  return all;
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
