import { useBlocker } from '@tanstack/react-router';
import { texts } from '../texts';
import { isComingBack } from './held';

/**
 * Asks before typed input is lost, also when the tab is closed. Code that leaves the page on purpose passes
 * `ignoreBlocker`.
 * @param hasSecret whether a secret was typed; a reload loses it, because it is not stored
 */
export function useUnsaved(isUnsaved: boolean, hasSecret = false): void {
  useBlocker({
    shouldBlockFn: () => isUnsaved && !window.confirm(texts.editing.leave),
    enableBeforeUnload: () => isUnsaved && (hasSecret || !isComingBack()),
  });
}
