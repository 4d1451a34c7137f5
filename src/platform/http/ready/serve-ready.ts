import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import type { AuthenticatedRequest } from '../routes/access';
import { hasSoundHeaders } from '../edge/sound-headers';
import type { KeptRequest } from './answered-from-memory';
import { isPlainGet } from './plain-get';
import { LARGEST_ANSWER, type ReadyAnswer, type ReadyAnswers } from './ready-answers';

/** Identifies the caller as the guard does. @throws AppError */
export type Identify = (request: Request) => Promise<Principal>;

/** Shorter bodies are sent together with their headers. */
const ONE_WRITE = 16 * 1024;
/** Differs in each answer: the id of the request, and what a page of another origin may do with it. */
const OF_REQUEST = /^(?:x-request-id|access-control-.*)$/i;

/**
 * Sends ready answers, and keeps new ones. Only after a look at the change feed, so that nobody reads less
 * than what was committed before the request, on whatever gateway; and only to callers who are identified and
 * may have it. All other requests take the long way, and so do those with conditions.
 */
export function serveReady(answers: ReadyAnswers, identify: Identify): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!isPlainGet(request) || !hasSoundHeaders(request)) return next();
    // The bytes depend on the encodings that the client accepts.
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

/** Never rejects: where the caller cannot be identified, the guard refuses with the same words. */
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

/** The guard takes this answer instead of a second one: a bad credential is counted once. */
function identified(request: Request, identify: Identify): Promise<Principal> {
  const identity = identify(request);
  (request as Partial<AuthenticatedRequest>).identity = identity;
  return identity;
}

function send(response: Response, { headers, body }: ReadyAnswer): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  // Body and headers are one text, which is one write to the socket: each character is a byte.
  if (body.length <= ONE_WRITE) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}

/** Keeps what is sent. It comes before the middleware that compresses, so it sees the bytes of the socket. */
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

/** A function of Node.js that its types do not have. */
interface RawNames {
  getRawHeaderNames(): string[];
}

/** With the length of the body also where it was not known when the answer began. */
function headersOf(response: Response, body: Buffer): ReadyAnswer['headers'] {
  const headers = (response as Response & RawNames)
    .getRawHeaderNames()
    .filter((name) => !OF_REQUEST.test(name))
    .map((name) => [name, response.getHeader(name) ?? ''] as const);
  const hasLength = headers.some(([name]) => name.toLowerCase() === 'content-length');
  return hasLength ? headers : [...headers, ['Content-Length', body.length]];
}

/** The bytes of an answer, as long as they are few enough to be kept. */
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

  /** undefined: they were too many. */
  whole(): Buffer | undefined {
    return this.size > LARGEST_ANSWER ? undefined : Buffer.concat(this.chunks);
  }
}
