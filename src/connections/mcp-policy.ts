import type { McpPolicy } from '../gate/ports/target-directory';

/** What holds where a connection says nothing: all tools, resources and prompts, and no requests of the server. */
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
