/**
 * Keeps typed input for a reload of this tab. Input that does not fit (browsers keep some 5 MB) is not kept;
 * it stays on the page.
 */
export const kept = {
  /** Browsers that keep no cookies for a page keep nothing else for it. */
  isPossible: (): boolean => stored() !== undefined,
  read: (key: string): string => stored()?.getItem(key) ?? '',
  write: (key: string, text: string): void => {
    try {
      stored()?.setItem(key, text);
    } catch {
      // An older text would come back in its place.
      kept.remove(key);
    }
  },
  remove: (key: string): void => stored()?.removeItem(key),
  /** Everything whose key begins so, without that beginning. It is kept no longer. */
  take: (prefix: string): readonly (readonly [key: string, text: string])[] =>
    Object.keys(stored() ?? {})
      .filter((key) => key.startsWith(prefix))
      .map((key) => {
        const text = kept.read(key);
        kept.remove(key);
        return [key.slice(prefix.length), text];
      }),
  /** Nothing is left to who signs in next. */
  clear: (): void => stored()?.clear(),
};

function stored(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
