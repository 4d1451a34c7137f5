import { SqlLexer } from './lexer';

/**
 * Maximum number of UTF-16 code units that are searched, which takes a millisecond or two. The beginning of a
 * dump is enough to recognize it.
 */
const SEARCHED = 64 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';
const AT_THE_PORT =
  "run the file with psql at the gateway's PostgreSQL port (`gateway psql <connection> -- -f <file>`)";

/** Offsets of the parts of a psql script that the server cannot read. */
interface Found {
  mark?: number;
  /** The first psql command: a backslash outside quotes and comments. */
  command?: { readonly name: string; readonly at: number };
  copy?: number;
}

/**
 * Returns advice for a script that only psql can read, because it contains psql commands (`\restrict`,
 * `\copy`), data after COPY FROM stdin, or a byte order mark. undefined if none of them is found. The advice
 * explains a refusal or an error; no decision depends on it.
 */
export function scriptHint(script: string): string | undefined {
  const text = script.slice(0, SEARCHED);
  if (!/[\\\uFEFF]|stdin/i.test(text)) return undefined;
  const { mark, command, copy } = foundIn(text);
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
  const hints: string[] = [];
  if (mark !== undefined)
    hints.push(`Line ${lineOf(mark)} begins with a byte order mark: save the script as UTF-8 without it.`);
  if (command !== undefined)
    hints.push(
      `\\${command.name} in line ${lineOf(command.at)} is a command of psql, not SQL: ${
        command.name === 'copy' ? '' : 'remove such lines, or '
      }${AT_THE_PORT}.`,
    );
  if (copy !== undefined)
    hints.push(
      `COPY … FROM stdin in line ${lineOf(copy)} takes its data from a client, and a script has none: use INSERT (pg_dump --inserts), or ${AT_THE_PORT}.`,
    );
  return hints.length === 0 ? undefined : hints.join(' ');
}

/** Searches a script. It stops at the data of a COPY, because the data is not SQL. */
function foundIn(text: string): Found {
  const lexer = new SqlLexer(text);
  const found: Found = {};
  /** Start of the current statement if it is a COPY; undefined for other statements. */
  let copy: number | undefined;
  let isStart = true;
  let previous = '';
  while (lexer.next()) {
    const { kind, start, end } = lexer;
    if (kind === 'space' || kind === 'comment') continue;
    const written = kind === 'other' || kind === 'name' ? text.slice(start, end) : '';
    if (written.startsWith(BYTE_ORDER_MARK)) found.mark ??= start;
    const word = written.replace(BYTE_ORDER_MARK, '').toLowerCase();
    if (word === '\\') {
      const name = /\S*/.exec(text.slice(end, end + 20))?.[0] ?? '';
      found.command ??= { name, at: start };
      // The rest of the line belongs to the command.
      const lineEnd = text.indexOf('\n', end);
      lexer.end = lineEnd < 0 ? text.length : lineEnd;
      isStart = true;
      continue;
    }
    if (isStart) copy = word === 'copy' ? start : undefined;
    if (copy !== undefined && word === 'stdin' && previous === 'from') return { ...found, copy };
    isStart = kind === 'semicolon';
    previous = word;
  }
  return found;
}
