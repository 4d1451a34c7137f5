import { create } from 'asciinema-player';
import 'asciinema-player/dist/bundle/asciinema-player.css';
import { useEffect, useRef } from 'react';
import { API } from '../api/client';
import { pagePerson } from '../api/page-person';

/** Plays the recording as in a terminal. */
export default function Player({ id }: { readonly id: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const headers = new Headers();
    pagePerson.mark(headers);
    const recording = { url: `${API}/sessions/${id}?extension=cast`, fetchOpts: { headers } };
    const player = create(recording, place.current, { fit: 'width', idleTimeLimit: 2 });
    return () => player.dispose();
  }, [id]);
  return <div ref={place} />;
}
