import { useSyncExternalStore } from 'react';
import { kept } from './kept';

const KEY = 'times in UTC';
const readers = new Set<() => void>();
let isUtc = kept.read(KEY) !== '';

/**
 * The time zone in which the portal shows times and reads typed times: the user's zone or UTC. The user can
 * switch it, because the other zone is shown only on hover, and not every user has a mouse.
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
