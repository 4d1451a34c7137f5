import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { GatewayFault } from './gateway-fault.js';
import { pause, waitBefore } from './retries.js';

/** A recorded event of a session: input of the client, output of the target, an error. */
export interface SessionEvent {
  readonly kind: 'event';
  /** Position from which to continue: `StreamOptions.after`. */
  readonly id: string;
  /** Seconds since the session began. */
  readonly time: number;
  readonly type: 'i' | 'o' | 'e';
  readonly content: Uint8Array;
  /** Whether the next message continues this event, because long events are sent in pieces. */
  readonly continues: boolean;
}

/** The last message of the stream. It reports that the session has ended. */
export interface SessionEnd {
  readonly kind: 'end';
  readonly status: string;
  readonly exitCode: number | null;
  readonly endDate: string | null;
}

export type SessionMessage = SessionEvent | SessionEnd;

export interface StreamOptions {
  /** Id of the last event that was received. The stream continues after it. Default: from the beginning. */
  readonly after?: string;
  /** Ends the stream with a `GatewayFault` whose `cause` is the reason of the abort. */
  readonly signal?: AbortSignal;
}

/** Silence after which the connection counts as lost. The gateway sends a message at least every 15 s. */
const SILENCE_MS = 60_000;
/** Maximum number of consecutive attempts to reopen a lost stream that bring no new message. */
const FRUITLESS = 8;
const NO_CONTENT = 204;
/** Statuses of temporary failures: no answer (0), too many requests, and a server that is unavailable. */
const PASSING = new Set([0, 429, 502, 503, 504]);

/** Opens the stream after the event `after`. @throws GatewayFault when the gateway refuses it */
export type OpenStream = (after: string | undefined, signal: AbortSignal) => Promise<Response>;

/**
 * Yields the messages of a session, as they are recorded, until it ends. A lost stream continues after the
 * last received event. @throws GatewayFault, also when the caller's signal aborts
 */
export async function* messagesOf(
  open: OpenStream,
  { after, signal = new AbortController().signal }: StreamOptions,
): AsyncGenerator<SessionMessage, void> {
  let known = after;
  let fruitless = 0;
  for (;;) {
    const silence = new AbortController();
    const either = AbortSignal.any([signal, silence.signal]);
    try {
      const response = await open(known, either);
      if (response.status === NO_CONTENT) return;
      for await (const message of parsed(response, silence)) {
        fruitless = 0;
        yield message;
        if (message.kind === 'end') return;
        known = message.id;
      }
    } catch (error) {
      // A refusal and an abort are final. A lost stream is opened again.
      const isRefusal = error instanceof GatewayFault && !PASSING.has(error.status);
      if (isRefusal || signal.aborted || fruitless >= FRUITLESS) throw GatewayFault.ofNetwork(error);
    }
    if (fruitless >= FRUITLESS)
      throw new GatewayFault(0, 'the event stream ended before the session', undefined);
    fruitless += 1;
    await pause(waitBefore(fruitless, undefined) * 1000, signal).catch((error: unknown) => {
      throw GatewayFault.ofNetwork(error);
    });
  }
}

async function* parsed(response: Response, silence: AbortController): AsyncGenerator<SessionMessage, void> {
  const { body } = response;
  if (body === null) return;
  const arrived: SessionMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(messageOf(event)) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const quiet = (): void => silence.abort(new Error('the event stream was silent for too long'));
  let timer = setTimeout(quiet, SILENCE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      parser.feed(decoder.decode(value, { stream: true }));
      // The timer is stopped during `yield`, because a slow reader does not mean a silent gateway.
      yield* arrived.splice(0);
      timer = setTimeout(quiet, SILENCE_MS);
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => undefined);
  }
}

function messageOf({ id = '', event, data }: EventSourceMessage): SessionMessage {
  if (event === 'end') {
    const end = JSON.parse(data) as { status: string; exit_code: number | null; end_date: string | null };
    return { kind: 'end', status: end.status, exitCode: end.exit_code, endDate: end.end_date };
  }
  const [time, type, content, continues] = JSON.parse(data) as [number, 'i' | 'o' | 'e', string, true?];
  return { kind: 'event', id, time, type, content: bytesOf(content), continues: continues === true };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
