import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what a start leaves behind, before anybody waits for an answer. It also starts V8's memory
 * reducer, which gives some 25 MB back to the system about ten seconds later: a process that did nothing
 * since its start never gets that far by itself.
 */
export function collectGarbageOfStart(): void {
  collectGarbage();
}

/** Stops the process until all garbage is collected. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Flags are part of what a compile cache is valid for.
  setFlagsFromString('--no-expose-gc');
  collect();
}
