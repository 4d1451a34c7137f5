/**
 * Replaces methods by ones that report each call first, and do the same. A spy of Jest would keep all calls.
 * @param of the object that has the methods, such as `Array.prototype`
 * @returns a function that restores the methods
 */
export function countedMethods(
  of: object,
  names: readonly PropertyKey[],
  called: (on: unknown, values: readonly unknown[]) => void,
): () => void {
  const restored = names.map((name) => {
    const former = Object.getOwnPropertyDescriptor(of, name)!;
    const method = former.value as (...values: unknown[]) => unknown;
    const value = function (this: unknown, ...values: unknown[]): unknown {
      called(this, values);
      return method.apply(this, values);
    };
    Object.defineProperty(of, name, { ...former, value });
    return () => Object.defineProperty(of, name, former);
  });
  return () => {
    for (const restore of restored) restore();
  };
}
