import { isAbort } from '../api/api-fault';
import { requests } from '../api/client';
import { messagesOf } from '../api/event-messages';
import { passes, pauseAfter } from '../api/queries';
import { inPlace } from '../api/stream-places';
import { whileVisible } from '../api/visibility';
import type { Told } from './events-read';

/** While many events arrive, reading pauses at this interval, so that the browser can draw the page. */
const DRAWN_EVERY_MS = 30;

export interface Follower {
  /** Called when the gateway has opened the stream of events. */
  readonly onOpen: () => void;
  /** @returns whether the reader accepts more events now */
  readonly onEvent: (told: Told) => boolean;
  /** Resolves when the reader wants more events. @throws the reason of the signal, when it is aborted */
  readonly wanted: (signal: AbortSignal) => Promise<void>;
  /** Called when the stream broke, or was refused for now. The stream is then requested again. */
  readonly onLost: (fault: unknown) => void;
}

/**
 * Reads the recording of a session, and new events while the session runs. After a lost connection, it
 * continues at the same position. While the tab is hidden, the stream is closed.
 * @returns when the whole recording was read
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
    // Closed by this page: the reader has enough, the tab is hidden, or another tab waits for a stream.
    if (reading.isOver || reading.isPaused || isAbort(fault)) continue;
    // A broken stream fails with a network error of the browser (TypeError). The gateway ends each stream
    // after 15 minutes, and when it stops.
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

  /** Reads until the recording ends, the stream ends, or the reader accepts no more events. */
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
    // Status 204, no content: the recording has ended, and no message follows `last`.
    if (messages === undefined) return void (this.isOver = true);
    this.follower.onOpen();
    for (let drawnAt = performance.now(); ;) {
      const { done, value } = await messages.read();
      if (done) return;
      this.last = value.id ?? this.last;
      if (value.event === 'end') return void (this.isOver = true);
      this.isPaused = !this.follower.onEvent(JSON.parse(value.data) as Told);
      if (this.isPaused) return messages.cancel();
      // Pause after `DRAWN_EVERY_MS` of reading, because the browser cannot draw the page while reading.
      if (performance.now() - drawnAt < DRAWN_EVERY_MS) continue;
      await new Promise((again) => setTimeout(again));
      drawnAt = performance.now();
    }
  }
}
