import type { JsonObject } from '../../../kernel/json/json';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import type { RpcError } from '../../../targets/mcp/protocol/rpc-messages';
import type { UpstreamAnswer } from '../../../targets/mcp/upstream';

/**
 * Codes of the gateway's own errors. They are HTTP statuses with the same meaning, because MCP reserves the
 * codes of JSON-RPC for itself (2026-07-28, "Error Codes").
 */
export const GATEWAY_ERRORS = {
  refused: 403,
  notFound: 404,
  tooMany: 429,
  upstream: 502,
  unavailable: 503,
} as const;

export function gatewayError(code: number, message: string, data?: JsonObject): RpcError {
  return data === undefined ? { code, message } : { code, message, data };
}

export function errorAnswer(code: number, message: string): UpstreamAnswer {
  return { kind: 'error', error: gatewayError(code, message) };
}

/** Returns the refusal as a result of the tool, because models see results but not protocol errors. */
export function toolError(message: string): UpstreamAnswer {
  return { kind: 'result', result: { content: [{ type: 'text', text: message }], isError: true } };
}

/** Returns one error for both cases: the tool is not allowed, or it does not exist. */
export const unknownTool = (name: string): UpstreamAnswer =>
  errorAnswer(RPC_ERRORS.invalidParams, `Unknown tool: ${name}`);

export const unknownPrompt = (name: string): RpcError =>
  gatewayError(RPC_ERRORS.invalidParams, `Unknown prompt: ${name}`);

/**
 * Error for a name or URI that is not a string. Some servers convert it to a string, which the policy may
 * deny.
 */
export const NOT_A_NAME: RpcError = gatewayError(
  RPC_ERRORS.invalidParams,
  'The name and the uri of a prompt or resource must be strings',
);

export const unknownResource = (uri: string): RpcError =>
  gatewayError(RPC_ERRORS.invalidParams, 'Resource not found', { uri });
