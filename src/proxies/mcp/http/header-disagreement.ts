import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../../kernel/json/json';
import { MCP_HEADERS, decodeHeaderValue } from '../../../targets/mcp/protocol/header-values';
import { type HeaderParameter, headerParameterValues } from '../../../targets/mcp/protocol/param-headers';

/**
 * Compares the headers of parameters with the arguments of a call: returns the message of the error, or
 * undefined. 2026-07-28, streamable HTTP, "Server Behavior for Custom Headers". Headers of parameters that
 * the schema does not name are ignored.
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

/** The specification compares integers as numbers: `42.0` is `42`. */
function areSameNumbers(said: string, value: string | undefined): boolean {
  const decimal = /^-?\d{1,15}(\.0*)?$/;
  return value !== undefined && decimal.test(said) && decimal.test(value) && Number(said) === Number(value);
}
