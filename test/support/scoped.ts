/**
 * Starts an object before the tests of a `describe`, and ends it after them. Returns a proxy at once; tests
 * and hooks can use the proxy after the start. Objects are started in order, and ended in reverse order.
 * @param end ends the object; default: calls the object's `close`
 */
export interface Begin {
  <T extends Closable>(start: () => T | Promise<T>): T;
  <T extends object>(start: () => T | Promise<T>, end: (started: T) => unknown): T;
}

interface Closable {
  close(): unknown;
}

/**
 * Makes the body of a `describe` that starts objects with `begin`. The objects are ended after the body's own
 * `afterAll` hooks, even if a hook failed.
 *
 * @param withinMs time limit for the start of each object; default: the time limit of a test
 * ```ts
 * describe('two gateways', scoped((begin) => {
 *   const one = begin(() => startGateway());
 *   const two = begin(() => startGateway({ beside: one }));
 * ```
 */
export function scoped(body: (begin: Begin) => void, withinMs?: number): () => void {
  return () => {
    const ends: (() => unknown)[] = [];
    body(<T extends object>(start: () => T | Promise<T>, end: (started: T) => unknown = close) => {
      const [later, arrived] = comingLater<T>();
      beforeAll(async () => {
        const started = await start();
        ends.unshift(() => end(started));
        arrived(started);
      }, withinMs);
      return later;
    });
    afterAll(async () => {
      const faults: unknown[] = [];
      for (const end of ends)
        await Promise.resolve()
          .then(end)
          .catch((fault: unknown) => faults.push(fault));
      if (faults.length > 0) throw faults.length === 1 ? faults[0] : new AggregateError(faults);
    });
  };
}

function close(started: object): unknown {
  return (started as Closable).close();
}

/** A proxy for an object that does not exist yet; all operations are forwarded to that object. */
function comingLater<T extends object>(): [T, (value: T) => void] {
  let there: T | undefined;
  const object = (): T => {
    if (there === undefined)
      throw new Error('It is used before it is started: use it in a test or in a hook.');
    return there;
  };
  const later = new Proxy({} as T, {
    get: (_, key) => {
      const it = object();
      const value: unknown = Reflect.get(it, key, it);
      // Methods are bound to the object, because a proxy has no private fields.
      return typeof value === 'function' && !Object.hasOwn(it, key) ? value.bind(it) : value;
    },
    set: (_, key, value) => Reflect.set(object(), key, value),
    has: (_, key) => Reflect.has(object(), key),
    ownKeys: () => Reflect.ownKeys(object()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(object(), key);
      // A proxy must report properties as configurable, because its target is empty.
      return found && { ...found, configurable: true };
    },
  });
  return [later, (value) => void (there = value)];
}
