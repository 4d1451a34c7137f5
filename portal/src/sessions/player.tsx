import { create } from 'asciinema-player';
import 'asciinema-player/dist/bundle/asciinema-player.css';
import { useEffect, useRef } from 'react';
import { API } from '../api/client';

/** Plays what a terminal would have shown. */
export default function Player({ id }: { readonly id: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const player = create(`${API}/sessions/${id}?extension=cast`, place.current, {
      fit: 'width',
      idleTimeLimit: 2,
    });
    return () => player.dispose();
  }, [id]);
  return <div ref={place} />;
}
