import { harmlessCell } from '../../../src/kernel/csv-text';
import { texts } from '../texts';

/** The rows of a result, as cells; `null` is NULL. */
export interface ResultTable {
  /** Whether the result had more rows than a page gets. */
  readonly isCut: boolean;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * Reads the output of one statement in the text format of COPY: a line of names, then a line for each row. Returns undefined for output of
 * another form: that of several statements, messages, text that was cut off.
 */
export function tableOf(output: string, isCut = false): ResultTable | undefined {
  const lines = output.endsWith('\n') ? output.slice(0, -1).split('\n') : output.split('\n');
  const [header, ...rest] = lines;
  if (header === undefined || rest.length === 0) return undefined;
  // A name is never NULL.
  const columns = header.split('\t').map((name) => cellOf(name) ?? name);
  const rows = rest.map((line) => line.split('\t'));
  if (rows.some((row) => row.length !== columns.length)) return undefined;
  return { isCut, columns, rows: rows.map((row) => row.map(cellOf)) };
}

/** PostgreSQL documentation, COPY, "Text Format". */
function cellOf(text: string): string | null {
  if (text === '\\N') return null;
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\([^])/g, (_whole, letter: string) => ESCAPES[letter] ?? letter);
}

/**
 * The text that is copied and downloaded. RFC 4180, with the marks of the gateway's own csv: cells that a spreadsheet would run as formulas get an apostrophe, and nothing is hidden.
 * The first part of a result says in its last line that it is no more than that: a copy goes where nobody sees the page.
 */
export function csvOf({ isCut, columns, rows }: ResultTable): string {
  const lines = [columns, ...rows].map((row) => row.map(csvCell).join(','));
  return [...lines, ...(isCut ? [csvCell(texts.run.cutCopy(rows.length))] : [])].join('\r\n');
}

function csvCell(cell: string | null): string {
  if (cell === null) return '';
  const harmless = harmlessCell(cell);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
