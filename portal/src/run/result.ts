import { harmlessCell } from '../../../src/sessions/reading/rendering/csv-text';
import type { components } from '../api/schema';
import { texts } from '../texts';

export type StatementResult = components['schemas']['ScriptResultView'];

/** The rows of a result, as cells; `null` is NULL. */
export interface ResultTable {
  /** Whether rows are missing, because the result is longer than the gateway returns to a page. */
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
 * Parses the output of one statement in the text format of COPY: a line of column names, then a line for each
 * row. Returns undefined, so that the output is shown as text, if a mask has broken this format, or if the
 * output ends within the column names or the first row.
 */
export function tableOf({ kind, output, truncated: isCut }: StatementResult): ResultTable | undefined {
  // A cut-off row is not shown, as it would look complete.
  const whole = isCut ? output.slice(0, output.lastIndexOf('\n') + 1) : output;
  if (kind !== 'rows' || whole === '') return undefined;
  const [header = '', ...rest] = whole.replace(/\n$/, '').split('\n');
  if (rest.length === 0 && whole !== output) return undefined;
  // A column name is never NULL.
  const columns = header.split('\t').map((name) => cellOf(name) ?? name);
  const rows = rest.map((line) => line.split('\t'));
  if (rows.some((row) => row.length !== columns.length)) return undefined;
  return { isCut, columns, rows: rows.map((row) => row.map(cellOf)) };
}

/** A part of the output of a script: a table, or text. */
export type ResultPart =
  | { readonly kind: 'table'; readonly table: ResultTable }
  | { readonly kind: 'text'; readonly text: string };

/**
 * The result of a script. Gateways of an older version, which run during an upgrade, do not send `results`.
 */
export interface ScriptOutput {
  readonly output: string;
  readonly results?: readonly StatementResult[];
}

/**
 * Returns one table for each statement with rows. The outputs of the statements between two tables are joined
 * to one text, as in a terminal.
 */
export function partsOf({ output, results }: ScriptOutput): readonly ResultPart[] {
  if (results === undefined) return output === '' ? [] : [{ kind: 'text', text: output }];
  const parts: ResultPart[] = [];
  let text = '';
  const endText = (): void => {
    if (text !== '') parts.push({ kind: 'text', text });
    text = '';
  };
  for (const result of results) {
    const table = tableOf(result);
    if (table === undefined) {
      text += result.output;
      continue;
    }
    endText();
    parts.push({ kind: 'table', table });
  }
  endText();
  return parts;
}

/** Decodes a cell. PostgreSQL documentation, COPY, "Text Format". */
function cellOf(text: string): string | null {
  if (text === '\\N') return null;
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\([^])/g, (_whole, letter: string) => ESCAPES[letter] ?? letter);
}

/**
 * Returns a table as CSV (RFC 4180), for copies and downloads. As in the gateway's own CSV, a cell that a
 * spreadsheet would run as a formula gets an apostrophe, and control characters become U+FFFD. If the result
 * is cut off, the last line states it, because readers of the copy do not see the page.
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
