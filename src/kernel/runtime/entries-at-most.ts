/**
 * Bounds an LRUCache by its number of entries, as `max` does; but `max` takes the memory of all entries at
 * once (some 40 bytes each), and this as they come.
 */
export function entriesAtMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: one };
}

const one = (): number => 1;
