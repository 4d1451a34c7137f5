import type { Target } from '../../../gate/ports/target-directory';
import { SignInNeeded } from '../../../gate/ports/upstream-credentials';
import { PROGRAM_VERSION } from '../../../kernel/runtime/program-version';
import { type JsonObject, isObject } from '../../../kernel/json/json';
import { type DiscoveredServer, UpstreamFault } from '../../../targets/mcp/upstream';
import type { ClientFacts } from './modern-request';

/** Servers see the gateway and not its client: the client's description of itself is not judged. */
const GATEWAY = { name: 'access-gateway', version: PROGRAM_VERSION };

/** The client's capabilities as the server sees them: only those that the policy lets the server use. */
export function allowedTo({ mcp }: Target, { capabilities, era }: ClientFacts): ClientFacts {
  const allowed: readonly string[] = mcp?.serverRequests ?? [];
  const { sampling, elicitation, roots, extensions } = capabilities;
  const asked: JsonObject = {};
  for (const [name, value] of Object.entries({ sampling, elicitation, roots }))
    if (value !== undefined && allowed.includes(name)) asked[name] = value;
  const others = extensions === undefined ? {} : withoutTasks({ extensions });
  return { info: GATEWAY, capabilities: { ...others, ...asked }, era };
}

/** Tasks outlive calls, and their results are not bound to who called: they are not supported. */
export function withoutTasks({ tasks: _tasks, extensions, ...capabilities }: JsonObject): JsonObject {
  if (!isObject(extensions)) return capabilities;
  const { 'io.modelcontextprotocol/tasks': _, ...others } = extensions;
  return { ...capabilities, extensions: others };
}

/**
 * A server that requires an account answers no discovery before there is one. A client without capabilities
 * would never send the request that needs the account. So all capabilities are declared here; a request is
 * then answered with the address where the user connects. @throws UpstreamFault
 */
export function undiscovered(
  error: unknown,
): Pick<DiscoveredServer, 'capabilities' | 'serverInfo' | 'instructions'> {
  if (!(error instanceof UpstreamFault && error.cause instanceof SignInNeeded)) throw error;
  return { capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} } };
}
