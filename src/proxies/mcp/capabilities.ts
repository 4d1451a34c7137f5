import type { Target } from '../../gate/ports/target-directory';
import { type JsonObject, isObject } from '../../kernel/json/json';
import type { ClientFacts } from './modern-request';

/** What the server hears of its client's abilities: nothing that the policy does not let it use. */
export function allowedTo({ mcp }: Target, { info, capabilities }: ClientFacts): ClientFacts {
  const allowed: readonly string[] = mcp?.serverRequests ?? [];
  const { sampling, elicitation, roots, ...others } = capabilities;
  const asked: JsonObject = {};
  for (const [name, value] of Object.entries({ sampling, elicitation, roots }))
    if (value !== undefined && allowed.includes(name)) asked[name] = value;
  return { info, capabilities: { ...withoutTasks(others), ...asked } };
}

/** Tasks outlive calls, and their results are not bound to who called: they are not supported. */
export function withoutTasks({ tasks: _tasks, extensions, ...capabilities }: JsonObject): JsonObject {
  if (!isObject(extensions)) return capabilities;
  const { 'io.modelcontextprotocol/tasks': _, ...others } = extensions;
  return { ...capabilities, extensions: others };
}
