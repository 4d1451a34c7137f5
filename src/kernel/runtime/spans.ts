import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Attributes that a span may have: names of the semantic conventions of OpenTelemetry, and our own below
 * `gateway.`. There is no place for scripts, arguments, queries, addresses of targets or texts of errors,
 * because traces are read by more people than recordings.
 */
export interface SpanFacts {
  readonly 'http.request.method'?: string;
  /** The template of the path, not the path. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  readonly 'url.scheme'?: string;
  /** Version of HTTP. */
  readonly 'network.protocol.version'?: string;
  /** A status, or the class of an error. */
  readonly 'error.type'?: string;
  readonly 'db.system.name'?: DatabaseSystem;
  /** Methods of MCP that the gateway knows. */
  readonly 'mcp.method.name'?: string;
  /** `x-request-id`. */
  readonly 'gateway.request.id'?: string;
  readonly 'gateway.session.id'?: string;
  /** Name of the connection. */
  readonly 'gateway.connection'?: string;
  readonly 'gateway.verdict'?: string;
}

/** Databases at which work is traced, as the conventions name them. */
type DatabaseSystem = 'postgresql';

/**
 * Names of spans inside of a request. By the conventions, work at a database is named by its system where the
 * statement must not be shown.
 */
export type SpanName =
  | 'gateway.access'
  | 'gateway.judge'
  | 'gateway.record'
  | 'gateway.open_recording'
  | 'gateway.dial'
  | 'gateway.call'
  | DatabaseSystem;

/** Work that is measured for a trace. */
export interface OpenSpan {
  /** W3C trace context with this span as the parent. */
  readonly traceparent: string;
  readonly traceId: string;
  readonly spanId: string;
  /** False where the sampler left it out: nothing is kept of it, and work in it begins no spans. */
  readonly isRecorded: boolean;
  child(name: SpanName, facts: SpanFacts): OpenSpan;
  rename(name: string): void;
  note(facts: SpanFacts): void;
  /** @param errorType why it counts as failed */
  end(errorType?: string): void;
}

/**
 * Without tracing there is none: Node.js would otherwise follow every promise of the process (before Node.js
 * 24).
 */
let current: AsyncLocalStorage<OpenSpan> | undefined;

/** Does work in a span, in which `inSpan` begins others. */
export function runIn<T>(span: OpenSpan, work: () => T): T {
  current ??= new AsyncLocalStorage();
  return current.run(span, work);
}

/** The span in which the caller works; undefined where nothing is traced. */
export function currentSpan(): OpenSpan | undefined {
  return current?.getStore();
}

/**
 * Does work in a span of its own, if it is part of a traced request. Ends it when the work is done: if that
 * is a promise, when it settles.
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

/** The class alone: messages may have texts of people in them. */
function typeOf(error: unknown): string {
  return error instanceof Error ? error.name : '_OTHER';
}
