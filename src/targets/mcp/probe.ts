import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { McpSettings } from '../../config/groups';
import { ForbiddenAddress, checkedRequestOptions } from '../../outbound/checked-address';

const ANSWER_WITHIN_MS = 10_000;

/** The first message of every MCP client (Model Context Protocol 2025-06-18, "Lifecycle"). */
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'access-gateway', version: '1.180.0' },
  },
});

/** Sends `initialize` to a remote MCP server. Returns the fault in plain words, or undefined. Never rejects. */
export async function probe(
  secret: Readonly<Record<string, string>>,
  { mcp: { allowedHosts } }: { mcp: McpSettings },
): Promise<string | undefined> {
  const url = new URL(secret['REMOTE_URL'] ?? '');
  try {
    const status = await sendRequest(url, secret, allowedHosts);
    if (status === 401 || status === 403) return `The MCP server refuses the credential (status ${status}).`;
    return status >= 200 && status < 300 ? undefined : `The MCP server answered with status ${status}.`;
  } catch (error) {
    if (error instanceof ForbiddenAddress)
      return `The gateway does not connect to this address: ${error.message}. To allow it, add its host to MCP_ALLOWED_HOSTS.`;
    return 'The MCP server could not be reached.';
  }
}

async function sendRequest(
  url: URL,
  secret: Readonly<Record<string, string>>,
  allowedHosts: McpSettings['allowedHosts'],
): Promise<number> {
  const way = await checkedRequestOptions(url.hostname, allowedHosts);
  const isEvents = secret['MCP_TRANSPORT'] === 'sse';
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = send(
      url,
      {
        method: isEvents ? 'GET' : 'POST',
        ...way,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        headers: {
          ...headersOf(secret),
          accept: isEvents ? 'text/event-stream' : 'application/json, text/event-stream',
          ...(isEvents ? {} : { 'content-type': 'application/json' }),
        },
      },
      (response) => {
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    );
    call.on('error', reject);
    call.end(isEvents ? undefined : INITIALIZE);
  });
}

/** `HEADER_Authorization` has the value of the header `Authorization`. `_` stands for `-`, which environment variables cannot contain. */
function headersOf(secret: Readonly<Record<string, string>>): Record<string, string> {
  const headers = Object.entries(secret).filter(([name]) => name.startsWith('HEADER_'));
  return Object.fromEntries(
    headers.map(([name, value]) => [name.slice('HEADER_'.length).replaceAll('_', '-'), value]),
  );
}
