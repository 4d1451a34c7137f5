/**
 * A value, or a promise of it when the work is asynchronous. For hot paths, where a promise for each step
 * would be the largest cost. `await` accepts either.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Like `then`, but synchronous if the value is not a promise. An error of `next` is then thrown at once. */
export function thenMaybe<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
