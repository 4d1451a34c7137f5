import { LRUCache } from 'lru-cache';
import { entriesAtMost } from './entries-at-most';

describe('a cache of so many entries at most', () => {
  it('forgets the entry that was used longest ago', () => {
    const cache = new LRUCache<string, number>(entriesAtMost(2));
    cache.set('a', 1).set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([...cache.keys()].toSorted()).toEqual(['a', 'c']);
  });

  it('takes no memory for entries that never come', () => {
    const before = process.memoryUsage().heapUsed;
    const caches = Array.from({ length: 20 }, () => new LRUCache<string, string>(entriesAtMost(1_000_000)));
    // 20 preallocated arrays of a million entries would take 160 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40_000_000);
    expect(caches.every((cache) => cache.size === 0)).toBe(true);
  });
});
