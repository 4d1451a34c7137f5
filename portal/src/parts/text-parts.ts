const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** UTF-16 code units to search for the border of a grapheme (visible character). Longer ones are rare. */
const LONGEST_GRAPHEME = 512;

/**
 * Returns the last position up to `place` where a text can be cut: not within an emoji, and not between a
 * letter and its combining marks.
 */
export function cutAt(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const from = Math.max(0, place - LONGEST_GRAPHEME);
  const around = text.slice(from, place + LONGEST_GRAPHEME);
  const { index, segment } = GRAPHEMES.segment(around).containing(place - from) ?? { index: 0, segment: '' };
  // Cut at the start of the grapheme. If the grapheme is too long to find its start, cut at `place`.
  if (index > 0 || (from === 0 && segment.length < LONGEST_GRAPHEME)) return from + index;
  return isWithinPair(text, place) ? place - 1 : place;
}

/** Returns the beginning of a text: at most `characters` characters, and “…” if the text was cut. */
export function beginningOf(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, cutAt(text, characters))}…`;
}

/** Approximate length of a part, in characters. */
const PART = 32 * 1024;

/**
 * Splits a text into parts, at line ends if possible, so that a browser lays out only the visible parts.
 */
export function partsOf(text: string): readonly string[] {
  if (text.length <= PART) return [text];
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const line = text.lastIndexOf('\n', from + PART);
    const to = text.length - from <= PART ? text.length : line > from ? line + 1 : cutAt(text, from + PART);
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

/** Counts the lines of a part. A line break at the end does not start another line. */
export function linesIn(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function isWithinPair(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff;
}
