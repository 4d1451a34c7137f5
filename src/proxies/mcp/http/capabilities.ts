import type { Target } from '../../../gate/ports/target-directory';
import { SignInNeeded } from '../../../gate/ports/upstream-credentials';
import { PROGRAM_VERSION } from '../../../kernel/runtime/program-version';
import { type JsonObject, isObject } from '../../../kernel/json/json';
import { type DiscoveredServer, UpstreamFault } from '../../../targets/mcp/upstream';
import type { ClientFacts } from './modern-request';

/** Name and version that servers get in place of the client's, because no rule judges the client's. */
const GATEWAY = { name: 'access-gateway', version: PROGRAM_VERSION };

/** Returns the client as the server sees it: only with capabilities that the policy lets the server use. */
export function allowedTo({ mcp }: Target, { capabilities, era }: ClientFacts): ClientFacts {
  const allowed: readonly string[] = mcp?.serverRequests ?? [];
  const { sampling, elicitation, roots, extensions } = capabilities;
  const asked: JsonObject = {};
  for (const [name, value] of Object.entries({ sampling, elicitation, roots }))
    if (value !== undefined && allowed.includes(name)) asked[name] = value;
  const others = extensions === undefined ? {} : withoutTasks({ extensions });
  return { info: GATEWAY, capabilities: { ...others, ...asked }, era };
}

/**
 * Removes the capability for tasks. Tasks are not supported, because they outlive calls and their results are
 * not bound to a caller.
 */
export function withoutTasks({ tasks: _tasks, extensions, ...capabilities }: JsonObject): JsonObject {
  if (!isObject(extensions)) return capabilities;
  const { 'io.modelcontextprotocol/tasks': _, ...others } = extensions;
  return { ...capabilities, extensions: others };
}

/**
 * Returns all capabilities for a server that requires an account and so cannot be discovered yet. A client
 * that sees no capabilities would never send a request. A client that sees them sends one, and gets the
 * address where the user connects an account.
 * @throws UpstreamFault for all other errors
 */
export function undiscovered(
  error: unknown,
): Pick<DiscoveredServer, 'capabilities' | 'serverInfo' | 'instructions'> {
  if (!(error instanceof UpstreamFault && error.cause instanceof SignInNeeded)) throw error;
  return { capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} } };
}
