/**
 * The result of a promise, or undefined when it takes longer. The promise goes on, and a later rejection of
 * it is ignored: work that can be aborted is given `AbortSignal.timeout` instead. No timer is left behind.
 * @throws what the promise rejects with in time.
 */
export async function resultWithin<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Whether a promise settles within the time, either way. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return (await resultWithin(settled, milliseconds)) === true;
}
