/**
 * Characters that a terminal would obey, or not show: controls and escape sequences, marks of direction,
 * invisible characters. Line breaks and tabs stay. The joiners (U+200C, U+200D) stay: Persian, Hindi and
 * emoji need them.
 */
const OBEYED = /[^\P{C}\n\t\u200C\u200D]|[\u2028\u2029]/gu;

/** Text that a terminal shows as it is: what it would obey is written as `\x1b` or `\u{202e}`. */
export function harmless(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(OBEYED, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** Value of a cell in a table. */
export type Cell = string | number | boolean | null | undefined | readonly string[];

/** The same on one line, for cells of a table. */
export function cell(value: Cell): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? value.join(', ') : String(value);
  return harmless(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** JSON without characters that a terminal obeys; the values stay the same. */
export function harmlessJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]|[\u2028\u2029]/gu, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
