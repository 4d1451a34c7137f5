import { isAbort } from './api-fault';
import { requests } from './client';
import { messagesOf } from './event-messages';
import { pauseAfter } from './queries';
import { inPlace } from './stream-places';
import { whileVisible } from './visibility';

/**
 * A stream that lasted so long is asked for again at once; one that something
 * on the way cuts each time, less and less often.
 */
const STEADY_MS = 10_000;

/** A review that changed. */
export interface ChangedReview {
  readonly id: string;
  readonly session_id: string | null;
}

interface Listener {
  /** The stream is open: the gateway reports every change from now on. */
  readonly onOpen: () => void;
  readonly onChanged: (review: ChangedReview) => void;
  readonly onLost: () => void;
}

/**
 * Hears of reviews that change, until the signal is aborted. In a tab that is out of sight it waits, so that
 * a browser has no more streams than windows.
 */
export async function listen(signal: AbortSignal, { onOpen, onChanged, onLost }: Listener): Promise<void> {
  const read = async (placed: AbortSignal): Promise<void> => {
    const messages = await messagesOf(placed, (signal) =>
      requests.GET('/reviews/stream', { parseAs: 'stream', signal }),
    );
    if (messages === undefined) return;
    onOpen();
    for (;;) {
      const { done, value } = await messages.read();
      if (done) return;
      onChanged(JSON.parse(value.data) as ChangedReview);
    }
  };
  for (let tries = 0; !signal.aborted;) {
    const begunAt = performance.now();
    let fault: unknown;
    try {
      await whileVisible(signal, (visible) => inPlace(visible, read));
    } catch (thrown) {
      fault = thrown;
    }
    onLost();
    // Given up, because nobody looks, or for another tab that waits.
    if (signal.aborted || isAbort(fault)) continue;
    // A gateway ends it after 15 minutes, and when it stops. What it refuses may be allowed later: after a
    // sign-in, or when another page is closed.
    tries = performance.now() - begunAt >= STEADY_MS ? 0 : tries + 1;
    await new Promise((again) => setTimeout(again, pauseAfter(tries, fault)));
  }
}
