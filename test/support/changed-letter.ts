const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the base64url token with a different letter at the index `at`. Changes the letter's highest bit,
 * because a decoder ignores the lowest bits of the last letter: there, `A` and `B` may decode to equal bytes.
 */
export function changedAt(token: string, at: number): string {
  const place = ALPHABET.indexOf(token.charAt(at));
  const other = place === -1 ? 'A' : ALPHABET.charAt(place ^ 32);
  return `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
}
