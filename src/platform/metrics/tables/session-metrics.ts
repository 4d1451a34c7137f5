import { LATENCIES, type MetricTable } from '../definition/definition';

/**
 * Protocols by which a session is opened: `script` over REST, and the protocols of clients. Each target kind
 * adds its protocols when it is registered (`targets/kinds.ts`), before anything is counted.
 */
export const SESSION_PROTOCOLS: string[] = ['script'];
const DIRECTIONS = ['input', 'output'] as const;
/** MCP methods that are counted by name. All other methods of clients count as `other`. */
export const MCP_METHODS = [
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
] as const;

export const sessionMetrics = {
  gateway_sessions_started_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Sessions that began, or went on after a review.',
    labels: { protocol: SESSION_PROTOCOLS },
  },
  gateway_sessions_ended_total: {
    kind: 'counter',
    of: 'worker',
    help: 'How they went. `blocked`: by a guardrail or a rule. `waiting`: for a review. `stopped`: from outside, or because they could not be recorded.',
    labels: {
      protocol: SESSION_PROTOCOLS,
      verdict: ['completed', 'failed', 'blocked', 'waiting', 'stopped'],
    },
  },
  gateway_sessions_running: {
    kind: 'gauge',
    of: 'worker',
    help: 'Sessions that run now.',
    labels: { protocol: SESSION_PROTOCOLS },
  },
  gateway_guardrail_hits_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Hits of guardrails: what was refused, and pieces of output that were masked.',
    labels: { direction: DIRECTIONS, effect: ['blocked', 'masked'] },
  },
  gateway_guardrail_duration_seconds: {
    kind: 'histogram',
    of: 'worker',
    help: 'Time to judge an input, or to screen a piece of output.',
    labels: { direction: DIRECTIONS },
    buckets: [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  },
  gateway_mcp_requests_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Requests of MCP clients, by what became of them.',
    labels: { method: MCP_METHODS, verdict: ['forwarded', 'refused', 'pending', 'blocked', 'unknown'] },
  },
  gateway_mcp_request_duration_seconds: {
    kind: 'histogram',
    of: 'worker',
    help: 'Time of these requests, with the server and, where one was waited for, the review.',
    labels: { method: MCP_METHODS },
    buckets: LATENCIES,
  },
} as const satisfies MetricTable;
