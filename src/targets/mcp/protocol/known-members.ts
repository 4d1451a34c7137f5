import { type Json, type JsonObject, isObject, nameKey } from '../../../kernel/json/json';
import { RPC_ERRORS } from './rpc-errors';
import { RpcFault } from './rpc-messages';

/** Content of a JSON member: anything, an object with any members, or an object with known members. */
type Shape = 'any' | 'object' | Members;

interface Members {
  readonly [name: string]: Shape;
}

/**
 * Params of every request. Every method has `inputResponses` and `requestState` (2026-07-28, "Multi
 * Round-Trip Requests"), so that a state sent with a wrong method is refused when it is opened, and not
 * ignored. Neither param is forwarded unchecked.
 */
const META: Members = { _meta: 'any', inputResponses: 'any', requestState: 'any' };
const LIST: Members = { ...META, cursor: 'any' };
const RESOURCE: Members = { ...META, uri: 'any' };

/**
 * The params that revisions define for requests of clients, by method. `task` of 2025-11-25 is left out: the
 * gateway supports no tasks, and must treat the request as one without `task`.
 */
const PARAMS: Readonly<Record<string, Members>> = {
  ping: META,
  'server/discover': META,
  'tools/list': LIST,
  'resources/list': LIST,
  'resources/templates/list': LIST,
  'prompts/list': LIST,
  'tools/call': { ...META, name: 'any', arguments: 'object' },
  'prompts/get': { ...META, name: 'any', arguments: 'object' },
  'resources/read': RESOURCE,
  'resources/subscribe': RESOURCE,
  'resources/unsubscribe': RESOURCE,
  'logging/setLevel': { ...META, level: 'any' },
  'completion/complete': {
    ...META,
    ref: { type: 'any', name: 'any', title: 'any', uri: 'any' },
    argument: { name: 'any', value: 'any' },
    context: { arguments: 'object' },
  },
  'subscriptions/listen': {
    ...META,
    notifications: {
      toolsListChanged: 'any',
      promptsListChanged: 'any',
      resourcesListChanged: 'any',
      resourceSubscriptions: 'any',
    },
  },
};

/**
 * Returns the params of a request without members that the protocol does not define, because a server could
 * use members that no rule has judged. Refuses a name that some servers read as a defined member although it
 * is spelled differently. Treats null in place of an object as absent. Keeps all params of an unknown method,
 * because its requests are not forwarded.
 * @throws RpcFault
 */
export function knownParams(method: string, params: JsonObject): JsonObject {
  const members = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  return members === undefined ? params : known(params, members, 'params');
}

/**
 * Quotes a name from a client for an error message. Shortens it, and escapes characters outside ASCII,
 * because they may look like others.
 */
export function quotedMember(name: string): string {
  return JSON.stringify(name.slice(0, 64)).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function known(given: JsonObject, members: Members, place: string): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    const shape = Object.hasOwn(members, name) ? members[name] : undefined;
    if (shape === undefined) requireUnknown(name, members, place);
    else if (value !== null || shape === 'any') kept[name] = knownValue(value, shape, name);
  }
  return kept;
}

function knownValue(value: Json, shape: Shape, name: string): Json {
  if (shape === 'any') return value;
  if (!isObject(value)) throw invalid(`"${name}" is not an object`);
  return shape === 'object' ? value : known(value, shape, name);
}

function requireUnknown(name: string, members: Members, place: string): void {
  const key = nameKey(name);
  const meant = Object.keys(members).find((member) => nameKey(member) === key);
  if (meant !== undefined)
    throw invalid(`"${place}" has ${quotedMember(name)}, which some servers read as "${meant}"`);
}

function invalid(message: string): RpcFault {
  return new RpcFault(RPC_ERRORS.invalidParams, message);
}
