import { useEffect, useEffectEvent, useRef } from 'react';
import { ServerLink } from '../parts/server-link';
import type { ServerScreenProps } from '../parts/server-way';
import { texts } from '../texts';
import { ShownTerminal } from './shown-terminal';
import styles from './terminal-screen.module.css';

/** Opens a terminal at the gateway, and shows it until this component is unmounted. */
export default function TerminalScreen({ connection, person, reason, onEnd, next }: ServerScreenProps) {
  const place = useRef<HTMLDivElement>(null);
  const ended = useEffectEvent(onEnd);
  const leave = useEffectEvent(() => next.current?.focus());
  useEffect(() => {
    if (place.current === null) return undefined;
    const label = texts.terminal.input(connection);
    const shown = new ShownTerminal(place.current, { label, leave: () => leave() });
    const { terminal } = shown;
    const link = new ServerLink(
      'terminal',
      { connection, person, reason },
      {
        output: (bytes, isShown) => terminal.write(bytes, isShown),
        ended: (end) => {
          shown.end();
          ended(end);
        },
      },
      { columns: terminal.cols, rows: terminal.rows },
    );
    terminal.onData((text) => link.type(text));
    terminal.onBinary((text) => link.typeBytes(text));
    terminal.onResize(({ cols, rows }) => link.resize(cols, rows));
    return () => {
      link.close();
      shown.dispose();
    };
  }, [connection, person, reason]);
  return <div ref={place} className={styles['screen']} data-terminal />;
}
