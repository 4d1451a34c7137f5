import { stringify } from 'csv-stringify/sync';
import { visibleCell } from './csv-text';
import { parseRow, unescapeCell } from '../../../kernel/text/tabular-text';

const OPTIONS = { quoted: true, quoted_empty: true, record_delimiter: 'windows' } as const;

/** Any lines of tabular text as rows of RFC 4180. The first cells come before those of each line. */
export function csvRows(
  rows: readonly { readonly first: readonly string[]; readonly line: string }[],
): string {
  const cells = rows.map(({ first, line }) => [...first, ...parseRow(line).map(visibleCell)]);
  return stringify(cells, { ...OPTIONS, escape_formulas: true });
}

/** A part of a cell, without quotes around it. `isFirst`: it is the beginning of the cell. */
export function csvPart(text: string, isFirst: boolean): string {
  const cell = stringify([[visibleCell(unescapeCell(text))]], { ...OPTIONS, escape_formulas: isFirst });
  return cell.slice(1, -'"\r\n'.length);
}
