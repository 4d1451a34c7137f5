import { Badge, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { type ShownEvent, useLiveEvents } from './live-events';
import classes from './recording.module.css';
import type { Session } from './session';

const t = texts.session;
const LINE_HEIGHT = 22;
/** Characters of one event that the page shows; files have all of it. */
const SHOWN = 64 * 1024;

/** What was sent and what came back, in order; it grows while the session runs. */
export function Recording({ session }: { readonly session: Session }) {
  const { events, isCut, state } = useLiveEvents(session.id);
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (events[index]?.text.split('\n').length ?? 1) * LINE_HEIGHT + 12,
    overscan: 10,
  });
  return (
    <>
      <Text role="status">
        {t.events(events.length)} {t.live[state]} {isCut && t.cut}
      </Text>
      <div ref={scroll} className={classes['scroll']} tabIndex={0} role="log" aria-label={t.recording}>
        <div className={classes['all']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const event = events[index];
            if (event === undefined) return null;
            return (
              <div
                key={event.number}
                ref={rows.measureElement}
                data-index={index}
                className={classes['event']}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Event event={event} />
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

const COLORS = { i: 'blue', o: 'gray', e: 'red' } as const;

function Event({ event: { type, milliseconds, text } }: { readonly event: ShownEvent }) {
  return (
    <>
      <Badge
        size="sm"
        variant="outline"
        color={COLORS[type]}
        title={t.after(milliseconds)}
        miw={64}
        flex="none"
      >
        {t.types[type]}
      </Badge>
      <pre className={classes['text']}>
        <Said text={text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text} />
      </pre>
    </>
  );
}
