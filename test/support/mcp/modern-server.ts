import { type IncomingMessage, type ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type CallToolResult,
  type InputRequests,
  type JsonSchemaType,
  type LoggingLevel,
  McpServer,
  type ServerContext,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
} from '@modelcontextprotocol/server';
import {
  type Asked,
  type Change,
  INSTRUCTIONS,
  PROMPTS,
  RESOURCES,
  SERVER_INFO,
  type TestTool,
  type ToolRun,
  promptMessages,
} from './tools';

/** What a legacy or modern test server is to the HTTP server around it. */
export interface McpHandling {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  changed(what: Change): void;
  close(): Promise<void>;
}

/** The tool has to be run anew, with answers of the client. */
class NeedsInput extends Error {
  constructor(readonly requests: Readonly<Record<string, Asked>>) {
    super('needs input');
  }
}

/** A server of the modern era alone, by the official SDK 2. */
export function modernHandling(
  tools: readonly TestTool[],
  options: { responseMode?: 'auto' | 'sse' } = {},
): McpHandling {
  const handler = createMcpHandler(() => serverOf(tools, changed), { legacy: 'reject', ...options });
  const handle = toNodeHandler(handler);
  function changed(what: Change): void {
    if (what === 'tools') handler.notify.toolsChanged();
    else if (what === 'prompts') handler.notify.promptsChanged();
    else if (what === 'resources') handler.notify.resourcesChanged();
    else handler.notify.resourceUpdated(what.uri);
  }
  return {
    handle: (request, response, body) => handle(request as Parameters<typeof handle>[0], response, body),
    changed,
    close: () => handler.close(),
  };
}

function serverOf(tools: readonly TestTool[], changed: ToolRun['changed']): McpServer {
  const server = new McpServer(SERVER_INFO, {
    instructions: INSTRUCTIONS,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
    },
  });
  for (const tool of tools) {
    const { name, run, inputSchema, outputSchema, ...described } = tool;
    server.registerTool(
      name,
      {
        ...described,
        inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema as JsonSchemaType),
        ...(outputSchema === undefined
          ? {}
          : { outputSchema: fromJsonSchema(outputSchema as JsonSchemaType) }),
      },
      async (args, context) => {
        try {
          return (await run(runOf(args, context, changed))) as CallToolResult;
        } catch (error) {
          if (!(error instanceof NeedsInput)) throw error;
          const answered = context.mcpReq.inputResponses ?? {};
          return inputRequired({
            inputRequests: error.requests as InputRequests,
            // Stateless: what was answered so far comes back with the next round.
            requestState: JSON.stringify({ ...answersIn(context), ...answered }),
          });
        }
      },
    );
  }
  for (const { uri, name, mimeType, contents } of RESOURCES)
    server.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...contents }] }));
  for (const { name, description } of PROMPTS)
    server.registerPrompt(
      name,
      {
        description,
        argsSchema: fromJsonSchema<Record<string, string>>({
          type: 'object',
          properties: { who: { type: 'string' } },
          required: ['who'],
        }),
      },
      (args) => ({ messages: promptMessages(args) as never }),
    );
  return server;
}

function answersIn(context: ServerContext): Record<string, unknown> {
  const state: unknown = context.mcpReq.requestState();
  return typeof state === 'string' ? (JSON.parse(state) as Record<string, unknown>) : {};
}

function runOf(args: Record<string, unknown>, context: ServerContext, changed: ToolRun['changed']): ToolRun {
  const { signal, notify, _meta: meta } = context.mcpReq;
  return {
    args,
    signal,
    changed,
    log: (level, data) => context.mcpReq.log(level as LoggingLevel, data, 'test'),
    progress: async (progress, total, message) => {
      const progressToken = meta?.progressToken;
      if (progressToken !== undefined)
        await notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total, message },
        });
    },
    ask: (requests) => {
      const answers = { ...answersIn(context), ...context.mcpReq.inputResponses };
      return Object.keys(requests).every((key) => Object.hasOwn(answers, key))
        ? Promise.resolve(answers)
        : Promise.reject(new NeedsInput(requests));
    },
  };
}
