import { currentSpan } from './spans';

/** W3C Trace Context, version 00: version, trace, span, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The trace context of a caller. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

/** Returns the valid `traceparent` of a request; undefined for a missing or invalid one. */
export function traceparentIn(headers: Readonly<Record<string, unknown>>): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}

/**
 * Returns the trace context to forward with a request. If the gateway traces the request, this is the
 * gateway's own span, which belongs to the caller's trace.
 */
export function traceparentFor(headers: Readonly<Record<string, unknown>>): string | undefined {
  return currentSpan()?.traceparent ?? traceparentIn(headers);
}

/** The parts of a `traceparent`. */
export function traceContextOf(traceparent: string): TraceContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
