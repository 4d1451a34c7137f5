import type { Worker } from 'node:cluster';

interface Handle {
  /** Idempotent. */
  close(): void;
}
type Send = (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean;

/**
 * The worker that each connection was last handed to. When a worker stops, it hands connections back, and the
 * primary process hands them to another worker.
 */
const holders = new WeakMap<Handle, Worker>();

/**
 * Closes connections that were handed to a worker that died before it accepted them. Otherwise Node.js waits
 * for the dead worker, and the client waits forever. There is at most one such connection per port.
 *
 * This function reads internal messages of node:cluster, which only this file uses. If Node.js changes the
 * messages, only this function stops working, and `orphaned-connections.spec.ts` fails.
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
