import { useRef, useState } from 'react';
import type { Tagged } from '../api/tagged';

/** What is typed over a resource that was read. Later reads do not change it under the hands of a person. */
export function useDraft<T, Draft extends object>(first: Tagged<T>, draftOf: (data: T) => Draft) {
  const [base, setBase] = useState(first);
  const [draft, setDraft] = useState<Draft>(() => draftOf(first.data));
  const sent = useRef<Draft>(undefined);
  return {
    base,
    draft,
    change: (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes })),
    undo: (): void => setDraft(draftOf(base.data)),
    /** To be called when the draft is sent. */
    send: (): void => {
      sent.current = draft;
    },
    /** What was typed while the answer was awaited stays. */
    onSaved: (saved: Tagged<T>): void => {
      setBase(saved);
      setDraft((now) => (now === sent.current ? draftOf(saved.data) : now));
    },
    onTaken: (theirs: Tagged<T>): void => {
      setBase(theirs);
      setDraft(draftOf(theirs.data));
    },
  };
}
