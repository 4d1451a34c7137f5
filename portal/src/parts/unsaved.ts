import { useBlocker } from '@tanstack/react-router';
import { texts } from '../texts';
import { isComingBack } from './held';

/**
 * Asks before what was typed is lost, also when the tab is closed. What leaves
 * on purpose says `ignoreBlocker`.
 * @param hasSecret a reload loses it, as it is stored nowhere
 */
export function useUnsaved(isUnsaved: boolean, hasSecret = false): void {
  useBlocker({
    shouldBlockFn: () => isUnsaved && !window.confirm(texts.editing.leave),
    enableBeforeUnload: () => isUnsaved && (hasSecret || !isComingBack()),
  });
}
