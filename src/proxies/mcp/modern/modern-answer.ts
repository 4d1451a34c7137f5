import { type JsonObject, isObject } from '../../../kernel/json/json';
import { META } from '../../../targets/mcp/protocol/methods';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../../targets/mcp/protocol/revisions';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import type { UpstreamAnswer } from '../../../targets/mcp/upstream';
import type { ClientAnswer } from '../client/client-answer';
import { type UrlElicitation, modernElicitation } from '../client/url-elicitation';
import { isList } from '../lists/list-items';
import type { ListWalk } from '../lists/list-walk';
import { withSealedCursor } from '../states/cursors';
import type { RequestStates, StateOwner } from '../states/request-states';

/**
 * Key under which an answer contains the gateway's request to open a page, and under which the client
 * responds.
 */
export const PAGE = 'page';

/**
 * Methods, besides lists, whose results contain cache settings. The gateway forbids caching, because results
 * depend on the caller and on the policy.
 */
const CACHEABLE: ReadonlySet<string> = new Set(['server/discover', 'resources/read']);
const NOT_CACHED = { ttlMs: 0, cacheScope: 'private' } as const;

/**
 * Returns the answer for a modern client. Seals request states and cursors, so that only their owner can use
 * them.
 * @param asked serial number of the request, and id of its session
 */
export async function sealedAnswer(
  states: RequestStates,
  owner: StateOwner,
  answer: ClientAnswer,
  asked: { readonly serial: number; readonly sessionId: string },
  walk: ListWalk,
): Promise<UpstreamAnswer> {
  switch (answer.kind) {
    case 'error':
      return answer.error.code === RPC_ERRORS.resourceNotFound
        ? { kind: 'error', error: { ...answer.error, code: RPC_ERRORS.invalidParams } }
        : answer;
    case 'input': {
      const requestState = await states.seal(owner, { state: answer.state, ...asked }, 'state');
      const inputRequests: JsonObject = {};
      for (const [key, { method, params }] of Object.entries(answer.requests))
        inputRequests[key] = { method, ...(params === undefined ? {} : { params }) };
      return inputRequired(inputRequests, requestState);
    }
    case 'page':
      return pageRequired(states, owner, answer.elicitation);
    case 'result': {
      const result = completeResult(owner.method, answer.result);
      return { kind: 'result', result: await withSealedCursor(states, owner, result, walk) };
    }
  }
}

async function pageRequired(
  states: RequestStates,
  owner: StateOwner,
  elicitation: UrlElicitation,
): Promise<UpstreamAnswer> {
  const requestState = await states.seal(owner, { state: undefined, page: elicitation.id }, 'state');
  return inputRequired({ [PAGE]: { ...modernElicitation(elicitation) } }, requestState);
}

function inputRequired(inputRequests: JsonObject, requestState: string): UpstreamAnswer {
  return { kind: 'result', result: { resultType: 'input_required', inputRequests, requestState } };
}

function completeResult(method: string, server: JsonObject): JsonObject {
  const result: JsonObject = { ...server, resultType: server['resultType'] ?? 'complete' };
  if (method === 'server/discover') Object.assign(result, discovered(server));
  if (isList(method) || CACHEABLE.has(method)) Object.assign(result, NOT_CACHED);
  return result;
}

/** Returns the members that the gateway adds to a result of `server/discover`. */
function discovered(server: JsonObject): JsonObject {
  const { serverInfo, _meta } = server;
  return {
    supportedVersions: [...MODERN_REVISIONS, ...LEGACY_REVISIONS],
    ...(serverInfo === undefined
      ? {}
      : { _meta: { ...(isObject(_meta) ? _meta : {}), [META.serverInfo]: serverInfo } }),
  };
}
