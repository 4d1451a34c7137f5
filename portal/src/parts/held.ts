import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { pagePerson } from '../api/page-person';
import { kept } from './kept';

const PREFIX = 'held ';

/** Input that `reload` stored before this page was loaded. Each value is restored once. */
const given = new Map(kept.take(PREFIX));
const holders = new Map<string, () => unknown>();
let isReloading = false;

/** Reloads the page and keeps the typed input. */
export function reload(): void {
  for (const [key, hold] of holders) {
    const value = hold();
    if (value !== undefined) kept.write(`${PREFIX}${key}`, JSON.stringify(value));
  }
  isReloading = true;
  // Reset the flag if the page stays: if a secret was typed, the browser asks, and the user may cancel.
  addEventListener('beforeunload', () => setTimeout(() => (isReloading = false)), { once: true });
  location.reload();
}

/** Whether the page is being reloaded by `reload`, which keeps the typed input. */
export const isComingBack = (): boolean => isReloading;

/**
 * State for typed input that survives `reload`.
 * @param name unique on the page
 * @param storable removes secrets from the value, because they must not be stored
 */
export function useHeld<T>(
  name: string,
  first: () => T,
  storable: (value: T) => T = (value) => value,
): readonly [T, Dispatch<SetStateAction<T>>] {
  const [key] = useState(() => `${pagePerson.id ?? ''} ${location.pathname} ${name}`);
  const [initial] = useState(first);
  const [value, setValue] = useState<T>(() => {
    const text = given.get(key);
    return text === undefined ? initial : (JSON.parse(text) as T);
  });
  useEffect(() => void given.delete(key), [key]);
  useEffect(() => {
    holders.set(key, () => (Object.is(value, initial) ? undefined : storable(value)));
    return () => void holders.delete(key);
  });
  return [value, setValue];
}
