/**
 * A value, or a promise of it where it takes another turn. For paths so busy that a promise for each step would be the
 * largest part of the work; `await` takes either.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Like `then`, but synchronous when the value is not a promise: what `next` throws then is thrown here. */
export function thenMaybe<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
