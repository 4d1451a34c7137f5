import { type Json, JsonNumber, type JsonObject, isObject } from '../../../kernel/json/json';
import { RPC_ERRORS } from './rpc-errors';

/**
 * A string or an integer. An integer that a double cannot represent exactly is a `JsonNumber`, and is written
 * back unchanged.
 */
export type RpcId = string | number | JsonNumber;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject | undefined;
}

export interface RpcError extends JsonObject {
  code: number;
  message: string;
}

/** `id` is undefined only in an error response to a message that could not be read. */
export type RpcResponse =
  | { readonly kind: 'result'; readonly id: RpcId; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly id: RpcId | undefined; readonly error: RpcError };

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/**
 * Error: a message is not JSON-RPC as MCP defines it. `code` and `message` can be sent in the error response.
 * `id` is the id of the message, if it has one.
 */
export class RpcFault extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly id?: RpcId,
  ) {
    super(message);
  }
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/**
 * Finds the kind of a message. Ignores members that JSON-RPC does not define. A batch is not a message: in
 * revisions with batches, the caller classifies the elements one by one.
 * @throws RpcFault
 */
export function classifyMessage(json: Json): RpcMessage {
  if (Array.isArray(json)) throw invalid('a batch of messages is not allowed here');
  if (!isObject(json)) throw invalid('a message is an object');
  const id = idOf(json);
  if (json['jsonrpc'] !== '2.0') throw invalid('"jsonrpc" is not "2.0"', id);
  const hasResult = Object.hasOwn(json, 'result');
  const hasError = Object.hasOwn(json, 'error');
  if (Object.hasOwn(json, 'method')) {
    if (hasResult || hasError) throw invalid('a message has a method and an answer', id);
    return methodMessage(json, id);
  }
  if (hasResult === hasError)
    throw invalid('a message has a method, a result or an error, and only one of them', id);
  if (hasResult) {
    const result = json['result'];
    if (id === undefined) throw invalid('a result has no "id"');
    if (!isObject(result)) throw invalid('"result" is not an object', id);
    return { kind: 'result', id, result };
  }
  return { kind: 'error', id, error: errorOf(json['error'], id) };
}

/** Returns an id as a key for maps. The keys of `1` and `"1"` differ. */
export function idKey(id: RpcId): string {
  return typeof id === 'string' ? `"${id}` : String(id instanceof JsonNumber ? id.text : id);
}

export function rpcRequest(id: RpcId, method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export function rpcNotification(method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
}

export function rpcResult(id: RpcId, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

/**
 * @param id undefined if the answered message has no readable id. Then the
 * answer has no `id`, as in MCP (JSON-RPC has null).
 */
export function rpcError(id: RpcId | undefined, error: RpcError): JsonObject {
  return { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error };
}

function methodMessage(json: JsonObject, id: RpcId | undefined): RpcRequest | RpcNotification {
  const { method, params } = json;
  if (typeof method !== 'string' || method === '') throw invalid('"method" is not a string', id);
  if (Object.hasOwn(json, 'params') && !isObject(params)) throw invalid('"params" is not an object', id);
  const known = isObject(params) ? params : undefined;
  if (id !== undefined) return { kind: 'request', id, method, params: known };
  if (Object.hasOwn(json, 'id')) throw invalid('"id" is not a string or an integer');
  return { kind: 'notification', method, params: known };
}

/** Returns the id; undefined if it is absent or null. Only an error may have null. */
function idOf(json: JsonObject): RpcId | undefined {
  const id = json['id'];
  if (id === undefined || id === null || typeof id === 'string') return id ?? undefined;
  if (typeof id === 'number' && Number.isInteger(id)) return id;
  if (id instanceof JsonNumber && INTEGER.test(id.text)) return id;
  throw invalid('"id" is not a string or an integer');
}

function errorOf(error: Json | undefined, id: RpcId | undefined): RpcError {
  if (!isObject(error)) throw invalid('"error" is not an object', id);
  const { code, message } = error;
  if (typeof code !== 'number' || !Number.isInteger(code))
    throw invalid('"code" of an error is not an integer', id);
  if (typeof message !== 'string') throw invalid('"message" of an error is not a string', id);
  return error as RpcError;
}

function invalid(message: string, id?: RpcId): RpcFault {
  return new RpcFault(RPC_ERRORS.invalidRequest, message, id);
}
