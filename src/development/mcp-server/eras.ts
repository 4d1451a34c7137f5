import type { IncomingHttpHeaders } from 'node:http';
import { type JsonObject, isObject } from '../../kernel/json/json';
import { MCP_HEADERS, decodeHeaderValue } from '../../targets/mcp/protocol/header-values';
import { META, hasMirroredName, mirroredName } from '../../targets/mcp/protocol/methods';
import { type McpEra, NEWEST_LEGACY, NEWEST_MODERN } from '../../targets/mcp/protocol/revisions';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import { RpcFault, type RpcRequest } from '../../targets/mcp/protocol/rpc-messages';

/** MCP revisions that the demo server supports: the newest modern one and the newest legacy one. */
export const DEMO_REVISIONS: readonly string[] = [NEWEST_MODERN, NEWEST_LEGACY];
export const DEMO_SERVER = { name: 'demo-customers', version: '1.0.0' };

/** Methods whose results have cache fields. `ttlMs` is 0, because a result is valid only at this moment. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
]);

/** An error in the headers of a request, answered with HTTP status 400. */
export class HeaderFault extends RpcFault {
  constructor(
    code: number,
    message: string,
    readonly more: { readonly data?: JsonObject } = {},
  ) {
    super(code, message);
  }
}

/** Returns the MCP era of a request, from its body. @throws HeaderFault if the headers contradict the body */
export function eraOf({ method, params }: RpcRequest, headers: IncomingHttpHeaders): McpEra {
  const header = headers[MCP_HEADERS.protocolVersion];
  const meta = params?.['_meta'];
  const version = isObject(meta) ? meta[META.protocolVersion] : undefined;
  if (version === undefined) {
    if (header === undefined || header === NEWEST_LEGACY) return 'legacy';
    throw header === NEWEST_MODERN ? mismatch('MCP-Protocol-Version') : unsupported(String(header));
  }
  if (version !== header || typeof header !== 'string') throw mismatch('MCP-Protocol-Version');
  if (version !== NEWEST_MODERN) throw unsupported(header);
  if (headers[MCP_HEADERS.method] !== method) throw mismatch('Mcp-Method');
  const name = headers[MCP_HEADERS.name];
  if (hasMirroredName(method) && (name === undefined || decoded(name) !== mirroredName(method, params)))
    throw mismatch('Mcp-Name');
  return 'modern';
}

/** Adds the fields that only modern MCP revisions have to a result. */
export function withModernFields(method: string, result: JsonObject): JsonObject {
  return {
    resultType: 'complete',
    ...result,
    ...(CACHEABLE.has(method) ? { ttlMs: 0, cacheScope: 'private' } : {}),
    _meta: { [META.serverInfo]: DEMO_SERVER },
  };
}

function decoded(header: string | string[]): string | undefined {
  return typeof header === 'string' ? decodeHeaderValue(header) : undefined;
}

function mismatch(header: string): HeaderFault {
  const message = `Header mismatch: ${header} is missing or does not match the body`;
  return new HeaderFault(RPC_ERRORS.headerMismatch, message);
}

function unsupported(requested: string): HeaderFault {
  return new HeaderFault(RPC_ERRORS.unsupportedVersion, 'Unsupported protocol version', {
    data: { supported: [...DEMO_REVISIONS], requested },
  });
}
