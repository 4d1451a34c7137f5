import { stringify } from 'csv-stringify/sync';
import { visibleCell } from './csv-text';
import { parseRow, unescapeCell } from '../../../kernel/text/tabular-text';

const OPTIONS = { quoted: true, quoted_empty: true, record_delimiter: 'windows' } as const;

/** Converts lines of tabular text to rows of RFC 4180. The cells of `first` precede the cells of the line. */
export function csvRows(
  rows: readonly { readonly first: readonly string[]; readonly line: string }[],
): string {
  const cells = rows.map(({ first, line }) => [...first, ...parseRow(line).map(visibleCell)]);
  return stringify(cells, { ...OPTIONS, escape_formulas: true });
}

/** Returns a part of a cell without the quotes around the cell. `isFirst`: the part begins the cell. */
export function csvPart(text: string, isFirst: boolean): string {
  const cell = stringify([[visibleCell(unescapeCell(text))]], { ...OPTIONS, escape_formulas: isFirst });
  return cell.slice(1, -'"\r\n'.length);
}
