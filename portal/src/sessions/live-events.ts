import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { gatewayNow } from '../api/gateway-clock';
import { queries } from '../api/queries';
import { EventsRead, type ShownPart } from './events-read';
import { type Follower, follow } from './followed';
import { Portions } from './portions';
import type { Session } from './session';
import { sessionQuery } from './session-queries';

/** While much comes at once, the page is not drawn for each of it. */
const SHOWN_EVERY_MS = 200;

export interface LiveEvents {
  readonly parts: readonly ShownPart[];
  /** Number of events that came. */
  readonly count: number;
  /** More came before than is shown. */
  readonly isCut: boolean;
  /** `full`: more follows, when the reader asks for it. */
  readonly state: 'reading' | 'full' | 'reconnecting' | 'ended' | 'refused';
  /** Why it was refused, or lost. */
  readonly fault?: unknown;
}

const NOTHING: LiveEvents = { parts: [], count: 0, isCut: false, state: 'reading' };

/** The events of a session so far, a portion at a time; and new events while it runs. */
export function useLiveEvents({ id, start_date: start, status }: Session) {
  const [shown, setShown] = useState(NOTHING);
  const readOn = useRef<Portions['readOn']>(undefined);
  // The page has the session as it was while it ran.
  const over = useEffectEvent((): Promise<void> | undefined =>
    status === 'done' ? undefined : queries.invalidateQueries({ queryKey: sessionQuery(id).queryKey }),
  );
  useEffect(() => {
    const left = new AbortController();
    const read = new EventsRead();
    const portions = new Portions(gatewayNow() - Date.parse(start));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownAt = -SHOWN_EVERY_MS;
    const show = (state: LiveEvents['state'], fault?: unknown): void => {
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          const now = read.shown();
          // The first event is shown as soon as it is there.
          if (now.count > 0) shownAt = performance.now();
          setShown({ ...now, state, fault });
        },
        shownAt + SHOWN_EVERY_MS - performance.now(),
      );
    };
    const follower: Follower = {
      onOpen: () => show('reading'),
      onEvent: (told) => {
        portions.take(told[0], read.add(told));
        show(portions.isFull ? 'full' : 'reading');
        return !portions.isFull;
      },
      wanted: (signal) => portions.wanted(signal),
      onLost: (fault) => show('reconnecting', fault),
    };
    follow(id, left.signal, follower).then(
      () => {
        show('ended');
        return over();
      },
      (fault: unknown) => left.signal.aborted || show('refused', fault),
    );
    readOn.current = (wanted) => {
      read.clear();
      portions.readOn(wanted);
    };
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [id, start]);
  return { ...shown, readOn: (wanted: 'portion' | 'all') => readOn.current?.(wanted) };
}
