import { useSyncExternalStore } from 'react';
import { kept } from './kept';

const KEY = 'times in UTC';
const readers = new Set<() => void>();
let isUtc = kept.read(KEY) !== '';

/**
 * The zone in which times are shown and typed: the reader's, or UTC. A hint over each time has the other one,
 * but not every reader has a pointer.
 */
const zone = {
  isUtc: (): boolean => isUtc,
  subscribe: (reader: () => void): (() => void) => {
    readers.add(reader);
    return () => readers.delete(reader);
  },
};

export const useIsUtc = (): boolean => useSyncExternalStore(zone.subscribe, zone.isUtc);

export function showTimesIn(next: 'utc' | 'local'): void {
  isUtc = next === 'utc';
  if (isUtc) kept.write(KEY, 'yes');
  else kept.remove(KEY);
  for (const reader of readers) reader();
}
