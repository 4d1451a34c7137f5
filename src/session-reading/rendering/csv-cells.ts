import { stringify } from 'csv-stringify/sync';
import { parseRow, unescapeCell } from '../../kernel/tabular-text';

const OPTIONS = { quoted: true, quoted_empty: true, record_delimiter: 'windows' } as const;

/** Terminal escapes, NUL, and marks for the direction of text: with them a row can look like another one. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;

/** Any lines of tabular text as rows of RFC 4180. The first cells come before those of each line. */
export function csvRows(
  rows: readonly { readonly first: readonly string[]; readonly line: string }[],
): string {
  const cells = rows.map(({ first, line }) => [...first, ...parseRow(line).map(visible)]);
  return stringify(cells, { ...OPTIONS, escape_formulas: true });
}

/** A part of a cell, without quotes around it. `isFirst`: it is the beginning of the cell. */
export function csvPart(text: string, isFirst: boolean): string {
  const cell = stringify([[visible(unescapeCell(text))]], { ...OPTIONS, escape_formulas: isFirst });
  return cell.slice(1, -'"\r\n'.length);
}

function visible(cell: string): string {
  return cell.replaceAll(UNSEEN, '\uFFFD');
}
