/**
 * Names of UTF8 in the form in which servers compare names of encodings; `unicode` is the one of old clients.
 */
const UTF8_NAMES: ReadonlySet<string> = new Set(['utf8', 'unicode']);

/** An encoding name in the form in which servers compare it: ASCII letters and digits in lower case. */
export function plainEncoding(encoding: string): string {
  return encoding.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/**
 * Whether a server takes the name for UTF8. A server reports `client_encoding` as UTF8 for each of them but
 * `UNICODE`, which it reports as it was set.
 */
export function isUtf8Name(encoding: string): boolean {
  return UTF8_NAMES.has(plainEncoding(encoding));
}
