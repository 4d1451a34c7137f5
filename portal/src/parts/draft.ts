import { useRef, useState } from 'react';
import type { Tagged } from '../api/tagged';

/**
 * What is typed over a resource that was read. Later reads do not change it under the hands of a person, and a change by somebody else is no part of
 * what the form began with: it is a conflict when the draft is saved.
 * @param read the latest version
 * @param draftOf what the form shows of a version
 * @param versionOf what must be the same for a later version to stand in for an earlier one
 */
export function useDraft<T, Draft extends object>(
  read: Tagged<T>,
  draftOf: (data: T) => Draft,
  versionOf: (data: T) => unknown = draftOf,
) {
  const [begun, setBegun] = useState(read);
  const [draft, setDraft] = useState<Draft>(() => draftOf(read.data));
  const sent = useRef<Draft>(undefined);
  const isAlike = JSON.stringify(versionOf(read.data)) === JSON.stringify(versionOf(begun.data));
  return {
    /** The version that the form changes. A later one stands in for it where the form would show the same: a secret that was rotated, or a sign-in of the user, is no conflict. */
    base: isAlike ? read : begun,
    draft,
    change: (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes })),
    undo: (): void => setDraft(draftOf(begun.data)),
    /** To be called when the draft is sent. */
    send: (): void => {
      sent.current = draft;
    },
    /** What was typed while the answer was awaited stays. */
    onSaved: (saved: Tagged<T>): void => {
      setBegun(saved);
      setDraft((now) => (now === sent.current ? draftOf(saved.data) : now));
    },
    onTaken: (theirs: Tagged<T>): void => {
      setBegun(theirs);
      setDraft(draftOf(theirs.data));
    },
  };
}
