import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import type { AuthenticatedRequest } from '../routes/access';
import { hasSoundHeaders } from '../edge/sound-headers';
import type { KeptRequest } from './answered-from-memory';
import { isPlainGet } from './plain-get';
import { LARGEST_ANSWER, type ReadyAnswer, type ReadyAnswers } from './ready-answers';

/** Identifies the caller as the guard does. @throws AppError */
export type Identify = (request: Request) => Promise<Principal>;

/** Body size up to which body and headers are sent in one write. */
const ONE_WRITE = 16 * 1024;
/** Headers that are not kept, because they differ in each answer: the request id, and the CORS headers. */
const OF_REQUEST = /^(?:x-request-id|access-control-.*)$/i;

/**
 * Sends kept answers, and keeps new ones. First waits for the change feed, so that an answer includes
 * everything that any gateway committed before the request. Then identifies the caller and checks permission.
 * All other requests, also conditional ones, continue to their route.
 */
export function serveReady(answers: ReadyAnswers, identify: Identify): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!isPlainGet(request) || !hasSoundHeaders(request)) return next();
    // The key contains `Accept-Encoding`, because the sent bytes depend on the client's encodings.
    const key = `${request.headers['accept-encoding'] ?? ''} ${request.originalUrl}`;
    if (!answers.has(key)) {
      keepAnswer(answers, key, request, response);
      return next();
    }
    const takeLongWay = (): void => {
      keepAnswer(answers, key, request, response);
      next();
    };
    void findReady(answers, key, request, identify).then((answer) =>
      answer === undefined ? takeLongWay() : send(response, answer),
    );
  };
}

/** Returns the kept answer for the caller. Never rejects: an unknown caller is refused later by the guard. */
async function findReady(
  answers: ReadyAnswers,
  key: string,
  request: Request,
  identify: Identify,
): Promise<ReadyAnswer | undefined> {
  try {
    await answers.caughtUp(key);
    return answers.find(key, await identified(request, identify));
  } catch {
    return undefined;
  }
}

/** Stores the result for the guard, so that a bad credential is checked and counted only once. */
function identified(request: Request, identify: Identify): Promise<Principal> {
  const identity = identify(request);
  (request as Partial<AuthenticatedRequest>).identity = identity;
  return identity;
}

function send(response: Response, { headers, body }: ReadyAnswer): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  // A latin1 string has one byte per character. Node.js sends it with the headers in one socket write.
  if (body.length <= ONE_WRITE) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}

/** Keeps the sent bytes of an answer. Registered before the compression, so it gets compressed bytes. */
function keepAnswer(answers: ReadyAnswers, key: string, request: KeptRequest, response: Response): void {
  const madeAt = answers.now;
  const sent = new SentBytes();
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  response.write = ((...given: Parameters<typeof write>) => {
    sent.add(request, given);
    return write(...given);
  }) as typeof write;
  response.end = ((...given: Parameters<typeof end>) => {
    sent.add(request, given);
    const { answerTerms } = request;
    const body = answerTerms === undefined ? undefined : sent.whole();
    const result = end(...given);
    if (answerTerms !== undefined && body !== undefined && response.statusCode === 200)
      answers.keep(key, { ...answerTerms, headers: headersOf(response, body), body, madeAt });
    return result;
  }) as typeof end;
}

/** A method of Node.js that is missing in its types. */
interface RawNames {
  getRawHeaderNames(): string[];
}

/** Returns the headers to keep. Adds `Content-Length` if the answer was sent without it. */
function headersOf(response: Response, body: Buffer): ReadyAnswer['headers'] {
  const headers = (response as Response & RawNames)
    .getRawHeaderNames()
    .filter((name) => !OF_REQUEST.test(name))
    .map((name) => [name, response.getHeader(name) ?? ''] as const);
  const hasLength = headers.some(([name]) => name.toLowerCase() === 'content-length');
  return hasLength ? headers : [...headers, ['Content-Length', body.length]];
}

/** Collects the bytes of an answer, up to the maximum size of a kept answer. */
class SentBytes {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  add({ answerTerms }: KeptRequest, [chunk, encoding]: readonly unknown[]): void {
    if (answerTerms === undefined || this.size > LARGEST_ANSWER) return;
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    this.size += bytes.length;
    this.chunks.push(bytes);
  }

  /** Returns the whole body; undefined if it is too large to keep. */
  whole(): Buffer | undefined {
    return this.size > LARGEST_ANSWER ? undefined : Buffer.concat(this.chunks);
  }
}
