/**
 * A value, or a promise of it where it takes another turn. For paths so busy that a promise for each step would be the
 * largest part of the work; `await` takes either.
 */
export type Eventual<T> = T | Promise<T>;

/** Goes on with the value: at once when it is there. What `next` throws then, is thrown here. */
export function whenThere<T, R>(value: Eventual<T>, next: (value: T) => Eventual<R>): Eventual<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
