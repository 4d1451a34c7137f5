import { Badge, Button, Group, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { ApiFault } from '../api/api-fault';
import { ChangeFault } from '../parts/change';
import { Said } from '../parts/said';
import { texts } from '../texts';
import type { ShownPart } from './events-read';
import { type LiveEvents, useLiveEvents } from './live-events';
import classes from './recording.module.css';
import type { Session } from './session';

const t = texts.session;
const LINE_HEIGHT = 22;

/** The recorded inputs and outputs of a session, in order. The list grows while the session runs. */
export function Recording({ session }: { readonly session: Session }) {
  const { parts, count, isCut, state, fault, readOn } = useLiveEvents(session);
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: parts.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (parts[index]?.lines ?? 1) * LINE_HEIGHT + 12,
    // Number of the part, not its index, because the first parts of a long recording are dropped.
    getItemKey: (index) => parts[index]?.number ?? index,
    // Only two more parts are rendered, because one part may be as long as a hundred screens.
    overscan: 2,
  });
  const more = (wanted: 'portion' | 'all') => () => {
    readOn(wanted);
    // The clicked button disappears, so the list gets the focus. New events are read from its top.
    scroll.current?.focus();
    scroll.current?.scrollTo(0, 0);
  };
  return (
    <>
      <Text role="status">
        {t.events(count)} {t.live[state]} {isCut && t.cut}
      </Text>
      <Lost state={state} fault={fault} />
      {state === 'full' && (
        <Group>
          <Button variant="default" onClick={more('portion')}>
            {t.next}
          </Button>
          <Button variant="default" onClick={more('all')}>
            {t.toTheEnd}
          </Button>
        </Group>
      )}
      <div
        ref={scroll}
        className={classes['scroll']}
        tabIndex={0}
        role="log"
        aria-label={t.recording}
        // Not busy while the session runs, because reading then continues until the session ends.
        aria-busy={state === 'reading' && session.status === 'done'}
      >
        <div className={classes['all']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const part = parts[index];
            if (part === undefined) return null;
            return (
              <div
                key={part.number}
                ref={rows.measureElement}
                data-index={index}
                className={classes['event']}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Part part={part} isNamed={part.isFirst || index === 0} />
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

/** Shows why no events arrive. Shows nothing for a lost connection: the browser's message does not help. */
function Lost({ state, fault }: Pick<LiveEvents, 'state' | 'fault'>) {
  const isSaid = state === 'refused' || (fault instanceof ApiFault && fault.status !== 0);
  return isSaid ? <ChangeFault fault={fault} /> : null;
}

const COLORS = { i: 'blue', o: 'gray', e: 'red' } as const;

interface PartProps {
  readonly part: ShownPart;
  /** Whether the part shows its type: input, output or error. */
  readonly isNamed: boolean;
}

function Part({ part: { type, milliseconds, text }, isNamed }: PartProps) {
  return (
    <>
      <Badge
        size="sm"
        variant="outline"
        color={COLORS[type]}
        title={t.after(milliseconds)}
        miw={64}
        flex="none"
        {...(isNamed ? {} : { style: { visibility: 'hidden' } })}
      >
        {t.types[type]}
      </Badge>
      <pre className={classes['text']}>
        <Said text={text} />
      </pre>
    </>
  );
}
