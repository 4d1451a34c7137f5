import type { JsonObject } from '../../kernel/json/json';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import { RpcFault } from '../../targets/mcp/protocol/rpc-messages';
import { isList } from './lists';
import type { RequestStates, StateOwner } from './request-states';

/**
 * Cursors are sealed for clients of both eras, so that a client cannot present one of another list, or of somebody else.
 * @returns the parameters of the owner's request with the cursor that the server gave. @throws RpcFault -32602
 */
export async function withServersCursor(states: RequestStates, owner: StateOwner): Promise<JsonObject> {
  const { cursor, ...rest } = owner.params;
  if (!isList(owner.method) || cursor === undefined || cursor === null) return owner.params;
  if (typeof cursor !== 'string') throw new RpcFault(RPC_ERRORS.invalidParams, '"cursor" is not a string');
  const { state } = await states.open(owner, cursor, 'cursor');
  return { ...rest, cursor: state ?? '' };
}

/** The result of the owner's request as its client gets it. */
export async function withSealedCursor(
  states: RequestStates,
  owner: StateOwner,
  result: JsonObject,
): Promise<JsonObject> {
  const { nextCursor } = result;
  if (!isList(owner.method) || typeof nextCursor !== 'string') return result;
  return { ...result, nextCursor: await states.seal(owner, { state: nextCursor }, 'cursor') };
}
