import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  type LoggingLevel,
  McpError,
  ReadResourceRequestSchema,
  ResultSchema,
  type ServerNotification,
  type ServerRequest,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpHandling } from './modern-server';
import { type Offer, completionOf, contentsOf, pageOf } from './offer';
import { type Change, INSTRUCTIONS, SERVER_INFO, type ToolRun } from './tools';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

interface LegacySessionOfTest {
  readonly server: Server;
  readonly uris: Set<string>;
}

/** Stores events so that the server can send them again when a client reconnects with `Last-Event-ID`. */
class EventStore {
  private readonly events: { readonly stream: string; readonly message: JSONRPCMessage }[] = [];

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.events.push({ stream, message });
    return Promise.resolve(String(this.events.length));
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const from = Number(last);
    const stream = this.events[from - 1]?.stream ?? '';
    for (const [index, event] of this.events.entries())
      if (index >= from && event.stream === stream && Object.keys(event.message).length > 0)
        await send(String(index + 1), event.message);
    return stream;
  }
}

/** A server of the legacy era, built with the official SDK 1: streamable HTTP with sessions. */
export function legacyHandling(
  offer: Offer,
  /** @param asksOnShared whether the server sends its requests on the GET stream, not in the POST's answer */
  options: { readonly asksOnShared?: boolean; readonly json?: boolean } = {},
): McpHandling {
  const sessions = new Map<
    string,
    LegacySessionOfTest & { readonly transport: StreamableHTTPServerTransport }
  >();
  const changed = (what: Change): void => tellAll(sessions.values(), what);
  return {
    changed,
    async handle(request, response, body) {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && known === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }),
        );
        return;
      }
      if (known !== undefined) return known.transport.handleRequest(request, response, body);
      const uris = new Set<string>();
      const server = legacyServer(offer, uris, changed, options.asksOnShared === true);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        eventStore: new EventStore(),
        enableJsonResponse: options.json === true,
        onsessioninitialized: (session) => void sessions.set(session, { server, transport, uris }),
        onsessionclosed: (session) => void sessions.delete(session),
      });
      await server.connect(transport);
      await transport.handleRequest(request, response, body);
    },
    async close() {
      for (const { server } of sessions.values()) await server.close();
    },
  };
}

/** A server of revision 2024-11-05: the event stream at any path, POST of messages to `/messages`. */
export function sseHandling(offer: Offer): McpHandling {
  const sessions = new Map<string, LegacySessionOfTest & { readonly transport: SSEServerTransport }>();
  const changed = (what: Change): void => tellAll(sessions.values(), what);
  return {
    changed,
    async handle(request, response, body) {
      const url = new URL(request.url ?? '/', 'http://test');
      if (request.method === 'GET') {
        const uris = new Set<string>();
        const server = legacyServer(offer, uris, changed, false);
        const transport = new SSEServerTransport('/messages', response);
        sessions.set(transport.sessionId, { server, transport, uris });
        response.on('close', () => void sessions.delete(transport.sessionId));
        await server.connect(transport);
      } else if (url.pathname === '/messages') {
        const session = sessions.get(url.searchParams.get('sessionId') ?? '');
        if (session === undefined) response.writeHead(404).end();
        else await session.transport.handlePostMessage(request, response, body);
      } else response.writeHead(405).end();
    },
    async close() {
      for (const { server } of sessions.values()) await server.close();
    },
  };
}

function tellAll(sessions: Iterable<LegacySessionOfTest>, what: Change): void {
  for (const { server, uris } of sessions) {
    if (what === 'tools') void server.sendToolListChanged();
    else if (what === 'prompts') void server.sendPromptListChanged();
    else if (what === 'resources') void server.sendResourceListChanged();
    else if (uris.has(what.uri)) void server.sendResourceUpdated(what);
  }
}

function legacyServer(
  offer: Offer,
  uris: Set<string>,
  changed: ToolRun['changed'],
  asksOnShared: boolean,
): Server {
  const server = new Server(SERVER_INFO, {
    instructions: INSTRUCTIONS,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
      completions: {},
    },
  });
  let minimum = 'debug';
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: offer.tools.map((tool) => ({ ...tool, run: undefined })),
  }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params: { name, arguments: args = {} } }, extra) => {
      const tool = offer.tools.find((one) => one.name === name);
      if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `Tool ${name} not found`);
      return await tool.run(runOf(server, args, extra, changed, { asksOnShared, minimum }));
    },
  );
  server.setRequestHandler(SetLevelRequestSchema, ({ params: { level } }) => {
    minimum = level;
    return {};
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    const { page, nextCursor } = pageOf(offer.resources, offer, params?.cursor);
    return {
      resources: page.map(({ contents: _contents, ...resource }) => resource),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: offer.templates.map(({ contents: _contents, ids: _ids, ...template }) => template),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const contents = contentsOf(offer, uri);
    if (contents === undefined) throw new McpError(-32002, 'Resource not found', { uri });
    return { contents: [contents as never] };
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    uris.add(uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    uris.delete(uri);
    return {};
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: offer.prompts.map(({ name, description, arguments: args }) => ({
      name,
      description,
      arguments: [...args],
    })),
  }));
  server.setRequestHandler(
    GetPromptRequestSchema,
    async ({ params: { name, arguments: args = {} } }, extra) => {
      const prompt = offer.prompts.find((one) => one.name === name);
      if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `Prompt ${name} not found`);
      return { messages: (await prompt.messages(args, askOf(server, extra, asksOnShared))) as never };
    },
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument } }) =>
    completionOf(offer, ref, argument),
  );
  return server;
}

const SEVERITIES = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

function runOf(
  server: Server,
  args: Record<string, unknown>,
  extra: Extra,
  changed: ToolRun['changed'],
  { asksOnShared, minimum }: { readonly asksOnShared: boolean; readonly minimum: string },
): ToolRun {
  return {
    args,
    signal: extra.signal,
    changed,
    capabilities: { ...server.getClientCapabilities() },
    log: async (level, data) => {
      if (SEVERITIES.indexOf(level) >= SEVERITIES.indexOf(minimum))
        await extra.sendNotification({
          method: 'notifications/message',
          params: { level: level as LoggingLevel, logger: 'test', data },
        });
    },
    progress: async (progress, total, message) => {
      const progressToken = extra._meta?.progressToken;
      if (progressToken !== undefined)
        await extra.sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total, message },
        });
    },
    ask: askOf(server, extra, asksOnShared),
  };
}

function askOf(server: Server, extra: Extra, asksOnShared: boolean): ToolRun['ask'] {
  return async (requests) => {
    const answers = await Promise.all(
      Object.entries(requests).map(async ([key, request]) => {
        const asked = request as ServerRequest;
        return [
          key,
          await (asksOnShared ? server.request(asked, ResultSchema) : extra.sendRequest(asked, ResultSchema)),
        ] as const;
      }),
    );
    return Object.fromEntries(answers);
  };
}
