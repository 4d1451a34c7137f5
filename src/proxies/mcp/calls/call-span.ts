import { currentSpan, inSpan } from '../../../kernel/runtime/spans';
import { MCP_METHODS } from '../../../platform/metrics/tables/session-metrics';

const METHODS: ReadonlySet<string> = new Set(MCP_METHODS);

/**
 * Sends the request to the server in its own span. The span's name follows the semantic conventions for MCP,
 * without the name of the tool.
 *
 * @param traceparent of the client's request; passed on unchanged when the gateway does not trace the request
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
