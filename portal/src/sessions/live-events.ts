import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { gatewayNow } from '../api/gateway-clock';
import { queries } from '../api/queries';
import { EventsRead, type ShownPart } from './events-read';
import { type Follower, follow } from './followed';
import { Portions } from './portions';
import type { Session } from './session';
import { sessionQuery } from './session-queries';

/** Minimum interval between two renderings, so that the page is not drawn for each of many events. */
const SHOWN_EVERY_MS = 200;

export interface LiveEvents {
  readonly parts: readonly ShownPart[];
  /** Number of events that were received. */
  readonly count: number;
  /** Whether earlier events were received that are not shown any more. */
  readonly isCut: boolean;
  /** `full`: more events exist. They are read when the user asks for them. */
  readonly state: 'reading' | 'full' | 'reconnecting' | 'ended' | 'refused';
  /** Why the stream was refused or lost. */
  readonly fault?: unknown;
}

const NOTHING: LiveEvents = { parts: [], count: 0, isCut: false, state: 'reading' };

/** Reads the past events of a session in portions, and new events while the session runs. */
export function useLiveEvents({ id, start_date: start, status }: Session) {
  const [shown, setShown] = useState(NOTHING);
  const readOn = useRef<Portions['readOn']>(undefined);
  // At the end of the recording, read the session again, if it was still running when the page loaded.
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
          // Until there is an event, `shownAt` stays unset, so that the first event is shown at once.
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
