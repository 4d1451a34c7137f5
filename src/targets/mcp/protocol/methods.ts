import { type Json, type JsonObject, isObject, nameKey } from '../../../kernel/json/json';

/** Requests that a server may answer with `input_required` (2026-07-28, "Multi Round-Trip Requests"). */
export const INPUT_METHODS: readonly string[] = ['tools/call', 'prompts/get', 'resources/read'];

/** Requests of a server to its client, and the capability that a client declares to receive them. */
export const CAPABILITY_OF_REQUEST: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

const NOTIFICATIONS_OF_SERVERS: readonly string[] = [
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/message',
  'notifications/progress',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/subscriptions/acknowledged',
  'notifications/tools/list_changed',
];

/** Whether a specification defines this method for messages from servers to clients. */
export function isServerMethod(method: string): boolean {
  return Object.hasOwn(CAPABILITY_OF_REQUEST, method) || NOTIFICATIONS_OF_SERVERS.includes(method);
}

/** The parameter that the header `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * Returns the value of `Mcp-Name` for a request; undefined if the method has no such header or the parameter
 * is not a string.
 */
export function mirroredName(method: string, params: JsonObject | undefined): string | undefined {
  const parameter = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = parameter === undefined ? undefined : params?.[parameter];
  return typeof name === 'string' ? name : undefined;
}

/** Whether requests of this method have to carry `Mcp-Name`. */
export function hasMirroredName(method: string): boolean {
  return Object.hasOwn(NAMED_BY, method);
}

/**
 * Keys of `_meta` that apply to one hop (client to gateway, or gateway to server) and not to the whole
 * interaction (2026-07-28, "Per-request protocol fields").
 */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

const OF_ONE_LEG: ReadonlySet<string> = new Set(Object.values(META).map(nameKey));

/**
 * Returns `_meta` without the keys in `META`, in upper or lower case; undefined when nothing remains. Keeps
 * `progressToken`, trace context and extensions.
 */
export function foreignMeta(meta: Json | undefined): JsonObject | undefined {
  if (!isObject(meta)) return undefined;
  const rest = Object.entries(meta).filter(([key]) => !OF_ONE_LEG.has(nameKey(key)));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Severities of log messages, least severe first (RFC 5424). */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/**
 * Log level of a legacy client that set none. Such a client lets its server choose the messages (2025-11-25,
 * "Logging"), and legacy servers that use the SDKs send all messages. A modern server sends only the messages
 * that a request asks for, so the gateway requests all of them.
 */
export const UNSET_LOG_LEVEL = 'unset';

/** Whether a message of this severity reaches the minimum. Unknown severities always do. */
export function isLogged(level: Json | undefined, minimum: string): boolean {
  if (minimum === UNSET_LOG_LEVEL) return true;
  const at = (LOG_LEVELS as readonly unknown[]).indexOf(level);
  return at < 0 || at >= (LOG_LEVELS as readonly string[]).indexOf(minimum);
}
