/**
 * Returns options that bound an LRUCache by its number of entries, like `max`. `max` allocates memory for
 * all entries at once (some 40 bytes each); these options allocate it as entries are added.
 */
export function entriesAtMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: one };
}

const one = (): number => 1;
