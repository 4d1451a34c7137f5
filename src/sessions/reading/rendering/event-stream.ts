import type { EventPiece } from '../../format/event-codec';
import type { Parse } from './session-query';
import { type Batches, type Output, type Rendering, rendered } from './rendering';
import { outputDecoder } from '../../format/output-decoder';

const NOTHING: Buffer = Buffer.alloc(0);

/** The `event_stream` of a session as parts of JSON text, and its size. */
export interface RenderedStream {
  readonly json: AsyncGenerator<Buffer>;
  /**
   * Returns the size of the parsed result in bytes; undefined if nothing was parsed. The size is final once
   * `json` has ended.
   */
  readonly size: () => number | undefined;
}

/** Renders the elements of `event_stream`. Only a few chunks of the recording are in memory. */
export function renderEventStream(batches: Batches, parse: Parse | undefined): RenderedStream {
  const counter = { bytes: 0 };
  return {
    json: rendered(batches, elements(parse, counter)),
    size: () => (parse === undefined ? undefined : counter.bytes),
  };
}

interface Counter {
  bytes: number;
}

function elements(parse: Parse | undefined, counter: Counter): Rendering {
  switch (parse) {
    case 'utf8':
      return utf8(counter);
    case 'base64':
      return joinedBase64(counter);
    case 'raw-queries':
    case undefined:
      return triples(counter);
  }
}

/** Renders `[ms, type, base64]` for each event. */
function triples(counter: Counter): Rendering {
  const base64 = new Base64Carry();
  let separator = '';
  return {
    begin({ time, type }, out) {
      out.write(`${separator}[${JSON.stringify(time)},"${type}","`);
      separator = ',';
    },
    content({ content }, out) {
      counter.bytes += content.length;
      out.write(base64.write(content));
    },
    finish(_, out) {
      out.write(`${base64.end()}"]`);
    },
  };
}

/**
 * Renders one string. Invalid UTF-8 becomes U+FFFD. Output is decoded as one stream of each type, because a
 * character may be cut between two events. Such a character is rendered with the event in which it ends.
 * Inputs are messages, and are decoded one by one.
 */
function utf8(counter: Counter): Rendering {
  const decoders = { i: outputDecoder(), o: outputDecoder(), e: outputDecoder() };
  const counted = (text: string): string => {
    counter.bytes += Buffer.byteLength(text);
    return JSON.stringify(text).slice(1, -1);
  };
  return joined({
    write: ({ type, content }) => counted(decoders[type].decode(content, { stream: true })),
    finish: ({ type }) => (type === 'i' ? counted(decoders.i.decode()) : ''),
    end: () => counted(decoders.o.decode() + decoders.e.decode()),
  });
}

function joinedBase64(counter: Counter): Rendering {
  const base64 = new Base64Carry();
  const counted = (text: string): string => {
    counter.bytes += text.length;
    return text;
  };
  return joined({
    write: ({ content }) => counted(base64.write(content)),
    finish: () => '',
    end: () => counted(base64.end()),
  });
}

/** Encodes the contents of all events as parts of one text. */
interface Encoding {
  readonly write: (piece: EventPiece) => string;
  /** Called after the last piece of an event. */
  readonly finish: (event: EventPiece) => string;
  readonly end: () => string;
}

/** Joins the contents of all events into one element. */
function joined({ write, finish, end }: Encoding): Rendering {
  let quote = '"';
  const open = (out: Output): void => {
    out.write(quote);
    quote = '';
  };
  return {
    content(piece, out) {
      open(out);
      out.write(write(piece));
    },
    finish(event, out) {
      out.write(finish(event));
    },
    end(out) {
      open(out);
      out.write(`${end()}"`);
    },
  };
}

/**
 * Encodes base64 piece by piece. Three bytes become four characters, so up to two bytes wait for the next
 * piece.
 */
class Base64Carry {
  private rest = NOTHING;

  write(bytes: Buffer): string {
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const whole = all.length - (all.length % 3);
    this.rest = whole === all.length ? NOTHING : Buffer.from(all.subarray(whole));
    return all.toString('base64', 0, whole);
  }

  end(): string {
    if (this.rest.length === 0) return '';
    const text = this.rest.toString('base64');
    this.rest = NOTHING;
    return text;
  }
}
