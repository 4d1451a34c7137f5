import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiFault } from './api-fault';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The gateway sends a message every 5 s. A stream that is silent for so long is lost without the browser's
 * notice, or a proxy on the way holds it back.
 */
const SILENT_MS = 10_000;

/**
 * Asks for a stream of server-sent events.
 * @param ask gives the body of the answer, or nothing
 * @returns the messages as they come; undefined where the answer has no body. Reading them fails when the
 * stream is silent, or its signal aborted
 */
export async function messagesOf(
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<{ data?: ReadableStream<Bytes> | null }>,
): Promise<ReadableStreamDefaultReader<EventSourceMessage> | undefined> {
  const silent = new AbortController();
  const { data } = await ask(AbortSignal.any([signal, silent.signal]));
  return data
    ?.pipeThrough(heard(() => silent.abort(new ApiFault(0, 'silent'))))
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
}

/** Passes the bytes on, and reports a silence of SILENT_MS. */
function heard(onSilence: () => void): TransformStream<Bytes, Bytes> {
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
