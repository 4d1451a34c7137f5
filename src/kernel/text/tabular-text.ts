/**
 * Tabular results in the text format of PostgreSQL's COPY. Cells are separated by tabs, rows by line
 * feeds. Backslash, tab, line feed and carriage return are escaped, and `\N` is NULL, so that every result
 * can be parsed again.
 * Source: PostgreSQL documentation, COPY, "Text Format".
 */

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const plain: Readonly<Record<string, string>> = { '\\': '\\', t: '\t', n: '\n', r: '\r' };

/** Renders one row, with a line feed at its end. */
export function renderRow(cells: readonly (string | null)[]): string {
  return `${cells.map(renderCell).join('\t')}\n`;
}

export function renderCell(cell: string | null): string {
  if (cell === null) return '\\N';
  return /[\\\t\n\r]/.test(cell)
    ? cell.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)
    : cell;
}

/** Returns the cells of one line, given without its line feed. NULL becomes an empty cell. */
export function parseRow(line: string): string[] {
  return line.split('\t').map((cell) => (cell === '\\N' ? '' : unescapeCell(cell)));
}

/** Decodes a cell that is not NULL. Also accepts a part of a cell that does not end inside an escape. */
export function unescapeCell(cell: string): string {
  return cell.replaceAll(/\\([\\tnr])/g, (_, letter: string) => plain[letter] ?? letter);
}
