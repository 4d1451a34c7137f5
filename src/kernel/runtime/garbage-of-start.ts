import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects the garbage that the start of the process left, before the first request arrives. It also starts
 * V8's memory reducer, which returns some 25 MB to the system about ten seconds later. V8 would not start the
 * reducer by itself in a process that is idle since its start.
 */
export function collectGarbageOfStart(): void {
  collectGarbage();
}

/** Collects all garbage. The process stops until this is done. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The flag is reset because a compile cache is valid only for the same flags.
  setFlagsFromString('--no-expose-gc');
  collect();
}
