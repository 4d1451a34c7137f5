/** Matches terminal escapes, NUL and bidirectional controls, which can make a row look like another one. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;
/** Matches a first character that a spreadsheet treats as the beginning of a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** Replaces the invisible characters of a cell with U+FFFD. */
export function visibleCell(cell: string): string {
  return cell.replaceAll(UNSEEN, '\uFFFD');
}

/** Like `visibleCell`, but no spreadsheet executes the result as a formula. */
export function harmlessCell(cell: string): string {
  const visible = visibleCell(cell);
  return FORMULA.test(visible) ? `'${visible}` : visible;
}
