// Requests of MCP clients.

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const INFO = { name: 'bench', version: '1.0.0' };

/** The headers and the body of one call in the modern era. */
export function modernCall(text, authorization) {
  const params = { name: 'echo', arguments: { text } };
  params._meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': INFO,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    headers: {
      ...headersOf(authorization),
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

/**
 * Returns one call as options of the load generator, which sends it repeatedly. @throws when the first call
 * fails
 */
export async function requestOf(era, url, authorization) {
  const text = 'How much does the way cost?';
  const request =
    era === 'modern' ? modernCall(text, authorization) : await legacyCall(url, text, authorization);
  const first = await fetch(url, request);
  const answer = await first.text();
  if (!answer.includes(`You said: ${text}`)) throw new Error(`${url}: ${first.status} ${answer}`);
  return { url, ...request, idReplacement: era === 'legacy' };
}

/** Begins a session of the legacy era. Returns the request of one call in it. */
async function legacyCall(url, text, authorization) {
  const headers = headersOf(authorization);
  const send = (message) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo: INFO };
  const answer = await send({ id: 'initialize', method: 'initialize', params });
  headers['mcp-session-id'] = answer.headers.get('mcp-session-id');
  headers['mcp-protocol-version'] = LEGACY;
  await answer.text();
  await (await send({ method: 'notifications/initialized' })).text();
  // Every client lists the tools before it calls one, and some gateways insist on it.
  await (await send({ id: 'list', method: 'tools/list', params: {} })).text();
  // Each of several concurrent requests needs its own id. The load generator writes it in place of `[<id>]`.
  const call = {
    jsonrpc: '2.0',
    id: '[<id>]',
    method: 'tools/call',
    params: { name: 'echo', arguments: { text } },
  };
  return { method: 'POST', headers, body: JSON.stringify(call) };
}

function headersOf(authorization) {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(authorization === undefined ? {} : { authorization }),
  };
}
