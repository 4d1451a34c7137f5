/**
 * The stateless parts of PostgreSQL's lexical rules. Each `skip` function returns the offset at which the
 * skipped part of the text ends.
 */

/**
 * Class of each ASCII character. 1: may begin a name. 2: digit. 3: `$`, which can continue a name but not
 * begin it. 0: any other. All characters above ASCII may begin a name.
 */
const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (/[a-z_]/i.test(String.fromCharCode(code))) classes[code] = 1;
}
classes.fill(2, 48, 58);
classes[36] = 3;

export function isNameStart(code: number): boolean {
  return code >= 128 || classes[code] === 1;
}

/**
 * Whether a name, a number or a parameter may begin with this character. A
 * number that begins with a dot is not included.
 */
export function isWordStart(code: number): boolean {
  return code >= 128 || (classes[code] ?? 0) > 0;
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

/** Skips the tag of a dollar quote. It is like a name, but without `$`. */
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

/** Skips a comment. Returns `from` itself if no comment begins there. */
export function skipComment(source: string, from: number): number {
  const code = source.charCodeAt(from);
  const following = source.charCodeAt(from + 1);
  if (code === 45 && following === 45) {
    lineEnd.lastIndex = from;
    return lineEnd.test(source) ? lineEnd.lastIndex - 1 : source.length;
  }
  return code === 47 && following === 42 ? skipBlockComment(source, from + 2) : from;
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

/**
 * For each ASCII character, whether `findNotable` stops at it. 0: no. 1: yes. Other: only if the next
 * character has this code.
 */
const notable = new Uint8Array(128);
for (const mark of `"'$;\t\n\v\f\r`) notable[mark.charCodeAt(0)] = 1;
for (const [first = '', second = ''] of ['--', '/*', '  '])
  notable[first.charCodeAt(0)] = second.charCodeAt(0);

/**
 * Returns the offset of the next quote, `$`, `;`, comment, or white space other than a single space; the end
 * of the text if there is none. It also stops at a space before `-` or `/`, because a comment may follow.
 */
export function findNotable(source: string, from: number): number {
  const last = source.length - 1;
  for (let at = from; at <= last; at++) {
    const code = source.charCodeAt(at);
    const wanted = code < 128 ? notable[code] : 0;
    if (wanted === 0) continue;
    if (wanted === 1) return at;
    const following = at < last ? source.charCodeAt(at + 1) : 0;
    if (following === wanted) return at;
    if (code === 32 && (isSpace(following) || following === 45 || following === 47)) return at;
  }
  return source.length;
}

/** Per ASCII character: 1 if the prefix of a string, a name or a number such as 1.5e+3 may contain it. */
const joined = new Uint8Array(128);
for (let code = 0; code < 128; code++) joined[code] = /[\w$.+&-]/.test(String.fromCharCode(code)) ? 1 : 0;

/**
 * Returns the start of the token that contains the notable character at `at`, or of an earlier token. The
 * token may begin before `at`, because a quote may have a prefix and a name may contain `$`. `from` must be
 * the start of a token.
 */
export function tokenBorder(source: string, at: number, from: number): number {
  const mark = source.charCodeAt(at);
  let border = at;
  if (mark !== 34 && mark !== 36 && mark !== 39) return border;
  while (border > from) {
    const code = source.charCodeAt(border - 1);
    if (code < 128 && joined[code] === 0) break;
    border--;
  }
  return border;
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

/** Skips a number. `1..10` is a number, two dots and a number. */
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
 * Returns the offset of the quote that continues a string which ended before `from`; -1 if there is none.
 * Between the parts there may be only line comments and white space with at least one line break.
 */
export function continuationQuote(source: string, from: number): number {
  let broken = false;
  let at = from;
  for (;;) {
    const code = source.charCodeAt(at);
    if (isSpace(code)) {
      broken ||= code === 10 || code === 13;
      at++;
    } else if (code === 45 && source.charCodeAt(at + 1) === 45) at = skipComment(source, at);
    else return broken && code === 39 ? at : -1;
  }
}
