import { ApiFault, isAbort } from './api-fault';
import { requests } from './client';
import { messagesOf } from './event-messages';
import { pauseAfter } from './queries';
import { inPlace } from './stream-places';
import { whileVisible } from './visibility';

/** A stream that lasted so long is asked for again at once; one that something on the way cuts each time, less and less often. */
const STEADY_MS = 10_000;
/** The gateway says something every 5 s. A stream that is silent for so long is lost, though the browser was not told; or something on the way holds it back. */
const SILENT_MS = 10_000;

/** A review that changed. */
export interface ChangedReview {
  readonly id: string;
  readonly session_id: string | null;
}

interface Listener {
  /** The gateway tells of all that changes from now on. */
  readonly onOpen: () => void;
  readonly onChanged: (review: ChangedReview) => void;
  readonly onLost: () => void;
}

/**
 * Hears of reviews that change, until the signal is aborted. In a tab that is out of sight it waits, so that a browser has no more streams than
 * windows.
 */
export async function listen(signal: AbortSignal, { onOpen, onChanged, onLost }: Listener): Promise<void> {
  const read = async (placed: AbortSignal): Promise<void> => {
    const silent = new AbortController();
    const either = AbortSignal.any([placed, silent.signal]);
    const { data } = await requests.GET('/reviews/stream', { parseAs: 'stream', signal: either });
    if (data === undefined || data === null) return;
    onOpen();
    const messages = messagesOf(data.pipeThrough(heard(() => silent.abort(new ApiFault(0, 'silent')))));
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
    // A gateway ends it after 15 minutes, and when it stops. What it refuses may be allowed later: after a sign-in, or when another page is closed.
    tries = performance.now() - begunAt >= STEADY_MS ? 0 : tries + 1;
    await new Promise((again) => setTimeout(again, pauseAfter(tries, fault)));
  }
}

/** Passes on what comes, and says when nothing has for a while. */
function heard(onSilence: () => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let silence = setTimeout(onSilence, SILENT_MS);
  return new TransformStream({
    transform(bytes, next) {
      clearTimeout(silence);
      silence = setTimeout(onSilence, SILENT_MS);
      next.enqueue(bytes);
    },
    flush: () => clearTimeout(silence),
  });
}
