/** Names of these characters alone are their own key. */
const PLAIN = /^[\0-@[-~]*$/;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-~]*$/;

/**
 * Equal for names of members that some usual reader takes for the same: Go's encoding/json folds the case of
 * each letter (`ſ` is an s, the Kelvin sign a k), others compare in full case folding (`ß` is ss) or in
 * capitals (`ı` is an I), or normalize (NFKC: full width). It is no name: it is only compared.
 */
export function nameKey(name: string): string {
  if (PLAIN.test(name)) return name;
  if (ASCII.test(name)) return name.toLowerCase();
  return folded(folded(name));
}

/** Twice leads to the end: some capitals have small letters whose capitals are others. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
