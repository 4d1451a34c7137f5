import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiFault } from './api-fault';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Time without data after which a stream counts as lost. The gateway sends a message every 5 s. If none
 * arrives, the connection is broken, or a proxy buffers the messages.
 */
const SILENT_MS = 10_000;

/**
 * Opens a stream of server-sent events.
 * @param ask sends the request and returns the body of the response, if it has one
 * @returns a reader of the messages; undefined when the response has no body. A read fails when no data
 * arrive for too long, or when the signal is aborted
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

/** Passes bytes through and calls `onSilence` after SILENT_MS without bytes. */
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
