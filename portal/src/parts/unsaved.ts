import { useBlocker } from '@tanstack/react-router';
import { texts } from '../texts';

/** Asks before what was typed is lost, also when the tab is closed. What leaves on purpose says `ignoreBlocker`. */
export function useUnsaved(isUnsaved: boolean): void {
  useBlocker({
    shouldBlockFn: () => isUnsaved && !window.confirm(texts.editing.leave),
    enableBeforeUnload: () => isUnsaved,
  });
}
