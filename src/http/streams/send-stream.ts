import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

/** How long an ended answer waits for a reader that takes nothing. */
const CUT_AFTER_MS = 1_000;

/** Server-sent events (HTML, "Server-sent events") for one reader. */
export interface SentStream {
  /** Aborts when nothing more may be sent. */
  readonly signal: AbortSignal;
  messages(): AsyncGenerator<string>;
  close(): void;
}

/** Sends as fast as the reader takes. Resolves when the stream has ended, from whichever side. */
export async function sendStream(request: Request, response: Response, stream: SentStream): Promise<void> {
  let cut: NodeJS.Timeout | undefined;
  try {
    response.once('close', () => stream.close());
    stream.signal.addEventListener('abort', () => {
      cut = setTimeout(() => response.destroy(), CUT_AFTER_MS);
    });
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    // A gateway that stops must not wait for the next request on this connection.
    response.setHeader('Connection', 'close');
    // Some proxies buffer answers otherwise.
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders();
    if (request.method === 'HEAD') response.end();
    else await pipeline(Readable.from(stream.messages()), response);
  } finally {
    stream.close();
    clearTimeout(cut);
  }
}
