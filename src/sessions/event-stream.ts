import type { SessionEvent } from './recording/event-codec';
import type { Parse } from './session-query';

/** The `event_stream` of a session in pieces of JSON text, and how large it became. */
export interface RenderedStream {
  readonly json: AsyncGenerator<string>;
  /** Bytes of the parsed result, final once `json` has ended; undefined when nothing was parsed. */
  readonly size: () => number | undefined;
}

type Events = AsyncIterable<SessionEvent>;

/** Renders the elements of `event_stream` without ever holding more than a few chunks of the recording. */
export function renderEventStream(events: Events, parse: Parse | undefined): RenderedStream {
  const counter = { bytes: 0 };
  return {
    json: elements(events, parse, counter),
    size: () => (parse === undefined ? undefined : counter.bytes),
  };
}

interface Counter {
  bytes: number;
}

function elements(events: Events, parse: Parse | undefined, counter: Counter): AsyncGenerator<string> {
  switch (parse) {
    case 'utf8':
      return utf8(events, counter);
    case 'base64':
      return base64(events, counter);
    case 'raw-queries':
    case undefined:
      return triples(events, counter);
  }
}

async function* triples(events: Events, counter: Counter): AsyncGenerator<string> {
  let separator = '';
  for await (const { time, type, content } of events) {
    counter.bytes += content.length;
    yield `${separator}${JSON.stringify([time, type, content.toString('base64')])}`;
    separator = ',';
  }
}

/** One string; invalid UTF-8 becomes U+FFFD. Characters may be cut between events, so the decoder carries on. */
async function* utf8(events: Events, counter: Counter): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const render = (text: string): string => {
    counter.bytes += Buffer.byteLength(text);
    return JSON.stringify(text).slice(1, -1);
  };
  yield '"';
  for await (const { content } of events) yield render(decoder.decode(content, { stream: true }));
  yield `${render(decoder.decode())}"`;
}

/** One string; base64 turns three bytes into four characters, so up to two bytes wait for the next event. */
async function* base64(events: Events, counter: Counter): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  const render = (bytes: Buffer): string => {
    const text = bytes.toString('base64');
    counter.bytes += text.length;
    return text;
  };
  yield '"';
  for await (const { content } of events) {
    const bytes = Buffer.concat([rest, content]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield render(bytes.subarray(0, whole));
  }
  yield `${render(rest)}"`;
}
