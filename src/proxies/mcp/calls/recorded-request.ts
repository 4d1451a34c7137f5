import { type JsonObject, writeJson } from '../../../kernel/json/json';
import type { UpstreamRequest } from '../../../targets/mcp/upstream';

/**
 * Returns the line of a request in the recording. Request and answer have the same `id`, which is the
 * session's serial number and not the client's id.
 */
export function recordedRequest(serial: number, { method, params, continuation }: UpstreamRequest): string {
  const given: JsonObject =
    continuation === undefined ? params : { ...params, inputResponses: continuation.responses };
  return `${writeJson({ id: serial, method, params: given })}\n`;
}
