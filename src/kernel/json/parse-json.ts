const QUOTE = '"';
const BACKSLASH = '\\';

/**
 * Parses JSON like `JSON.parse`, and is safe for object names that other people choose. Throws SyntaxError
 * for a text that is not JSON.
 *
 * V8 13.6 (Node.js 24) misreads names with escapes: after an object with the name `a\`, it reads the name
 * `"a\n"` as `a\`. Therefore the names of such a text are parsed as separate strings, which V8 reads
 * correctly. Texts without a backslash have no extra cost. `revived` replaces each value, innermost first.
 */
export function parseJson(text: string, revived?: (value: unknown) => unknown): unknown {
  const reviver = revived && ((_name: string, value: unknown) => revived(value));
  if (!text.includes(BACKSLASH)) return JSON.parse(text, reviver);
  const { names, numbered } = withNumbers(text);
  return numbered === undefined ? JSON.parse(text, reviver) : named(JSON.parse(numbered, reviver), names);
}

interface NumberedNames {
  readonly names: readonly string[];
  /** The text with each name replaced by its index; undefined if no name has an escape. */
  readonly numbered?: string;
}

function withNumbers(text: string): NumberedNames {
  const names: string[] = [];
  let hasEscapes = false;
  let numbered = '';
  let from = 0;
  for (let begin = text.indexOf(QUOTE); begin !== -1;) {
    const end = endOfString(text, begin);
    // The text is not JSON. `JSON.parse` reports the fault.
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

/** Returns the offset of the closing quote of the string that starts at `begin`; -1 if it is not closed. */
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
  // Creates own properties, even for the name `__proto__`, as `JSON.parse` does.
  return Object.fromEntries(Object.entries(value).map(([at, it]) => [names[Number(at)], named(it, names)]));
}

/** Copies a value as JSON represents it: dates become strings, and fields without a JSON form are omitted. */
export function plainJson(value: object): unknown {
  return parseJson(JSON.stringify(value));
}
