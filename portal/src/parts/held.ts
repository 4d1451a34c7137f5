import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { pagePerson } from '../api/page-person';
import { kept } from './kept';

const PREFIX = 'held ';

/** Input typed before the reload that this page requested. It is taken once. */
const given = new Map(kept.take(PREFIX));
const holders = new Map<string, () => unknown>();
let isReloading = false;

/** Loads the page anew. What was typed in it comes back. */
export function reload(): void {
  for (const [key, hold] of holders) {
    const value = hold();
    if (value !== undefined) kept.write(`${PREFIX}${key}`, JSON.stringify(value));
  }
  isReloading = true;
  // A person who has typed a secret is asked, and may stay.
  addEventListener('beforeunload', () => setTimeout(() => (isReloading = false)), { once: true });
  location.reload();
}

/** Whether the page is being left for itself, with what was typed. */
export const isComingBack = (): boolean => isReloading;

/**
 * State that `reload` keeps: what a person types.
 * @param name that no other state on the page has
 * @param storable the value without what must not be stored: secrets
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
