const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** UTF-16 code units. Few things that are seen as one have more. */
const LONGEST_GRAPHEME = 512;

/**
 * Last position at or before `place` where a text can be cut: not within an emoji, nor between a letter and
 * its marks.
 */
export function cutAt(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const from = Math.max(0, place - LONGEST_GRAPHEME);
  const around = text.slice(from, place + LONGEST_GRAPHEME);
  const { index, segment } = GRAPHEMES.segment(around).containing(place - from) ?? { index: 0, segment: '' };
  // One that begins before what was looked at may be of any length.
  if (index > 0 || (from === 0 && segment.length < LONGEST_GRAPHEME)) return from + index;
  return isWithinPair(text, place) ? place - 1 : place;
}

/** The beginning of a text: at most so many characters, and a mark where it was cut. */
export function beginningOf(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, cutAt(text, characters))}…`;
}

/** Characters of a part, more or less. */
const PART = 32 * 1024;

/**
 * Takes a text apart, at the ends of lines where there are any: a browser lays out the parts in sight alone.
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

/** Number of lines in a part. A line break at its end begins none. */
export function linesIn(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function isWithinPair(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff;
}
