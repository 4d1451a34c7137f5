import type { Person } from '../gateway';
import type { McpPath } from './mcp-path';

/** The unchanged answer to one message. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON message, or the last message of a stream; undefined if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly message: any;
  /** All messages of a stream, or the one JSON message. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly messages: any[];
}

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends messages without an SDK, so that the test controls each byte. */
export class RawClient {
  constructor(
    private readonly path: Pick<McpPath, 'endpoint'> & { gateway: Pick<McpPath['gateway'], 'token'> },
    private readonly connection: string,
    private readonly person: Person | null = 'alice',
  ) {}

  get url(): string {
    return this.path.endpoint(this.connection);
  }

  /** @param body text or bytes to send unchanged, or a value to send as JSON */
  async send(body: unknown, headers: Record<string, string> = {}, method = 'POST'): Promise<RawAnswer> {
    const token = this.person === null ? undefined : await this.path.gateway.token(this.person);
    const response = await fetch(this.path.endpoint(this.connection), {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(method === 'POST'
        ? { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }
        : {}),
    });
    const text = await response.text();
    const messages = messagesOf(text, response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, text, messages, message: messages.at(-1) };
  }

  /** Sends a modern request, with the headers that the protocol requires for it. */
  modern(
    method: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    meta: Record<string, unknown> = {},
  ): Promise<RawAnswer> {
    const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...MODERN_META, ...meta } } };
    const name = params['name'] ?? params['uri'];
    return this.send(body, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': encoded(name) } : {}),
      ...headers,
    });
  }

  call(
    name: string,
    args: Record<string, unknown> = {},
    more: Record<string, unknown> = {},
  ): Promise<RawAnswer> {
    return this.modern('tools/call', { name, arguments: args, ...more });
  }

  /** Begins a legacy session. Returns the headers that all further messages of the session need. */
  async begin(revision = '2025-11-25', capabilities: object = {}): Promise<Record<string, string>> {
    const answer = await this.send({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: revision, capabilities, clientInfo: { name: 'raw', version: '1' } },
    });
    if (answer.status !== 200) throw new Error(answer.text);
    return {
      'mcp-session-id': answer.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': answer.message.result.protocolVersion as string,
    };
  }
}

function encoded(name: string): string {
  return /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

function messagesOf(text: string, type: string): unknown[] {
  if (type.startsWith('application/json')) return [JSON.parse(text)];
  if (!type.startsWith('text/event-stream')) return [];
  return text
    .split('\n\n')
    .map((event) => /^data: ([^\n]+)/m.exec(event)?.[1])
    .filter((data) => data !== undefined)
    .map((data) => JSON.parse(data) as unknown);
}
