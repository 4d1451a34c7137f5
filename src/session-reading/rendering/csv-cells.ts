import { stringify } from 'csv-stringify/sync';
import { parseRow, unescapeCell } from '../../kernel/tabular-text';

const OPTIONS = { quoted: true, quoted_empty: true, record_delimiter: 'windows' } as const;

/** Terminal escapes, NUL, and marks that turn the direction of text: they make a row look like another one. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;

/** Lines of tabular text as rows of RFC 4180, whatever they hold. The first cells are put before those of each line. */
export function csvRows(
  rows: readonly { readonly first: readonly string[]; readonly line: string }[],
): string {
  const cells = rows.map(({ first, line }) => [...first, ...parseRow(line).map(visible)]);
  return stringify(cells, { ...OPTIONS, escape_formulas: true });
}

/** A part of a cell, without quotes around it. `isFirst`: the cell begins with it. */
export function csvPart(text: string, isFirst: boolean): string {
  const cell = stringify([[visible(unescapeCell(text))]], { ...OPTIONS, escape_formulas: isFirst });
  return cell.slice(1, -'"\r\n'.length);
}

function visible(cell: string): string {
  return cell.replaceAll(UNSEEN, '\uFFFD');
}
