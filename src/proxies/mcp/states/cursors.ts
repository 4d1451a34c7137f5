import type { JsonObject } from '../../../kernel/json/json';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import { RpcFault } from '../../../targets/mcp/protocol/rpc-messages';
import { ListWalk } from '../lists/list-walk';
import { isList } from '../lists/list-items';
import type { RequestStates, StateOwner } from './request-states';

/** Parameters of a request to the server, and the walk through a list that the request continues. */
export interface ListRequest {
  readonly params: JsonObject;
  readonly walk: ListWalk;
}

/**
 * Replaces the sealed cursor of a request with the server's cursor. Cursors are sealed for clients of both
 * eras, so that a client cannot use a cursor of another list or another user.
 * @returns the parameters of the request for the server, and the walk through the list that it continues
 * @throws RpcFault -32602
 */
export async function withServersCursor(states: RequestStates, owner: StateOwner): Promise<ListRequest> {
  const { cursor, ...rest } = owner.params;
  if (!isList(owner.method) || cursor === undefined || cursor === null)
    return { params: owner.params, walk: new ListWalk() };
  if (typeof cursor !== 'string') throw new RpcFault(RPC_ERRORS.invalidParams, '"cursor" is not a string');
  const { state, trail } = await states.open(owner, cursor, 'cursor');
  return { params: { ...rest, cursor: state ?? '' }, walk: new ListWalk(trail) };
}

/**
 * Returns the result of the owner's request with a sealed cursor.
 * @param walk the walk that has read the result
 */
export async function withSealedCursor(
  states: RequestStates,
  owner: StateOwner,
  result: JsonObject,
  { trail }: ListWalk,
): Promise<JsonObject> {
  const { nextCursor } = result;
  if (!isList(owner.method) || typeof nextCursor !== 'string') return result;
  return { ...result, nextCursor: await states.seal(owner, { state: nextCursor, trail }, 'cursor') };
}
