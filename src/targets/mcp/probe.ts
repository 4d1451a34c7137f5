import type { McpSettings } from '../../platform/config/groups';
import type { Secret } from '../contract/kind';
import { PROGRAM_VERSION } from '../../kernel/runtime/program-version';
import { authModeOf } from './mcp-auth-mode';
import { secretOfServer } from './secret';
import { UpstreamFault, openUpstream } from './upstream';

const ANSWER_WITHIN_MS = 10_000;
/** Size limit of an answer. Answers to `server/discover` and `initialize` are small. */
const ANSWER_BYTES = 1024 * 1024;

/**
 * Tests whether a remote MCP server answers the first request of a client. Returns the fault in plain words,
 * or undefined. Never rejects.
 */
export async function probe(
  secret: Secret,
  { mcp: { allowedHosts } }: { mcp: McpSettings },
): Promise<string | undefined> {
  const { url, transport, headers } = secretOfServer(secret);
  const upstream = openUpstream({
    url,
    transport,
    allowedHosts,
    headers: () => headers,
    client: { info: { name: 'access-gateway', version: PROGRAM_VERSION }, capabilities: {} },
    maxMessageBytes: ANSWER_BYTES,
    timeoutMs: ANSWER_WITHIN_MS,
    remember: () => undefined,
  });
  try {
    await upstream.discover(AbortSignal.timeout(ANSWER_WITHIN_MS));
    return undefined;
  } catch (error) {
    if (!(error instanceof UpstreamFault)) return 'The MCP server could not be reached.';
    // Tokens are only obtained for calls of principals. A server that demands a token can be reached.
    const getsTokens = authModeOf(secret) !== 'headers';
    if (error.reason === 'needs_reauth' && getsTokens) return undefined;
    return error.reason === 'cancelled' ? 'The MCP server did not answer in time.' : error.what;
  } finally {
    await upstream.close();
  }
}
