import { useEffect, useState } from 'react';
import { API } from '../api/client';
import type { SessionEvent } from './session';

/** Characters of content that a page keeps. Of a longer recording it shows the last ones. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

export interface LiveEvents {
  readonly events: readonly ShownEvent[];
  /** More came before than is shown. */
  readonly isCut: boolean;
  readonly state: 'reading' | 'reconnecting' | 'ended';
}

/** An event with its text. */
export interface ShownEvent {
  readonly number: number;
  readonly milliseconds: number;
  readonly type: SessionEvent[1];
  readonly text: string;
}

/** What a session recorded so far, and what comes while it runs. The browser goes on by itself where a gateway is lost. */
export function useLiveEvents(id: string): LiveEvents {
  const [shown, setShown] = useState<LiveEvents>({ events: [], isCut: false, state: 'reading' });
  useEffect(() => {
    const read = new EventsRead();
    let frame = 0;
    const show = (state: LiveEvents['state']): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setShown({ ...read.shown(), state }));
    };
    const source = new EventSource(`${API}/sessions/${id}/stream`);
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      read.add(JSON.parse(data) as Told);
      show('reading');
    });
    source.addEventListener('end', () => {
      source.close();
      show('ended');
    });
    source.addEventListener('error', () =>
      show(source.readyState === EventSource.CLOSED ? 'ended' : 'reconnecting'),
    );
    return () => {
      source.close();
      cancelAnimationFrame(frame);
    };
  }, [id]);
  return shown;
}

type Told = readonly [...SessionEvent, continues?: boolean];

/** Puts the pieces of events together. */
class EventsRead {
  private events: ShownEvent[] = [];
  private characters = 0;
  private next = 0;
  private isCut = false;
  private open = false;
  /** A character may be cut between two pieces. */
  private readonly decoders = { i: new TextDecoder(), o: new TextDecoder(), e: new TextDecoder() };

  add([milliseconds, type, content, continues = false]: Told): void {
    const bytes = Uint8Array.from(atob(content), (character) => character.codePointAt(0) ?? 0);
    const text = this.decoders[type].decode(bytes, { stream: true });
    const last = this.events.at(-1);
    if (this.open && last !== undefined)
      this.events[this.events.length - 1] = { ...last, text: last.text + text };
    else this.events.push({ number: this.next++, milliseconds, type, text });
    this.open = continues;
    this.characters += text.length;
    while (this.characters > KEPT_CHARACTERS && this.events.length > 1) {
      this.characters -= this.events.shift()?.text.length ?? 0;
      this.isCut = true;
    }
  }

  shown(): Pick<LiveEvents, 'events' | 'isCut'> {
    return { events: [...this.events], isCut: this.isCut };
  }
}
