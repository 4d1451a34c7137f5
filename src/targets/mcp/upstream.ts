import type { McpUpstream, UpstreamOptions } from './upstream/contract';
import { DetectedUpstream } from './upstream/detected-upstream';

export {
  behindFault,
  type Continuation,
  type DiscoveredServer,
  type ExchangeOptions,
  type InputRequest,
  isRefusedInput,
  type McpUpstream,
  type RememberedEra,
  RUN_UNKNOWN,
  type SubscriptionFilter,
  type SubscriptionOptions,
  type UpstreamAnswer,
  type UpstreamError,
  UpstreamFault,
  type UpstreamFaultReason,
  type UpstreamOptions,
  type UpstreamRequest,
} from './upstream/contract';

/** Creates an upstream (client) for an MCP server of either era. Sends nothing before the first request. */
export function openUpstream(options: UpstreamOptions): McpUpstream {
  return new DetectedUpstream(options);
}
