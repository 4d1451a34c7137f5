import { type Json, type JsonObject, isObject, nameKey } from '../../../kernel/json/json';
import { RPC_ERRORS } from './rpc-errors';
import { RpcFault } from './rpc-messages';

/** Content of a member: anything, an object of any members, or an object of known ones. */
type Shape = 'any' | 'object' | Members;

interface Members {
  readonly [name: string]: Shape;
}

/**
 * With those of 2026-07-28, "Multi Round-Trip Requests", for every request: a state at a request that takes
 * none is refused where states are opened, and not passed over. They are never forwarded as they came.
 */
const META: Members = { _meta: 'any', inputResponses: 'any', requestState: 'any' };
const LIST: Members = { ...META, cursor: 'any' };
const RESOURCE: Members = { ...META, uri: 'any' };

/**
 * The params that any revision defines for the requests of clients. `task` of 2025-11-25 is not among them:
 * no task is supported, and who supports none takes the request as one without it.
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
 * The params of a request, with the members alone that the protocol knows: a server may read others in ways
 * that nobody judged. What some server reads as a known member, though it is spelled otherwise, is refused. A
 * null in place of an object is as if it were absent. Methods that no revision has keep their params: they
 * are not passed on.
 * @throws RpcFault
 */
export function knownParams(method: string, params: JsonObject): JsonObject {
  const members = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  return members === undefined ? params : known(params, members, 'params');
}

/** A name of others in a message: short, and without letters that look like others. */
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
