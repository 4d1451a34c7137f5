import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Attributes that a span may have: names of the OpenTelemetry semantic conventions, and our own names that
 * begin with `gateway.`. Scripts, arguments, queries, addresses of targets and error messages are excluded,
 * because more people read traces than recordings.
 */
export interface SpanFacts {
  readonly 'http.request.method'?: string;
  /** The template of the path, not the path. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  readonly 'url.scheme'?: string;
  /** Version of HTTP. */
  readonly 'network.protocol.version'?: string;
  /** A status code, or the class of an error. */
  readonly 'error.type'?: string;
  readonly 'db.system.name'?: DatabaseSystem;
  /** An MCP method that the gateway knows. */
  readonly 'mcp.method.name'?: string;
  /** The value of the header `x-request-id`. */
  readonly 'gateway.request.id'?: string;
  readonly 'gateway.session.id'?: string;
  /** Name of the connection. */
  readonly 'gateway.connection'?: string;
  readonly 'gateway.verdict'?: string;
}

/** Database systems whose work is traced, with their names in the OpenTelemetry conventions. */
type DatabaseSystem = 'postgresql';

/**
 * Names of spans inside a request. A database span has the name of the database system, because the
 * conventions require this when the statement must not be shown.
 */
export type SpanName =
  | 'gateway.access'
  | 'gateway.judge'
  | 'gateway.record'
  | 'gateway.open_recording'
  | 'gateway.dial'
  | 'gateway.call'
  | 'gateway.script'
  | DatabaseSystem;

/** A span that has begun and not ended yet. */
export interface OpenSpan {
  /** W3C trace context with this span as the parent. */
  readonly traceparent: string;
  readonly traceId: string;
  readonly spanId: string;
  /** False if the sampler skipped this span: it is not exported, and it gets no child spans. */
  readonly isRecorded: boolean;
  child(name: SpanName, facts: SpanFacts): OpenSpan;
  rename(name: string): void;
  note(facts: SpanFacts): void;
  /** @param errorType the reason why the span failed; absent for success */
  end(errorType?: string): void;
}

/**
 * Storage of the current span, created for the first span. Without tracing it stays undefined, because before
 * Node.js 24 an AsyncLocalStorage makes Node.js track every promise of the process.
 */
let current: AsyncLocalStorage<OpenSpan> | undefined;

/** Runs `work` in a span. Spans that `inSpan` begins during the work become its children. */
export function runIn<T>(span: OpenSpan, work: () => T): T {
  current ??= new AsyncLocalStorage();
  return current.run(span, work);
}

/** Returns the span in which the caller runs; undefined if the request is not traced. */
export function currentSpan(): OpenSpan | undefined {
  return current?.getStore();
}

/**
 * Runs `work` in a new span if the request is traced. The span ends when the work is done; if the work
 * returns a promise, when it settles.
 */
export function inSpan<T>(name: SpanName, facts: SpanFacts, work: () => T): T {
  const parent = current?.getStore();
  if (parent?.isRecorded !== true) return work();
  const span = parent.child(name, facts);
  let done: T;
  try {
    done = runIn(span, work);
  } catch (error) {
    span.end(typeOf(error));
    throw error;
  }
  if (!(done instanceof Promise)) {
    span.end();
    return done;
  }
  done.then(
    () => span.end(),
    (error: unknown) => span.end(typeOf(error)),
  );
  return done;
}

/** Returns only the class of an error, because its message may contain text that people entered. */
function typeOf(error: unknown): string {
  return error instanceof Error ? error.name : '_OTHER';
}
