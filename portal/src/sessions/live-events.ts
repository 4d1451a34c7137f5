import { useEffect, useState } from 'react';
import { EventsRead, type ShownPart } from './events-read';
import { follow } from './followed';

/** While much comes at once, the page is not drawn for each of it. */
const SHOWN_EVERY_MS = 200;

export interface LiveEvents {
  readonly parts: readonly ShownPart[];
  /** How many events came. */
  readonly count: number;
  /** More came before than is shown. */
  readonly isCut: boolean;
  readonly state: 'reading' | 'reconnecting' | 'ended' | 'refused';
  /** Why it was refused, or lost. */
  readonly fault?: unknown;
}

/** What a session recorded so far, and what comes while it runs. */
export function useLiveEvents(id: string): LiveEvents {
  const [shown, setShown] = useState<LiveEvents>({ parts: [], count: 0, isCut: false, state: 'reading' });
  useEffect(() => {
    const left = new AbortController();
    const read = new EventsRead();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownAt = -SHOWN_EVERY_MS;
    const show = (state: LiveEvents['state'], fault?: unknown): void => {
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          shownAt = performance.now();
          setShown({ ...read.shown(), state, fault });
        },
        shownAt + SHOWN_EVERY_MS - performance.now(),
      );
    };
    const onEvent = (told: Parameters<typeof read.add>[0]): void => {
      read.add(told);
      show('reading');
    };
    const follower = {
      onEvent,
      onOpen: () => show('reading'),
      onLost: (fault: unknown) => show('reconnecting', fault),
    };
    follow(id, left.signal, follower).then(
      () => show('ended'),
      (fault: unknown) => left.signal.aborted || show('refused', fault),
    );
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return shown;
}
