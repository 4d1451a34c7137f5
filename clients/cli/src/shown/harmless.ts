/**
 * Characters that must be escaped for a terminal: control characters (used in escape sequences), direction
 * marks and invisible characters. Line breaks and tabs are not escaped. The joiners (U+200C, U+200D) are not
 * escaped either, because Persian, Hindi and emoji need them.
 */
const OBEYED = /[^\P{C}\n\t\u200C\u200D]|[\u2028\u2029]/gu;

/** Escapes characters that control a terminal or are invisible, as `\x1b` or `\u{202e}`. */
export function harmless(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(OBEYED, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** Value of a cell in a table. */
export type Cell = string | number | boolean | null | undefined | readonly string[];

/** Formats a value for a table cell: escaped like `harmless`, on one line. */
export function cell(value: Cell): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? value.join(', ') : String(value);
  return harmless(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Formats JSON and escapes characters that control a terminal. The values stay the same. */
export function harmlessJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]|[\u2028\u2029]/gu, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
