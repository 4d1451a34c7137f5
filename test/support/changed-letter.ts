const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns a base64url token with a different letter at one index. Changes the highest bit of the letter,
 * because a decoder ignores the lowest bits of the last letter: `A` and `B` may decode to the same bytes.
 */
export function changedAt(token: string, at: number): string {
  const place = ALPHABET.indexOf(token.charAt(at));
  const other = place === -1 ? 'A' : ALPHABET.charAt(place ^ 32);
  return `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
}
