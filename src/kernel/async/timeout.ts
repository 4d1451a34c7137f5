/**
 * Returns the result of a promise, or undefined when the promise takes longer. The promise then continues,
 * and a later rejection is ignored. For work that can be aborted, use `AbortSignal.timeout` instead. The
 * timer is always cleared.
 * @throws the rejection of the promise, if it comes in time.
 */
export async function resultWithin<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Whether a promise is fulfilled or rejected within the time. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return (await resultWithin(settled, milliseconds)) === true;
}
