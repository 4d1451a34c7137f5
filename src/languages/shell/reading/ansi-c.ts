import { MappedText, MappedTextBuilder } from '../../text/mapped-text';

const ESCAPE =
  /\\(?:([abeEfnrtv\\'"?])|([0-7]{1,3})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|c([^])|x\{([\da-fA-F]*)\}?)/g;

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * Decodes the inside of `$'…'` as Bash does. A NUL ends the text. Bytes beyond ASCII that are written one by
 * one are joined as UTF-8.
 */
export function decodeAnsiC(body: string): MappedText {
  const builder = new MappedTextBuilder(body);
  let bytes: number[] = [];
  let from = 0;
  let last = 0;
  const flush = (): void => {
    if (bytes.length > 0) builder.replace(from, last, Buffer.from(bytes).toString('utf8'));
    bytes = [];
  };
  for (const match of body.matchAll(ESCAPE)) {
    const { index } = match;
    const end = index + match[0].length;
    const decoded = decodedEscape(match);
    if (decoded === '\u0000') {
      flush();
      builder.replace(index, body.length, '');
      return builder.build();
    }
    if (typeof decoded === 'number') {
      if (bytes.length === 0 || last !== index) {
        flush();
        from = index;
      }
      bytes.push(decoded);
      last = end;
      continue;
    }
    flush();
    builder.replace(index, end, decoded);
  }
  flush();
  return builder.build();
}

/** Returns the text of an escape, or a number for a byte beyond ASCII. */
function decodedEscape([, simple, octal, hex, short, long, control, braced]: RegExpExecArray):
  | string
  | number {
  if (simple !== undefined) return SIMPLE[simple] ?? simple;
  if (octal !== undefined) return byteOf(parseInt(octal, 8) & 0xff);
  if (hex !== undefined) return byteOf(parseInt(hex, 16));
  if (braced !== undefined) return byteOf(braced === '' ? 0 : parseInt(braced.slice(-8), 16) & 0xff);
  if (control !== undefined)
    return byteOf(control === '?' ? 0x7f : control.toUpperCase().charCodeAt(0) & 0x1f);
  const code = parseInt(short ?? long ?? '0', 16);
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code);
}

function byteOf(code: number): string | number {
  return code < 0x80 ? String.fromCharCode(code) : code;
}
