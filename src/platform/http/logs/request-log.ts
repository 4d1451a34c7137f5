import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { currentSpan } from '../../../kernel/runtime/spans';
import { writeEndLine } from './end-line';
import { isProbe } from './probes';
import { isWholeAnswer } from './whole-answer';

/** Form of a request id from a caller: nothing that could break a log line or a header. */
const SAFE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Parts of the request in log lines. The query is left out, because callbacks have codes in it. */
interface RequestNote {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly remoteAddress: string | undefined;
}

/** Time after the end of the last request during which late log lines still name their request. */
const LATE_LINES_MS = 1_000;

const current = new AsyncLocalStorage<RequestNote>();
let open = 0;
let forgetting: NodeJS.Timeout | undefined;

/**
 * Disables the `AsyncLocalStorage` of the current request soon after the last request. While it is in use,
 * Node.js before 24 (AsyncContextFrame) tracks every promise of the process. For a command through a wire
 * proxy, this tracking is a tenth of the cost.
 */
function forgetLater(): void {
  if (forgetting !== undefined) forgetting.refresh();
  // Since Node.js 24, `disable` affects only the context that calls it. The timer runs outside the context of
  // this request, so that late lines of this request still name it.
  else forgetting = current.exit(() => setTimeout(forgetRequests, LATE_LINES_MS).unref());
}

/** Disables the `AsyncLocalStorage` if no request is open. Called after `LATE_LINES_MS` or at app close. */
export function forgetRequests(): void {
  clearTimeout(forgetting);
  forgetting = undefined;
  if (open === 0) current.disable();
}

/**
 * Returns the request and the trace for one log line. Called for each line, because a logger for each
 * request would cost as much as the rest of the HTTP handling.
 */
export function requestOfThisLine(): { req?: RequestNote } & TraceOfLine {
  const req = current.getStore();
  return req === undefined ? traceOfLine() : { req, ...traceOfLine() };
}

/** Ids by which log tools find the log lines of a trace. */
interface TraceOfLine {
  readonly trace_id?: string;
  readonly span_id?: string;
}

function traceOfLine(): TraceOfLine {
  const span = currentSpan();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** The data of each request for its log lines; read by `markLines`. */
const notes = new WeakMap<Request, RequestNote>();

/**
 * Gives every request an id, sends the id in the answer, and logs the end of the request. Must be registered
 * before other middleware, so that answers of the body parser and the Swagger UI are logged too.
 *
 * @param prefix of the API
 */
export function logRequests(app: NestExpressApplication, prefix: string): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    // Load balancers send probes often, so the end of a successful probe is not logged.
    const isLogged = isProbe(request.path, prefix) ? hasFailed : undefined;
    notes.set(request, logRequest(request, response, isLogged));
    next();
  });
}

/**
 * Middleware that adds the request to every log line written after it. Must run before all code that logs.
 * Requests that are answered earlier avoid its cost.
 */
export function markLines(request: Request, response: Response, next: () => void): void {
  const note = notes.get(request);
  if (note === undefined) return next();
  open += 1;
  response.once('close', () => {
    open -= 1;
    forgetLater();
  });
  current.run(note, next);
}

/**
 * Gives one request an id, and logs the end of the request. Other log lines do not name the request unless
 * `markLines` runs, or the code that logs adds `req: { id }`.
 *
 * @param isLogged decides at the end of the answer
 */
export function logRequest(
  request: Request,
  response: Response,
  isLogged: (response: Response) => boolean = () => true,
): RequestNote {
  const { method, path, ip: remoteAddress } = request;
  const note = { id: identify(request, response), method, path, remoteAddress };
  const startedAt = performance.now();
  // The trace is read now, because `close` listeners run without the context of the request.
  const trace = traceOfLine();
  response.once('close', () => {
    if (isLogged(response)) logEnd(note, trace, response, startedAt);
  });
  return note;
}

function identify(request: Request, response: Response): string {
  const id = requestId(request);
  response.setHeader('x-request-id', id);
  return id;
}

function logEnd(req: RequestNote, trace: TraceOfLine, response: Response, startedAt: number): void {
  const end = {
    req,
    ...trace,
    res: { statusCode: response.statusCode },
    responseTime: Math.round(performance.now() - startedAt),
  };
  writeEndLine(isWholeAnswer(response) ? end : { ...end, aborted: true });
}

function hasFailed(response: Response): boolean {
  return response.statusCode >= 400 || !isWholeAnswer(response);
}

function requestId(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
}
