import { isAbort } from './api-fault';
import { requests } from './client';
import { messagesOf } from './event-messages';
import { pauseAfter } from './queries';
import { inPlace } from './stream-places';
import { whileVisible } from './visibility';

/**
 * Lifetime after which a stream counts as stable and is requested again soon. If streams break earlier, the
 * pauses between requests grow.
 */
const STEADY_MS = 10_000;

/** A review that changed. */
export interface ChangedReview {
  readonly id: string;
  readonly session_id: string | null;
}

interface Listener {
  /** Called when the stream is open: from then on, the gateway reports every change. */
  readonly onOpen: () => void;
  readonly onChanged: (review: ChangedReview) => void;
  readonly onLost: () => void;
}

/**
 * Receives changes of reviews until the signal is aborted. Closes the stream while the tab is hidden, so that
 * each browser window has at most one stream.
 */
export async function listen(signal: AbortSignal, { onOpen, onChanged, onLost }: Listener): Promise<void> {
  let openedAt = Infinity;
  const read = async (placed: AbortSignal): Promise<void> => {
    const messages = await messagesOf(placed, (signal) =>
      requests.GET('/reviews/stream', { parseAs: 'stream', signal }),
    );
    if (messages === undefined) return;
    openedAt = performance.now();
    onOpen();
    for (;;) {
      const { done, value } = await messages.read();
      if (done) return;
      onChanged(JSON.parse(value.data) as ChangedReview);
    }
  };
  for (let tries = 0; !signal.aborted;) {
    openedAt = Infinity;
    let fault: unknown;
    try {
      await whileVisible(signal, (visible) => inPlace(visible, read));
    } catch (thrown) {
      fault = thrown;
    }
    onLost();
    // The stream was closed because the tab is hidden or another tab waits for a stream.
    if (signal.aborted || isAbort(fault)) continue;
    // A gateway ends a stream after 15 minutes and when it stops. A refused stream is tried again, because it
    // may be allowed after a sign-in, or when another page is closed.
    tries = performance.now() - openedAt >= STEADY_MS ? 0 : tries + 1;
    await new Promise((again) => setTimeout(again, pauseAfter(tries, fault)));
  }
}
