/**
 * Number of positions of one word that a tsvector stores for a text. A phrase is found only at stored
 * positions.
 */
const STORED_PLACES = 255;
/**
 * Maximum number of words in a phrase. A search has at most 200 characters (`text-query.ts`), and a word
 * needs two: a letter and a gap.
 */
const PHRASE_WORDS = 100;
const MAX_ASCII = 0x7f;
const [A, Z, ZERO, NINE] = [0x61, 0x7a, 0x30, 0x39];
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Number of counters in `mayRepeat`. If two words share a counter, `mayRepeat` may return true without need,
 * which only costs time.
 */
const COUNTERS = 4_096;
const counters = new Uint16Array(COUNTERS);

interface Word {
  readonly word: string;
  readonly start: number;
}

/**
 * Returns parts of a text, which are indexed beside the whole text if it repeats a word more often than a
 * tsvector stores positions. No part repeats a word so often. Neighboring parts overlap by the longest
 * phrase, so each phrase is found in the whole text or in a part. The parts together have at most 2.6 times
 * the words of the text.
 */
export function phraseWindows(text: string): string[] {
  if (text.length < 2 * STORED_PLACES || !mayRepeat(text)) return [];
  const windows: string[] = [];
  let window: Word[] = [];
  let counts = new Map<string, number>();
  let start = 0;
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const word = found.toLowerCase();
    if (counts.get(word) === STORED_PLACES) {
      windows.push(text.slice(start, index));
      window = window.slice(1 - PHRASE_WORDS);
      start = window[0]?.start ?? index;
      counts = new Map();
      for (const kept of window) count(counts, kept.word);
    }
    window.push({ word, start: index });
    count(counts, word);
  }
  // Leaves out the first window, because the tsvector of the whole text has the same positions.
  return windows.length === 0 ? [] : [...windows.slice(1), text.slice(start)];
}

/**
 * Whether a text may repeat a word more often than a tsvector stores positions. Takes a tenth of the time of
 * counting the words, which matters for COPY data. True for a text that is not ASCII.
 */
function mayRepeat(text: string): boolean {
  counters.fill(0);
  let hash = 0;
  let isInWord = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code > MAX_ASCII) return true;
    const lower = code | 0x20;
    if ((lower >= A && lower <= Z) || (code >= ZERO && code <= NINE)) {
      hash = (hash * 31 + lower) | 0;
      isInWord = true;
    } else if (isInWord) {
      const counter = (hash ^ (hash >>> 12)) & (COUNTERS - 1);
      const times = (counters[counter] ?? 0) + 1;
      if (times > STORED_PLACES) return true;
      counters[counter] = times;
      hash = 0;
      isInWord = false;
    }
  }
  return false;
}

function count(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1);
}
