/** Matches names that are their own key: ASCII without capital letters. */
const PLAIN = /^[\0-@[-~]*$/;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-~]*$/;

/**
 * Returns a key that is equal for two names if a common JSON reader treats them as the same name. Go's
 * encoding/json folds the case of each letter (`ſ` is an s, the Kelvin sign a k). Other readers compare in
 * full case folding (`ß` is ss) or in capitals (`ı` is an I), or normalize (NFKC: full width). The key is
 * only for comparison; do not use it as a name.
 */
export function nameKey(name: string): string {
  if (PLAIN.test(name)) return name;
  if (ASCII.test(name)) return name.toLowerCase();
  return folded(folded(name));
}

/** Folds a name. It lowercases first, because uppercasing turns `ß` into `SS` but leaves `ẞ` unchanged. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
