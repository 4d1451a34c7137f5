import type { Target } from '../../../gate/ports/target-directory';
import type { JsonObject } from '../../../kernel/json/json';
import { CAPABILITY_OF_REQUEST } from '../../../targets/mcp/protocol/methods';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import type { RpcError } from '../../../targets/mcp/protocol/rpc-messages';
import type { UpstreamAnswer } from '../../../targets/mcp/upstream';
import { GATEWAY_ERRORS, gatewayError } from './refusals';

/** Returns error -32021 if the server requests input for which the client declared no capability. */
export function missingCapabilities(
  { requests }: UpstreamAnswer & { readonly kind: 'input' },
  capabilities: JsonObject,
): RpcError | undefined {
  const needed = Object.values(requests).map(({ method }) => CAPABILITY_OF_REQUEST[method] ?? method);
  const missing = needed.filter((name) => !Object.hasOwn(capabilities, name));
  if (missing.length === 0) return undefined;
  return gatewayError(
    RPC_ERRORS.missingClientCapability,
    `The server needs a client that supports ${missing.join(' and ')}`,
    { requiredCapabilities: Object.fromEntries(missing.map((name) => [name, {}])) },
  );
}

/** Returns the error if the server requests input that the connection's policy does not allow. */
export function inputNotAllowed(
  { mcp }: Target,
  { requests }: UpstreamAnswer & { readonly kind: 'input' },
): RpcError | undefined {
  const allowed: readonly string[] = mcp?.serverRequests ?? [];
  for (const { method } of Object.values(requests)) {
    const kind = CAPABILITY_OF_REQUEST[method];
    if (kind === undefined || !allowed.includes(kind))
      return gatewayError(
        GATEWAY_ERRORS.refused,
        `The server asked for ${kind ?? 'something unknown'} during the call, which this connection does not allow (mcp_policy.server_requests).`,
      );
  }
  return undefined;
}
