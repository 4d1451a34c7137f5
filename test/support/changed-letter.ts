const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * A token of base64url with another letter at the place. The letter differs in its first bit: the lowest bits
 * of a last letter mean nothing, and `A` and `B` there may be the same bytes.
 */
export function changedAt(token: string, at: number): string {
  const place = ALPHABET.indexOf(token.charAt(at));
  const other = place === -1 ? 'A' : ALPHABET.charAt(place ^ 32);
  return `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
}
