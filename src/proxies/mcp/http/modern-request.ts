import type { IncomingHttpHeaders } from 'node:http';
import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';
import { MCP_HEADERS, decodeHeaderValue } from '../../../targets/mcp/protocol/header-values';
import { knownParams } from '../../../targets/mcp/protocol/known-members';
import {
  LOG_LEVELS,
  META,
  foreignMeta,
  hasMirroredName,
  mirroredName,
} from '../../../targets/mcp/protocol/methods';
import {
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  type McpEra,
  isModernRevision,
} from '../../../targets/mcp/protocol/revisions';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import { RpcFault, type RpcNotification, type RpcRequest } from '../../../targets/mcp/protocol/rpc-messages';

/** Methods of the revision 2026-07-28. Requests with other methods get 404 with -32601. */
const METHODS: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
]);

/** A fault of a modern request, with its HTTP status from the specification. */
export class ModernFault extends RpcFault {
  constructor(
    code: number,
    message: string,
    readonly status: 400 | 404,
    readonly data?: JsonObject,
  ) {
    super(code, message);
  }
}

/** A client's description of itself, and the era that it uses. */
export interface ClientFacts {
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly era: McpEra;
}

/** A checked request of the modern era. */
export interface ModernRequest {
  readonly client: ClientFacts;
  readonly method: string;
  /** Parameters that the protocol defines, without those that only the gateway reads. */
  readonly params: JsonObject;
  readonly logLevel?: string;
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
}

/**
 * Whether `_meta` or the version header names the modern era. A request with only the header counts too;
 * `modernRequest` then refuses it.
 */
export function isModern(params: JsonObject | undefined, headers: IncomingHttpHeaders): boolean {
  const meta = params?.['_meta'];
  if (isObject(meta) && Object.hasOwn(meta, META.protocolVersion)) return true;
  return isModernRevision(headers[MCP_HEADERS.protocolVersion]);
}

/**
 * Checks a request against the revision 2026-07-28: version, required fields, and headers that repeat parts
 * of the body.
 * @throws ModernFault, RpcFault
 */
export function modernRequest(
  { method, params = {} }: RpcRequest,
  headers: IncomingHttpHeaders,
): ModernRequest {
  const meta = params['_meta'];
  if (!isObject(meta))
    throw invalid('"_meta" is missing: it has the protocol version and the capabilities of the client');
  requireHeaders(method, params, meta[META.protocolVersion], headers);
  const capabilities = meta[META.clientCapabilities];
  if (!isObject(capabilities)) throw invalid(`"${META.clientCapabilities}" of "_meta" is not an object`);
  const info = meta[META.clientInfo];
  if (info !== undefined && !isObject(info))
    throw invalid(`"${META.clientInfo}" of "_meta" is not an object`);
  if (!METHODS.has(method))
    throw new ModernFault(RPC_ERRORS.methodNotFound, `Method not found: ${method}`, 404);
  return {
    client: { info: info ?? { name: 'unknown', version: '0' }, capabilities, era: 'modern' },
    method,
    ...restOf(knownParams(method, params), meta),
  };
}

/** Checks a notification. Modern clients usually send none over HTTP, but may. @throws ModernFault */
export function requireModernNotification(
  { params = {} }: RpcNotification,
  headers: IncomingHttpHeaders,
): void {
  const meta = params['_meta'];
  const version = isObject(meta) ? meta[META.protocolVersion] : undefined;
  if (version !== undefined) requireVersion(version, headers);
}

function restOf(
  params: JsonObject,
  meta: JsonObject,
): Pick<ModernRequest, 'params' | 'logLevel' | 'inputResponses' | 'requestState'> {
  const { _meta, inputResponses, requestState, ...rest } = params;
  const logLevel = meta[META.logLevel];
  if (logLevel !== undefined && !(LOG_LEVELS as readonly Json[]).includes(logLevel))
    throw invalid(`"${META.logLevel}" of "_meta" is not a log level`);
  if (inputResponses !== undefined && !isObject(inputResponses))
    throw invalid('"inputResponses" is not an object');
  if (requestState !== undefined && typeof requestState !== 'string')
    throw invalid('"requestState" is not a string');
  const foreign = foreignMeta(meta);
  // Ignores input without `requestState`, because the gateway sends a `requestState` with each request for
  // input ("Multi Round-Trip Requests").
  const isAsked = requestState !== undefined;
  return {
    params: foreign === undefined ? rest : { ...rest, _meta: foreign },
    ...(typeof logLevel === 'string' ? { logLevel } : {}),
    ...(inputResponses === undefined || !isAsked ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

function requireHeaders(
  method: string,
  params: JsonObject,
  version: Json | undefined,
  headers: IncomingHttpHeaders,
): void {
  requireVersion(version, headers);
  requireSame('Mcp-Method', headers[MCP_HEADERS.method], method);
  if (hasMirroredName(method))
    requireSame('Mcp-Name', headers[MCP_HEADERS.name], mirroredName(method, params), true);
}

function requireVersion(version: Json | undefined, headers: IncomingHttpHeaders): void {
  const header = headers[MCP_HEADERS.protocolVersion];
  if (header === undefined) throw mismatch('the header MCP-Protocol-Version is missing');
  if (typeof version !== 'string') throw invalid(`"${META.protocolVersion}" of "_meta" is not a string`);
  if (header !== version)
    throw mismatch(
      `the header MCP-Protocol-Version says ${quoted(header)}, and "_meta" says ${quoted(version)}`,
    );
  if (!isModernRevision(version))
    throw new ModernFault(RPC_ERRORS.unsupportedVersion, 'Unsupported protocol version', 400, {
      supported: [...MODERN_REVISIONS, ...LEGACY_REVISIONS],
      requested: version,
    });
}

function requireSame(
  name: string,
  header: string | string[] | undefined,
  value: string | undefined,
  isEncoded = false,
): void {
  if (typeof header !== 'string') throw mismatch(`the header ${name} is missing`);
  const said = isEncoded ? decodeHeaderValue(header) : header;
  if (said === undefined) throw mismatch(`the header ${name} is malformed`);
  if (said !== value) throw mismatch(`the header ${name} does not match the body`);
}

/**
 * Quotes a header's value. Node.js joins repeated headers with a comma, so the value of a repeated header
 * never equals the value in the body.
 */
function quoted(value: string | string[]): string {
  return JSON.stringify(String(value).slice(0, 64));
}

function mismatch(message: string): ModernFault {
  return new ModernFault(RPC_ERRORS.headerMismatch, `Header mismatch: ${message}`, 400);
}

function invalid(message: string): ModernFault {
  return new ModernFault(RPC_ERRORS.invalidParams, message, 400);
}
