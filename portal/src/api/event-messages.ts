import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';

/** The messages of a stream of server-sent events, as they come. */
export function messagesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStreamDefaultReader<EventSourceMessage> {
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
}
