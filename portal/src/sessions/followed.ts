import { isAbort } from '../api/api-fault';
import { requests } from '../api/client';
import { messagesOf } from '../api/event-messages';
import { passes, pauseAfter } from '../api/queries';
import { inPlace } from '../api/stream-places';
import { whileVisible } from '../api/visibility';
import type { Told } from './events-read';

/** While much comes, the browser gets a turn so often. */
const DRAWN_EVERY_MS = 30;

export interface Follower {
  /** The gateway answers. */
  readonly onOpen: () => void;
  /** @returns whether the reader takes more now */
  readonly onEvent: (told: Told) => boolean;
  /** Resolves when the reader takes more. @throws the reason of the signal, when it is aborted */
  readonly wanted: (signal: AbortSignal) => Promise<void>;
  /** The stream was lost, or refused for now, and is asked for again. */
  readonly onLost: (fault: unknown) => void;
}

/**
 * Reads the recording of a session, and what comes while it runs. It goes on where it was when a gateway is
 * lost. In a tab that is out of sight it waits, so that a browser has no more streams than windows.
 * @returns when all was read
 * @throws ApiFault when the gateway refuses it; the reason of the signal, when it is aborted
 */
export async function follow(id: string, signal: AbortSignal, follower: Follower): Promise<void> {
  const reading = new Reading(id, follower);
  for (let tries = 0; !reading.isOver;) {
    await follower.wanted(signal);
    const before = reading.last;
    let fault: unknown;
    try {
      await whileVisible(signal, (visible) => inPlace(visible, (placed) => reading.read(placed)));
    } catch (thrown) {
      signal.throwIfAborted();
      fault = thrown;
    }
    // Given up, because the reader has enough for now, nobody looks, or for another tab that waits.
    if (reading.isOver || reading.isPaused || isAbort(fault)) continue;
    // A stream that breaks fails as a network error of the browser. A gateway
    // ends it after 15 minutes, and when it stops.
    if (fault !== undefined && !passes(fault) && !(fault instanceof TypeError)) throw fault;
    tries = reading.last === before ? tries + 1 : 0;
    follower.onLost(fault);
    await new Promise((again) => setTimeout(again, pauseAfter(tries, fault)));
  }
}

/** Reading position in a recording. */
class Reading {
  /** The id of the last message. */
  last: string | undefined;
  isOver = false;
  isPaused = false;

  constructor(
    private readonly id: string,
    private readonly follower: Follower,
  ) {}

  /** Reads on, until the end, until the stream ends, or until the reader takes no more. */
  async read(signal: AbortSignal): Promise<void> {
    this.isPaused = false;
    const messages = await messagesOf(signal, (heard) =>
      requests.GET('/sessions/{session_id}/stream', {
        params: {
          path: { session_id: this.id },
          header: this.last === undefined ? {} : { 'Last-Event-ID': this.last },
        },
        parseAs: 'stream',
        signal: heard,
      }),
    );
    // No content (204): the last message was the end.
    if (messages === undefined) return void (this.isOver = true);
    this.follower.onOpen();
    for (let drawnAt = performance.now(); ;) {
      const { done, value } = await messages.read();
      if (done) return;
      this.last = value.id ?? this.last;
      if (value.event === 'end') return void (this.isOver = true);
      this.isPaused = !this.follower.onEvent(JSON.parse(value.data) as Told);
      if (this.isPaused) return messages.cancel();
      // Messages that have arrived are read without a pause. The page needs pauses to be drawn.
      if (performance.now() - drawnAt < DRAWN_EVERY_MS) continue;
      await new Promise((again) => setTimeout(again));
      drawnAt = performance.now();
    }
  }
}
