/** A piece of a text: visible text, or one hidden character. */
export interface Piece {
  readonly text: string;
  readonly isHidden: boolean;
}

/**
 * Matches characters that are invisible or change how the text around them looks: control characters, line
 * separators, direction marks (Unicode Standard Annex 9), characters without width, halves of surrogate
 * pairs. Tabs and line feeds are not included.
 */
const HIDDEN =
  // U+2800 is a letter of braille without dots.
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}|\p{Surrogate}/gu;

/**
 * An emoji with the characters that set its appearance (Unicode Technical Standard 51, “emoji zwj element”).
 */
const EMOJI = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?`;
/** The flags of England, Scotland and Wales. Only machines can read other sequences of tag characters. */
const FLAG = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;
const KEYCAP = String.raw`[0-9#*]\ufe0f\u20e3`;
/** Matches a whole emoji, whose hidden characters are legitimate, or captures one other hidden character. */
const WHOLE = new RegExp(`(?:${FLAG}|${KEYCAP}|${EMOJI}(?:\\u200d${EMOJI})*)|(${HIDDEN.source})`, 'gu');

/** Splits a text so that hidden characters can be marked. A text without hidden characters is one piece. */
export function shownPieces(text: string): readonly Piece[] {
  if (text.search(HIDDEN) === -1) return [{ text, isHidden: false }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 1: hidden } of text.matchAll(WHOLE)) {
    if (hidden === undefined) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), isHidden: false });
    pieces.push({ text: hidden, isHidden: true });
    from = index + hidden.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isHidden: false });
  return pieces;
}

/** The name of a character: `U+202E`. */
export function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Replaces hidden characters by their names. It is used in window titles and hints, where hidden characters
 * cannot be marked in another way.
 */
export function withNames(text: string): string {
  return shownPieces(text)
    .map((piece) => (piece.isHidden ? nameOf(piece.text) : piece.text))
    .join('');
}
