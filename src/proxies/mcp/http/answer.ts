import type { Response } from 'express';
import {
  type JsonObject,
  eachJsonPiece,
  isLargeJson,
  writeJson,
  writeJsonInSlices,
} from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { hangUp } from '../../kit/hang-up';
import { SSE_KEEP_ALIVE, sseEvent } from '../../../targets/mcp/protocol/sse-writer';

/**
 * Interval in milliseconds of comments on a silent event stream, because load balancers close connections
 * that are idle for 60 s.
 */
const KEEP_ALIVE_MS = 15_000;

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  // Reverse proxies must not buffer events (2026-07-28, streamable HTTP, "Receiving Messages").
  'X-Accel-Buffering': 'no',
} as const;

/** Placeholder for the message in an event. */
const PLACE = '{}';

/** The HTTP answer to one message: one JSON object, or a stream if there is more than one message. */
export class HttpAnswer {
  private keepAlive: NodeJS.Timeout | undefined;
  // Created when first read, because most answers have no listener, and each abort creates an error with a
  // stack trace.
  private leaving: AbortController | undefined;
  private closing: AbortController | undefined;
  /**
   * Whether the last message is being written in pieces. Nothing else may be written between or after the
   * pieces.
   */
  private isEnding = false;
  /** Writers that wait until the client has read its data or the answer is over. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly response: Response) {
    response.on('drain', () => this.resumeWrites());
    response.once('close', () => {
      this.stop();
      this.resumeWrites();
      if (!response.writableFinished) this.leaving?.abort();
      this.closing?.abort();
    });
  }

  /** Aborts when the client closes the connection before the answer is complete. */
  get left(): AbortSignal {
    this.leaving ??= controller(this.response.closed && !this.response.writableFinished);
    return this.leaving.signal;
  }

  /**
   * Aborts when the answer is complete or its client has left. Listeners on objects that live longer than the
   * answer must be removed then.
   */
  get closed(): AbortSignal {
    this.closing ??= controller(this.response.closed);
    return this.closing.signal;
  }

  /** Whether nothing more can be written. */
  get isOver(): boolean {
    return this.isEnding || this.isGone;
  }

  private get isGone(): boolean {
    return this.response.writableEnded || this.response.destroyed;
  }

  /** Begins a stream. Idempotent. */
  open(headers: Readonly<Record<string, string>> = {}): void {
    if (this.response.headersSent) return;
    // Bypasses Express, because its methods would add a charset, which event streams do not have.
    this.response.writeHead(200, { ...STREAM_HEADERS, ...headers });
    this.response.flushHeaders();
    this.keepAlive = setInterval(() => this.comment(), KEEP_ALIVE_MS).unref();
  }

  /** Sends a message on the stream. Resolves when the client can receive the next one. */
  async send(message: JsonObject, id?: string): Promise<void> {
    this.open();
    await this.write(
      sseEvent({ data: await writeJsonInSlices(message), ...(id === undefined ? {} : { id }) }),
    );
  }

  /** Sends events that are already serialized. */
  async write(text: string): Promise<void> {
    if (!this.isOver) await this.writeNow(text);
  }

  private async writeNow(text: string): Promise<void> {
    if (this.isGone || this.response.write(text)) return;
    await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  private resumeWrites(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  comment(): void {
    if (!this.isOver) this.response.write(SSE_KEEP_ALIVE);
  }

  /**
   * Sends the last message: on the stream if one is open, otherwise as JSON. Writes a large message in time
   * slices and returns a promise then. If writing fails, the connection is closed and the promise rejects.
   */
  end(
    message: JsonObject | readonly JsonObject[],
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ): MaybePromise<void> {
    this.stop();
    if (this.isOver) return;
    if (this.response.headersSent) return this.endStream(Array.isArray(message) ? message : [message]);
    const head = { ...headers, 'Content-Type': 'application/json; charset=utf-8' };
    if (isLargeJson(message)) {
      this.response.writeHead(status, head);
      return this.endInPieces([message]);
    }
    const text = writeJson(message as JsonObject);
    // Bypasses Express's `send`, because it would compute an ETag and check the request for it, which no
    // message needs.
    this.response.writeHead(status, { ...head, 'Content-Length': Buffer.byteLength(text) });
    this.response.end(text);
  }

  private endStream(messages: readonly JsonObject[]): MaybePromise<void> {
    if (isLargeJson(messages)) return this.endInPieces(messages, sseEvent({ data: PLACE }).split(PLACE));
    this.finish(messages.map((one) => sseEvent({ data: writeJson(one) })).join(''));
  }

  /** @param around the text before and the text after each message */
  private async endInPieces(messages: readonly object[], around: readonly string[] = []): Promise<void> {
    const [before = '', after = ''] = around;
    this.isEnding = true;
    try {
      for (const message of messages) {
        if (before !== '') await this.writeNow(before);
        await eachJsonPiece(message, (piece) => this.writeNow(piece));
        if (after !== '') await this.writeNow(after);
      }
      if (!this.isGone) this.finish();
    } catch (error) {
      // Destroys the connection, because a client would treat a properly ended stream as a complete answer.
      this.response.destroy();
      throw error;
    }
  }

  /** Closes the connection after the answer, because a gateway that stops waits for open connections. */
  hangUpAfterwards(): void {
    const { socket } = this.response;
    if (socket !== null) this.response.once('finish', () => hangUp(socket));
  }

  /** Ends the answer without a message. */
  close(status = 202, headers: Readonly<Record<string, string>> = {}): void {
    this.stop();
    if (this.isOver) return;
    if (!this.response.headersSent) this.response.status(status).set(headers);
    this.finish();
  }

  /** Ends the response and resumes waiting writers, because an ended response emits no `drain` event. */
  private finish(text = ''): void {
    this.response.end(text);
    this.resumeWrites();
  }

  private stop(): void {
    clearInterval(this.keepAlive);
  }
}

function controller(isAborted: boolean): AbortController {
  const made = new AbortController();
  if (isAborted) made.abort();
  return made;
}
