import { useRef } from 'react';
import type { Tagged } from '../api/tagged';
import { useHeld } from './held';

/**
 * Edits of a resource that was read. Later reads do not change it under the hands of a person, and a change
 * by another user is no part of the form's base: it is a conflict when the draft is saved.
 * @param read the latest version
 * @param draftOf the fields of a version that the form shows
 * @param versionOf what must be the same for a later version to stand in for an earlier one
 * @param storable the draft without secrets: a reload that the page asks for keeps it, with the version that
 * it began with
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
     * The version that the form changes. A later one stands in for it where the form would show the same: a
     * secret that was rotated, or a sign-in of the user, is no conflict.
     */
    base: isAlike ? read : begun,
    draft,
    change: (changes: Partial<Draft>): void =>
      set((now) => ({ begun: now.begun, draft: { ...now.draft, ...changes } })),
    undo: (): void => set({ begun, draft: draftOf(begun.data) }),
    /** To be called when the draft is sent. */
    send: (): void => {
      sent.current = draft;
    },
    /** Text that was typed during the request stays. */
    onSaved: (saved: Tagged<T>): void =>
      set((now) => ({
        begun: saved,
        draft: now.draft === sent.current ? draftOf(saved.data) : now.draft,
      })),
    onTaken: (theirs: Tagged<T>): void => set({ begun: theirs, draft: draftOf(theirs.data) }),
  };
}
