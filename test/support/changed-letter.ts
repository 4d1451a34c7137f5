const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns a base64url token with a different letter at one index. The first bit of the letter changes,
 * because the lowest bits of the last letter have no meaning: there, `A` and `B` may be the same bytes.
 */
export function changedAt(token: string, at: number): string {
  const place = ALPHABET.indexOf(token.charAt(at));
  const other = place === -1 ? 'A' : ALPHABET.charAt(place ^ 32);
  return `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
}
