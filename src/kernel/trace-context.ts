/** W3C Trace Context, version 00: version, trace, span, flags. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The `traceparent` of a request; undefined without one, and for any that the standard has ignored. */
export function traceparentIn(headers: Readonly<Record<string, unknown>>): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}
