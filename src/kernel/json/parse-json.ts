const QUOTE = '"';
const BACKSLASH = '\\';

/**
 * Parses the text like `JSON.parse`, for values with names that others chose; SyntaxError for no JSON.
 *
 * V8 13.6 (Node.js 24) misreads names with escapes: when it has read an object with the name `a\` before, it
 * takes `"a\n"` for that name. Here the names of such a text are read as strings, which V8 reads rightly.
 * Texts without a backslash cost nothing more. `revived` makes another value of each one, innermost first.
 */
export function parseJson(text: string, revived?: (value: unknown) => unknown): unknown {
  const reviver = revived && ((_name: string, value: unknown) => revived(value));
  if (!text.includes(BACKSLASH)) return JSON.parse(text, reviver);
  const { names, numbered } = withNumbers(text);
  return numbered === undefined ? JSON.parse(text, reviver) : named(JSON.parse(numbered, reviver), names);
}

interface NumberedNames {
  readonly names: readonly string[];
  /** The text with the index of each name in its place; undefined where no name has an escape. */
  readonly numbered?: string;
}

function withNumbers(text: string): NumberedNames {
  const names: string[] = [];
  let hasEscapes = false;
  let numbered = '';
  let from = 0;
  for (let begin = text.indexOf(QUOTE); begin !== -1;) {
    const end = endOfString(text, begin);
    // No JSON: `JSON.parse` reports the fault.
    if (end === -1) return { names };
    if (isName(text, end + 1)) {
      const written = text.slice(begin, end + 1);
      hasEscapes ||= written.includes(BACKSLASH);
      numbered += `${text.slice(from, begin)}"${names.length}"`;
      names.push(JSON.parse(written) as string);
      from = end + 1;
    }
    begin = text.indexOf(QUOTE, end + 1);
  }
  return hasEscapes ? { names, numbered: numbered + text.slice(from) } : { names };
}

/** Returns the end of the string that begins there; -1 where the string does not end. */
function endOfString(text: string, begin: number): number {
  for (let at = text.indexOf(QUOTE, begin + 1); at !== -1; at = text.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (text.charAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

function isName(text: string, after: number): boolean {
  let at = after;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === ':';
}

function named(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, names));
  if (typeof value !== 'object' || value === null) return value;
  // Own fields, also for the name `__proto__`, as `JSON.parse` makes them.
  return Object.fromEntries(Object.entries(value).map(([at, it]) => [names[Number(at)], named(it, names)]));
}

/** A copy of the value as JSON has it: dates as texts, and without what JSON has no place for. */
export function plainJson(value: object): unknown {
  return parseJson(JSON.stringify(value));
}
