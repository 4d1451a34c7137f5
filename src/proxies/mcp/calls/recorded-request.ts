import { type JsonObject, writeJson } from '../../../kernel/json/json';
import type { UpstreamRequest } from '../../../targets/mcp/upstream';

/**
 * The line of a request in the recording. Its answer has the same `id`, which
 * is of the session and not of the client.
 */
export function recordedRequest(serial: number, { method, params, continuation }: UpstreamRequest): string {
  const given: JsonObject =
    continuation === undefined ? params : { ...params, inputResponses: continuation.responses };
  return `${writeJson({ id: serial, method, params: given })}\n`;
}
