import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { PeriodicTask } from '../../../kernel/async/periodic-task';
import type { AuthenticatedRequest } from '../routes/access';

/** Time from the end of a stream until the connection is destroyed if the reader does not read. */
const CUT_AFTER_MS = 1_000;
/**
 * Interval of the comments in a stream. Without them, readers treat a silent stream as lost, and proxies
 * close it.
 */
const HEARTBEAT_MS = 5_000;
const COMMENT = ': nothing new\n\n';
/** Interval of the check whether the reader's credential is still valid. */
const LOOKED_EVERY_MS = 2_000;

/** Server-sent events (HTML, "Server-sent events") for one reader. */
export interface SentStream {
  /** Aborts when nothing more may be sent. */
  readonly signal: AbortSignal;
  messages(): AsyncGenerator<string>;
  close(): void;
}

/**
 * Sends a stream at the speed of its reader, with comments as heartbeats. Ends the stream when the credential
 * of the request ends. Resolves when the reader or the gateway has ended the stream.
 */
export async function sendStream(
  request: Request,
  response: Response,
  stream: SentStream,
  heartbeatMs = HEARTBEAT_MS,
): Promise<void> {
  let cut: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  const looking = lookAtCredential(request, stream);
  try {
    response.once('close', () => stream.close());
    stream.signal.addEventListener('abort', () => {
      cut = setTimeout(() => response.destroy(), CUT_AFTER_MS);
    });
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    // A gateway that stops must not wait for another request on this connection.
    response.setHeader('Connection', 'close');
    // Some proxies buffer answers otherwise.
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders();
    if (request.method === 'HEAD') return void response.end();
    // Each message is written in one piece, so a comment never splits a message.
    heartbeat = setInterval(() => {
      if (!response.writableNeedDrain && !response.writableEnded) response.write(COMMENT);
    }, heartbeatMs);
    await pipeline(Readable.from(stream.messages()), response);
  } finally {
    void looking?.stop();
    stream.close();
    clearInterval(heartbeat);
    clearTimeout(cut);
  }
}

/**
 * Ends the stream when the reader's credential ends, because another person may use the screen after the
 * user has signed out.
 */
function lookAtCredential(request: Request, stream: SentStream): PeriodicTask | undefined {
  const { credentialLasts } = request as Partial<AuthenticatedRequest>;
  if (credentialLasts === undefined) return undefined;
  const looking = new PeriodicTask({
    everyMs: LOOKED_EVERY_MS,
    work: async () => {
      if (!(await credentialLasts())) stream.close();
    },
    // Ignores the error, because a stream sends nothing anyway while the database fails.
    onError: () => undefined,
  });
  looking.start();
  return looking;
}
