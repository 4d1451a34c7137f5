import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../../kernel/json/json';
import { MCP_HEADERS, decodeHeaderValue } from '../../../targets/mcp/protocol/header-values';
import { type HeaderParameter, headerParameterValues } from '../../../targets/mcp/protocol/param-headers';

/**
 * Compares the parameter headers of a call with its arguments (2026-07-28, streamable HTTP, "Server Behavior
 * for Custom Headers"). Returns the error message; undefined if they agree. Ignores headers of parameters
 * that the schema does not name.
 */
export function headerDisagreement(
  parameters: readonly HeaderParameter[],
  args: Json,
  headers: IncomingHttpHeaders,
): string | undefined {
  const values = headerParameterValues(parameters, args);
  for (const { name } of parameters) {
    const header = headers[`${MCP_HEADERS.paramPrefix}${name.toLowerCase()}`];
    const value = values[name];
    if (header === undefined && value === undefined) continue;
    if (typeof header !== 'string') return `Header mismatch: the header Mcp-Param-${name} is missing`;
    const said = decodeHeaderValue(header);
    if (said === undefined) return `Header mismatch: the header Mcp-Param-${name} is malformed`;
    if (said !== value && !areSameNumbers(said, value))
      return `Header mismatch: the header Mcp-Param-${name} does not match the body`;
  }
  return undefined;
}

/** Compares integers as numbers, as the specification demands: `42.0` is `42`. */
function areSameNumbers(said: string, value: string | undefined): boolean {
  const decimal = /^-?\d{1,15}(\.0*)?$/;
  return value !== undefined && decimal.test(said) && decimal.test(value) && Number(said) === Number(value);
}
