import type { Globs, McpPolicy } from '../../../gate/ports/target-directory';
import { AppError } from '../../../kernel/app-error';
import { targetKind } from '../../../targets/kinds';
import type { McpPolicyBody, NamePatternsBody } from './mcp-policy.dto';
import { type PolicyKeys, withPolicyKeys } from './mcp-policy-keys';

/** Default policy: allows all tools, resources and prompts, but no requests of the server to the client. */
export const DEFAULT_MCP_POLICY: McpPolicy = {
  tools: { allowed: [], denied: [], approval: [] },
  resources: { allowed: [], denied: [] },
  prompts: { allowed: [], denied: [] },
  newTools: 'allow',
  serverRequests: [],
  callsPerMinute: null,
  resultBytes: null,
  streams: null,
};

export function hasMcpPolicy(subtype: string): boolean {
  return targetKind(subtype)?.hasMcpPolicy === true;
}

/**
 * Returns the policy of a connection after a change; null if its kind has no policy.
 * @param base the policy that provides the fields that the change omits.
 * @param keys the policy values in the secret of the change; see `takePolicyKeys`.
 * @throws AppError `unprocessable`
 */
export function policyAfter(
  subtype: string,
  base: McpPolicy | null,
  given: McpPolicyBody | null | undefined,
  keys: PolicyKeys,
): McpPolicy | null {
  if (!hasMcpPolicy(subtype)) {
    if (given === undefined || given === null) return null;
    throw new AppError('unprocessable', `a connection of subtype ${subtype} has no mcp_policy`);
  }
  return merged(base ?? DEFAULT_MCP_POLICY, withPolicyKeys(given ?? {}, keys));
}

function merged(policy: McpPolicy, body: McpPolicyBody): McpPolicy {
  const { calls_per_minute, result_bytes, streams } = body;
  return {
    tools: {
      ...patterns(policy.tools, body.tools),
      approval: once(body.tools?.approval) ?? policy.tools.approval,
    },
    resources: patterns(policy.resources, body.resources),
    prompts: patterns(policy.prompts, body.prompts),
    newTools: body.new_tools ?? policy.newTools,
    serverRequests: once(body.server_requests) ?? policy.serverRequests,
    callsPerMinute: calls_per_minute === undefined ? policy.callsPerMinute : calls_per_minute,
    resultBytes: result_bytes === undefined ? policy.resultBytes : result_bytes,
    streams: streams === undefined ? policy.streams : streams,
  };
}

function patterns(globs: Globs, body: NamePatternsBody | undefined): Globs {
  return { allowed: once(body?.allowed) ?? globs.allowed, denied: once(body?.denied) ?? globs.denied };
}

function once<T>(list: readonly T[] | null | undefined): readonly T[] | undefined {
  return list === null || list === undefined ? undefined : [...new Set(list)];
}
