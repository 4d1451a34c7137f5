/** Names of UTF8, normalized as servers compare encoding names. Old clients use the name `unicode`. */
const UTF8_NAMES: ReadonlySet<string> = new Set(['utf8', 'unicode']);

/** Normalizes an encoding name as servers compare it: only ASCII letters and digits, in lower case. */
export function plainEncoding(encoding: string): string {
  return encoding.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/**
 * Whether a server accepts the name as UTF8. The server then reports `client_encoding` as UTF8. Only the
 * name `UNICODE` is reported as it was set.
 */
export function isUtf8Name(encoding: string): boolean {
  return UTF8_NAMES.has(plainEncoding(encoding));
}
