import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { currentSpan } from '../../../kernel/runtime/spans';
import { writeEndLine } from './end-line';

/** Form of a request id from a caller: nothing that could break a log line or a header. */
const SAFE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Parts of the request in log lines. The query is left out, because callbacks have codes in it. */
interface RequestNote {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly remoteAddress: string | undefined;
}

/** Time after the end of the last request in which a log line may still belong to it. */
const LATE_LINES_MS = 1_000;

const current = new AsyncLocalStorage<RequestNote>();
let open = 0;
let forgetting: NodeJS.Timeout | undefined;

/**
 * While an AsyncLocalStorage is in use, Node.js tracks every promise of the process (before AsyncContextFrame
 * in Node 24). That is a tenth of the cost of a command through a wire proxy, so the storage is disabled when
 * no request is open.
 */
function forgetLater(): void {
  if (forgetting !== undefined) forgetting.refresh();
  // Since Node.js 24, a storage is disabled only in the context that asks for it. In the context of this
  // request, its late lines would lose it.
  else forgetting = current.exit(() => setTimeout(forgetRequests, LATE_LINES_MS).unref());
}

/** Called when no line can be late any more: after the last one, or when the app is closed. */
export function forgetRequests(): void {
  clearTimeout(forgetting);
  forgetting = undefined;
  if (open === 0) current.disable();
}

/**
 * Called for each log line: a logger for each request would cost as much as the rest of the HTTP handling.
 */
export function requestOfThisLine(): { req?: RequestNote } & TraceOfLine {
  const req = current.getStore();
  return req === undefined ? traceOfLine() : { req, ...traceOfLine() };
}

/** By these names, log lines are found from a trace. */
interface TraceOfLine {
  readonly trace_id?: string;
  readonly span_id?: string;
}

function traceOfLine(): TraceOfLine {
  const span = currentSpan();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** Notes of requests whose end is logged, until `markLines` has seen them. */
const notes = new WeakMap<Request, RequestNote>();

/**
 * Gives every request an id, which is in its answer, and logs its end. Must be
 * used before all other middleware, so that answers of the body parser and the Swagger UI are logged too.
 */
export function logRequests(app: NestExpressApplication): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    // Probes are frequent and not worth logging.
    if (isProbe(request.path)) identify(request, response);
    else notes.set(request, logRequest(request, response));
    next();
  });
}

/**
 * Names the request in every line of the log that is written from here on. Middleware, in front of everything
 * that writes lines: what is answered before it costs nothing.
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
 * Gives one request an id, and logs its end. Lines meanwhile are not marked (`markLines`): who writes a line
 * names the request (`req: { id }`).
 */
export function logRequest(request: Request, response: Response): RequestNote {
  const { method, path, ip: remoteAddress } = request;
  const note = { id: identify(request, response), method, path, remoteAddress };
  const startedAt = performance.now();
  // The caller's trace is taken now: the end of an answer has no context.
  const trace = traceOfLine();
  response.once('close', () => logEnd(note, trace, response, startedAt));
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
  writeEndLine(response.writableFinished ? end : { ...end, aborted: true });
}

function isProbe(path: string): boolean {
  return path.endsWith('/healthz');
}

function requestId(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
}
