import type { Worker } from 'node:cluster';

interface Handle {
  /** Does nothing the second time. */
  close(): void;
}
type Send = (message: unknown, handle?: unknown, ...rest: unknown[]) => boolean;

/** To whom each connection was handed last; a worker that stops hands it back, to be handed to another. */
const holders = new WeakMap<Handle, Worker>();

/**
 * Closes the connections that a worker had been handed but not taken when it died. Node forgets them: it waits for
 * the worker's answer, and the client, whose connection nobody closes, for ever. There is at most one of each port.
 *
 * This reads what node:cluster sends to its workers. Should that change, nothing breaks but what is mended here.
 */
export function closeUntakenConnections(worker: Worker): void {
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
