/** UTF-16 code units between two yields. */
const STEP = 16 * 1024;
const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const STRUCTURAL: ReadonlySet<string> = new Set('{[}],:');
const BARE = /^[^\s{}[\],:"]+/;
const SPACE = /[ \t\n\r]+/y;
/** No quote, backslash or control character. */
const IN_STRING = /[ !#-[\]-\u{10FFFF}]+/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Tokens that may follow. `end`: a value, or the end of an empty array; `name`: a name, or the end of an
 * empty object.
 */
type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'more' | 'nothing';

/** An object or array that is not closed yet. */
type Bracket = '{' | '[';

/**
 * Writes each bare word of a JSON document as a string, such as a masked number. Returns JSON unchanged, and
 * undefined where the result would be no JSON. It yields between steps, because a document may have 16 MiB
 * (see `atOnce`, `inSlices`). Duplicate names and halves of surrogate pairs in escapes stay, because the
 * type json of PostgreSQL holds them.
 */
export function* quotedJson(text: string): Generator<undefined, string | undefined> {
  return yield* scanned(text, true);
}

/** Whether a text is JSON, as `JSON.parse` reads it; in steps. */
export function* isJsonInSteps(text: string): Generator<undefined, boolean> {
  return (yield* scanned(text, false)) !== undefined;
}

function* scanned(text: string, mayHaveWords: boolean): Generator<undefined, string | undefined> {
  const parts: string[] = [];
  const open: Bracket[] = [];
  let expected: Expected | undefined = 'value';
  let done = 0;
  let yieldAt = STEP;
  for (let at = 0; at < text.length && expected !== undefined;) {
    if (at >= yieldAt) {
      yield;
      yieldAt = at + STEP;
    }
    const begin = at;
    const first = text[at] as string;
    const takesValue: boolean = expected === 'value' || expected === 'valueOrEnd';
    at = endOf(SPACE, text, at);
    if (at > begin) continue;
    at = begin + 1;
    if (first === '"') {
      const end: number | undefined = yield* stringEnd(text, at);
      if (end === undefined || !(takesValue || expected === 'name' || expected === 'nameOrEnd'))
        return undefined;
      at = end;
      expected = takesValue ? afterValue(open) : 'colon';
    } else if (STRUCTURAL.has(first)) {
      expected = afterStructural(first, expected, open);
    } else {
      at = yield* bareEnd(text, begin);
      if (!takesValue || at === begin) return undefined;
      const bare = text.slice(begin, at);
      if (!LITERAL.test(bare)) {
        if (!mayHaveWords) return undefined;
        parts.push(text.slice(done, begin), JSON.stringify(bare));
        done = at;
      }
      expected = afterValue(open);
    }
  }
  if (expected !== 'nothing') return undefined;
  return done === 0 ? text : [...parts, text.slice(done)].join('');
}

function afterValue(open: readonly Bracket[]): Expected {
  return open.length === 0 ? 'nothing' : 'more';
}

/** Returns the tokens that may follow a structural character; undefined where it must not stand. */
function afterStructural(character: string, expected: Expected, open: Bracket[]): Expected | undefined {
  switch (character) {
    case '{':
    case '[':
      if (expected !== 'value' && expected !== 'valueOrEnd') return undefined;
      open.push(character);
      return character === '{' ? 'nameOrEnd' : 'valueOrEnd';
    case '}':
    case ']': {
      const isEmpty = expected === (character === '}' ? 'nameOrEnd' : 'valueOrEnd');
      if (!(isEmpty || expected === 'more') || open.pop() !== (character === '}' ? '{' : '['))
        return undefined;
      return afterValue(open);
    }
    case ',':
      if (expected !== 'more') return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    default:
      return expected === 'colon' ? 'value' : undefined;
  }
}

/**
 * Returns the end, behind its quote, of the string whose content begins at `start`; undefined where it is
 * none.
 */
function* stringEnd(text: string, start: number): Generator<undefined, number | undefined> {
  let yieldAt = start + STEP;
  for (let at = start; at < text.length;) {
    if (at >= yieldAt) {
      yield;
      yieldAt = at + STEP;
    }
    if (text[at] === '"') return at + 1;
    const end = endOf(text[at] === '\\' ? ESCAPE : IN_STRING, text, at);
    if (end === at) return undefined;
    at = end;
  }
  return undefined;
}

/** Returns the end of the word that begins there: the same place where there is no word. */
function* bareEnd(text: string, start: number): Generator<undefined, number> {
  for (let at = start; ; yield) {
    const { length } = BARE.exec(text.slice(at, at + STEP))?.[0] ?? '';
    at += length;
    if (length < STEP) return at;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
