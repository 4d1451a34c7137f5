/**
 * Stores typed input for a reload of this tab. Input that is too long (browsers store about 5 MB) is not
 * stored; it exists only on the page.
 */
export const kept = {
  /** False if the browser blocks storage, for example because it blocks cookies for the page. */
  isPossible: (): boolean => stored() !== undefined,
  read: (key: string): string => stored()?.getItem(key) ?? '',
  write: (key: string, text: string): void => {
    try {
      stored()?.setItem(key, text);
    } catch {
      // The new text could not be stored. Remove the old text, otherwise a reload would restore it.
      kept.remove(key);
    }
  },
  remove: (key: string): void => stored()?.removeItem(key),
  /** Removes all texts whose key begins with `prefix`. Returns them with the rest of each key. */
  take: (prefix: string): readonly (readonly [key: string, text: string])[] =>
    Object.keys(stored() ?? {})
      .filter((key) => key.startsWith(prefix))
      .map((key) => {
        const text = kept.read(key);
        kept.remove(key);
        return [key.slice(prefix.length), text];
      }),
  /** Removes everything, so that the next user of the browser finds nothing. */
  clear: (): void => stored()?.clear(),
};

function stored(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
