/** UTF-16 code units between two yields. */
const STEP = 16 * 1024;
const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const BARE = /^[^\s{}[\],:"]+/;
const SPACE = /[ \t\n\r]+/y;
/** No quote, backslash or control character. */
const IN_STRING = /[ !#-[\]-\u{10FFFF}]+/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * What may follow. `end`: a value, or the end of an empty array; `name`: a
 * name, or the end of an empty object.
 */
type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'more' | 'nothing';

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
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let done = 0;
  let yieldAt = STEP;
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'more');
  for (let at = 0; at < text.length;) {
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
      expected = takesValue ? afterValue() : 'colon';
    } else if (first === '{' || first === '[') {
      if (!takesValue) return undefined;
      open.push(first);
      expected = first === '{' ? 'nameOrEnd' : 'valueOrEnd';
    } else if (first === '}' || first === ']') {
      const isEmpty: boolean = expected === (first === '}' ? 'nameOrEnd' : 'valueOrEnd');
      if (!(isEmpty || expected === 'more') || open.pop() !== (first === '}' ? '{' : '[')) return undefined;
      expected = afterValue();
    } else if (first === ',') {
      if (expected !== 'more') return undefined;
      expected = open.at(-1) === '{' ? 'name' : 'value';
    } else if (first === ':') {
      if (expected !== 'colon') return undefined;
      expected = 'value';
    } else {
      at = yield* bareEnd(text, begin);
      if (!takesValue || at === begin) return undefined;
      const bare = text.slice(begin, at);
      if (!LITERAL.test(bare)) {
        if (!mayHaveWords) return undefined;
        parts.push(text.slice(done, begin), JSON.stringify(bare));
        done = at;
      }
      expected = afterValue();
    }
  }
  if (expected !== 'nothing') return undefined;
  return done === 0 ? text : [...parts, text.slice(done)].join('');
}

/** Where the string ends whose content begins at `start`, behind its quote; undefined where it is none. */
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

/** Where the word that begins there ends: at the same place where none does. */
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
