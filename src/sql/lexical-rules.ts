/** The parts of PostgreSQL's lexical rules that need no state. Each function returns the offset where its piece ends. */

/** Per ASCII character: 1 begins a name, 2 is a digit, 3 is `$`, which only goes on in a name. Above ASCII: all 1. */
const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (/[a-z_]/i.test(String.fromCharCode(code))) classes[code] = 1;
}
classes.fill(2, 48, 58);
classes[36] = 3;

export function isNameStart(code: number): boolean {
  return code >= 128 || classes[code] === 1;
}

export function isDigit(code: number): boolean {
  return classes[code] === 2;
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

export function skipName(source: string, from: number): number {
  let at = from;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code < 128 && classes[code] === 0) break;
    at++;
  }
  return at;
}

/** Like a name, but without `$`. */
export function skipDollarTag(source: string, from: number): number {
  let at = from;
  if (!isNameStart(source.charCodeAt(at))) return at;
  while (isNameStart(source.charCodeAt(at)) || isDigit(source.charCodeAt(at))) at++;
  return at;
}

export function skipDigits(source: string, from: number): number {
  let at = from;
  while (isDigit(source.charCodeAt(at))) at++;
  return at;
}

export function skipSpace(source: string, from: number): number {
  let at = from;
  while (isSpace(source.charCodeAt(at))) at++;
  return at;
}

/** `from` itself where no comment begins. */
export function skipComment(source: string, from: number): number {
  if (source.startsWith('--', from)) {
    lineEnd.lastIndex = from;
    return lineEnd.test(source) ? lineEnd.lastIndex - 1 : source.length;
  }
  return source.startsWith('/*', from) ? skipBlockComment(source, from + 2) : from;
}

const lineEnd = /[\n\r]/g;

function skipBlockComment(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 42 && source.charCodeAt(at + 1) === 47) {
      at++;
      if (--depth === 0) return at + 1;
    } else if (code === 47 && source.charCodeAt(at + 1) === 42) {
      at++;
      depth++;
    }
  }
  return source.length;
}

/** Skips white space and comments. */
export function skipBlank(source: string, from: number): number {
  let at = from;
  for (;;) {
    const end = skipComment(source, skipSpace(source, at));
    if (end === at) return at;
    at = end;
  }
}

/** `1..10` is a number, two dots, a number. */
export function skipNumber(source: string, from: number): number {
  numberRule.lastIndex = from;
  return numberRule.test(source) ? numberRule.lastIndex : from + 1;
}

const digits = '[0-9](?:_?[0-9])*';
const numberRule = new RegExp(
  `0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+` +
    `|(?:${digits}(?:\\.(?!\\.)(?:${digits})?)?|\\.${digits})(?:[eE][+-]?${digits})?`,
  'y',
);

/**
 * The opening quote with which a string that ended before `from` goes on: only white space with at least one line
 * break and line comments may stand between. Else -1.
 */
export function continuationQuote(source: string, from: number): number {
  let broken = false;
  let at = from;
  for (;;) {
    const code = source.charCodeAt(at);
    if (isSpace(code)) {
      broken ||= code === 10 || code === 13;
      at++;
    } else if (source.startsWith('--', at)) at = skipComment(source, at);
    else return broken && code === 39 ? at : -1;
  }
}
