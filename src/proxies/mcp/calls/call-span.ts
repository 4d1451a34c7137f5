import { currentSpan, inSpan } from '../../../kernel/runtime/spans';
import { MCP_METHODS } from '../../../platform/metrics/tables/session-metrics';

const METHODS: ReadonlySet<string> = new Set(MCP_METHODS);

/**
 * Asks the server in a span of its own, named as the semantic conventions for
 * MCP have it, without the name of the tool.
 *
 * @param traceparent of the client's request, which is passed on where nothing is traced here
 */
export function inCallSpan<T>(
  method: string,
  traceparent: string | undefined,
  ask: (traceparent: string | undefined) => T,
): T {
  if (currentSpan() === undefined) return ask(traceparent);
  return inSpan('gateway.call', {}, () => {
    const span = currentSpan();
    if (METHODS.has(method)) {
      span?.rename(method);
      span?.note({ 'mcp.method.name': method });
    }
    return ask(span?.traceparent);
  });
}
