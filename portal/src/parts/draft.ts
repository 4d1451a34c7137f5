import { useRef } from 'react';
import type { Tagged } from '../api/tagged';
import { useHeld } from './held';

/**
 * Keeps the user's edits of a resource (the draft). While the user edits, newly read versions do not change
 * the form. If another user has changed the resource, saving the draft reports a conflict.
 * @param read the latest version
 * @param draftOf returns the fields of a version that the form shows
 * @param versionOf returns the part of a version that is compared. If this part is the same in the latest
 * version, the latest version becomes the base
 * @param storable returns the draft without secrets. `reload` stores it together with the version from which
 * the draft began
 */
export function useDraft<T, Draft extends object>(
  read: Tagged<T>,
  draftOf: (data: T) => Draft,
  versionOf: (data: T) => unknown = draftOf,
  storable: (draft: Draft) => Draft = (draft) => draft,
) {
  const first = () => ({ begun: read, draft: draftOf(read.data) });
  const [{ begun, draft }, set] = useHeld('draft', first, (state) => ({
    begun: state.begun,
    draft: storable(state.draft),
  }));
  const sent = useRef<Draft>(undefined);
  const isAlike = JSON.stringify(versionOf(read.data)) === JSON.stringify(versionOf(begun.data));
  return {
    /**
     * The version that the form changes. A later version replaces it if the form would show the same, so that
     * a rotated secret or a sign-in of the user causes no conflict.
     */
    base: isAlike ? read : begun,
    draft,
    change: (changes: Partial<Draft>): void =>
      set((now) => ({ begun: now.begun, draft: { ...now.draft, ...changes } })),
    undo: (): void => set({ begun, draft: draftOf(begun.data) }),
    /** Must be called when the draft is sent to the gateway. */
    send: (): void => {
      sent.current = draft;
    },
    /** Must be called when the draft was saved. Keeps text that the user typed during the request. */
    onSaved: (saved: Tagged<T>): void =>
      set((now) => ({
        begun: saved,
        draft: now.draft === sent.current ? draftOf(saved.data) : now.draft,
      })),
    onTaken: (theirs: Tagged<T>): void => set({ begun: theirs, draft: draftOf(theirs.data) }),
  };
}
