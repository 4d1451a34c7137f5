import type { Tagged } from './tagged';

/**
 * The version that a form changes. What was read later stands in for what the form began with where the form would show the same: a secret that was
 * rotated, or a sign-in of the user, is no conflict.
 */
export function latestAlike<T>(read: Tagged<T>, begun: Tagged<T>, shown: (data: T) => unknown): Tagged<T> {
  return JSON.stringify(shown(read.data)) === JSON.stringify(shown(begun.data)) ? read : begun;
}
