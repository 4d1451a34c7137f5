import { type JsonObject, isObject } from '../../../kernel/json/json';
import {
  type LegacyRevision,
  NEWEST_LEGACY,
  isLegacyRevision,
} from '../../../targets/mcp/protocol/revisions';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import { RpcFault, type RpcId } from '../../../targets/mcp/protocol/rpc-messages';
import type { ClientAnswer } from '../client/client-answer';
import type { HttpAnswer } from '../http/answer';
import type { SignedArrival } from '../http/arrival';
import type { ClientFacts } from '../http/modern-request';
import type { ServedVisit } from '../visits/served-visit';
import type { LegacyClientSession } from './legacy-session';

/** Reads the client's description of itself from `initialize`. @throws RpcFault if a part is missing */
export function readInitialize(
  { clientInfo, capabilities, protocolVersion }: JsonObject,
  id: RpcId,
): { readonly client: ClientFacts; readonly revision: LegacyRevision } {
  if (!isObject(clientInfo) || !isObject(capabilities) || typeof protocolVersion !== 'string')
    throw new RpcFault(
      RPC_ERRORS.invalidParams,
      '"initialize" needs "protocolVersion", "capabilities" and "clientInfo"',
      id,
    );
  // 2024-11-05 has another transport, which the gateway does not serve.
  const isSpoken = isLegacyRevision(protocolVersion) && protocolVersion !== '2024-11-05';
  return {
    client: { info: clientInfo, capabilities, era: 'legacy' },
    revision: isSpoken ? protocolVersion : NEWEST_LEGACY,
  };
}

/** Requests the server's capabilities and description. */
export async function discoverServer(
  { relay }: ServedVisit,
  arrival: SignedArrival,
  { left }: HttpAnswer,
): Promise<ClientAnswer> {
  const request = { method: 'server/discover', params: {} };
  const client = {
    arrival,
    signal: left,
    notify: () => undefined,
    holding: () => undefined,
    unable: () => undefined,
  };
  return (await relay.request(request, client)).answer;
}

/** Returns the result of `initialize`. Stores the server's capabilities in the session. */
export function initializeResult(session: LegacyClientSession, server: JsonObject): JsonObject {
  const {
    capabilities = {},
    serverInfo = { name: session.visit.session.target.name, version: '0' },
    instructions,
  } = server;
  if (isObject(capabilities)) session.offered = capabilities;
  return {
    protocolVersion: session.revision,
    capabilities,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  };
}
