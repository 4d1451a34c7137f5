import type { Worker } from 'node:cluster';

interface Handle {
  /** Idempotent. */
  close(): void;
}
type Send = (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean;

/**
 * The worker to which each connection was handed last. A worker that stops
 * hands connections back, and another gets them.
 */
const holders = new WeakMap<Handle, Worker>();

/**
 * Closes connections that were handed to a worker which died before it accepted them. Node.js forgets such
 * connections: it waits for the worker's answer, and the client waits forever. There is at most one per port.
 *
 * This reads node:cluster's internal messages to workers, a private part that is used only in this file. If
 * they change, only this repair stops working, and `orphaned-connections.spec.ts` fails.
 */
export function closeOrphanedConnections(worker: Worker): void {
  const handed = new Map<unknown, Handle>();
  const send = worker.process.send?.bind(worker.process) as Send;
  const observed: Send = (message, handle, ...rest) => {
    const { act, key } = message as { act?: unknown; key?: unknown };
    if (act === 'newconn' && isHandle(handle)) {
      handed.set(key, handle);
      holders.set(handle, worker);
    }
    return send(message, handle, ...rest);
  };
  worker.process.send = observed;
  worker.once('exit', () => {
    for (const handle of handed.values()) if (holders.get(handle) === worker) handle.close();
  });
}

function isHandle(value: unknown): value is Handle {
  return typeof (value as Partial<Handle> | undefined)?.close === 'function';
}
