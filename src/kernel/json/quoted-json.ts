/** Number of UTF-16 code units that are read between two yields. */
const STEP = 16 * 1024;
const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const STRUCTURAL: ReadonlySet<string> = new Set('{[}],:');
const BARE = /^[^\s{}[\],:"]+/;
const SPACE = /[ \t\n\r]+/y;
/** Matches characters of a string that are no quote, backslash or control character. */
const IN_STRING = /[ !#-[\]-\u{10FFFF}]+/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Tokens that may follow. `…OrEnd` also allows the end of an empty array or object. `more` is a comma or a
 * closing bracket.
 */
type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'more' | 'nothing';

/** An object or array that is not closed yet. */
type Bracket = '{' | '[';

/**
 * Quotes each bare word of a JSON document, such as a masked number. Returns valid JSON unchanged, and
 * undefined if the result would not be JSON. It yields between steps, because a document may have 16 MiB
 * (see `atOnce`, `inSlices`). Duplicate names and halves of surrogate pairs in escapes stay, because
 * PostgreSQL's type json accepts them.
 */
export function* quotedJson(text: string): Generator<undefined, string | undefined> {
  return yield* scanned(text, true);
}

/** Checks in steps whether a text is JSON, as `JSON.parse` reads it. */
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

/** Returns the tokens that may follow a structural character; undefined if the character is not allowed. */
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
 * Returns the offset after the closing quote of the string whose content begins at `start`; undefined if the
 * string is not valid.
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

/** Returns the end of the bare word that begins at `start`; `start` itself if there is no word. */
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
