/** What was typed, kept for a reload of this tab. What does not fit (browsers keep some 5 MB) is not kept; it stays on the page. */
export const kept = {
  read: (key: string): string => {
    try {
      return sessionStorage.getItem(key) ?? '';
    } catch {
      return '';
    }
  },
  write: (key: string, text: string): void => {
    try {
      sessionStorage.setItem(key, text);
    } catch {
      // An older text would come back in its place.
      sessionStorage.removeItem(key);
    }
  },
  /** Nothing is left to who signs in next. */
  clear: (): void => sessionStorage.clear(),
};
