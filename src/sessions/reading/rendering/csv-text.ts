/** Terminal escapes, NUL, and marks for the direction of text: with them a row can look like another one. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;
/** Characters that spreadsheets take for the beginning of a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** A cell of csv as it is read by people. */
export function visibleCell(cell: string): string {
  return cell.replaceAll(UNSEEN, '\uFFFD');
}

/** The same, which no spreadsheet runs. */
export function harmlessCell(cell: string): string {
  const visible = visibleCell(cell);
  return FORMULA.test(visible) ? `'${visible}` : visible;
}
