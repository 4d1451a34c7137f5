import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type InputRequests,
  type InputRequiredResult,
  type JsonSchemaType,
  type LoggingLevel,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
} from '@modelcontextprotocol/server';
import { type Offer, completionOf, contentsOf, pageOf } from './offer';
import { type Asked, type Change, INSTRUCTIONS, SERVER_INFO, type ToolRun } from './tools';

/** The part of a test MCP server that the HTTP server around it calls. It is the same in both eras. */
export interface McpHandling {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  changed(what: Change): void;
  close(): Promise<void>;
}

/** Thrown when a tool needs answers of the client. The tool then runs again with the answers. */
class NeedsInput extends Error {
  constructor(readonly requests: Readonly<Record<string, Asked>>) {
    super('needs input');
  }
}

type Answers = Readonly<Record<string, unknown>>;

/** Seals the client's answers so far. The client stores them and sends them back; the server has no state. */
const states = createRequestStateCodec<Answers>({ key: randomBytes(32) });

/** Creates a server that speaks only the modern era, with the official SDK 2. */
export function modernHandling(offer: Offer, options: { responseMode?: 'auto' | 'sse' } = {}): McpHandling {
  const handler = createMcpHandler(() => serverOf(offer, changed), { legacy: 'reject', ...options });
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

function serverOf(offer: Offer, changed: ToolRun['changed']): McpServer {
  const mcp = new McpServer(SERVER_INFO, {
    instructions: INSTRUCTIONS,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
      completions: {},
    },
    requestState: { verify: (state, context) => states.verify(state, context) },
  });
  for (const tool of offer.tools) {
    const { name, run, inputSchema, outputSchema, ...described } = tool;
    mcp.registerTool(
      name,
      {
        ...described,
        inputSchema: schemaOf<Record<string, unknown>>(inputSchema as JsonSchemaType),
        ...(outputSchema === undefined ? {} : { outputSchema: schemaOf(outputSchema as JsonSchemaType) }),
      },
      (args, context) =>
        orInput(context, async () => (await run(runOf(args, context, changed))) as CallToolResult),
    );
  }
  for (const { uri, name, contents: _, ...described } of offer.resources)
    mcp.registerResource(name, uri, described, () => read(offer, uri));
  for (const { uriTemplate, name, contents: _, ids: _ids, ...described } of offer.templates)
    mcp.registerResource(
      name,
      new ResourceTemplate(uriTemplate, { list: undefined }),
      described,
      ({ href }) => read(offer, href),
    );
  for (const { name, description, arguments: args, messages } of offer.prompts)
    mcp.registerPrompt(
      name,
      {
        description,
        argsSchema: schemaOf<Record<string, string>>({
          type: 'object',
          properties: Object.fromEntries(
            args.map((one) => [
              one.name,
              { type: 'string', ...(one.description === undefined ? {} : { description: one.description }) },
            ]),
          ),
          required: args.filter(({ required }) => required).map((one) => one.name),
        }),
      },
      (given, context) =>
        orInput(context, async () => ({ messages: (await messages(given, askIn(context))) as never })),
    );
  // Replaces handlers of the SDK, because the SDK has no paging, and cannot complete arguments that JSON
  // Schema defines.
  const { server } = mcp;
  server.setRequestHandler('completion/complete', ({ params }) =>
    completionOf(offer, params.ref, params.argument),
  );
  if (offer.pageSize !== undefined)
    server.setRequestHandler('resources/list', ({ params }) => {
      const { page, nextCursor } = pageOf(offer.resources, offer, params?.cursor);
      return {
        resources: page.map(({ contents: _contents, ...resource }) => resource),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    });
  return mcp;
}

const schemas = new Map<string, ReturnType<typeof fromJsonSchema>>();

/**
 * Compiles each schema only once. Otherwise the SDK would compile it for each request, because each request
 * has its own server.
 */
function schemaOf<T>(schema: JsonSchemaType): ReturnType<typeof fromJsonSchema<T>> {
  const key = JSON.stringify(schema);
  const known = schemas.get(key) ?? fromJsonSchema(schema);
  schemas.set(key, known);
  return known as ReturnType<typeof fromJsonSchema<T>>;
}

function read(offer: Offer, uri: string): { contents: [never] } {
  const contents = contentsOf(offer, uri);
  if (contents === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [contents as never] };
}

/** Returns the result of the work, or the requests that the client must answer first. */
async function orInput<T>(context: ServerContext, work: () => Promise<T>): Promise<T | InputRequiredResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NeedsInput)) throw error;
    return inputRequired({
      inputRequests: error.requests as InputRequests,
      requestState: await states.mint(answersIn(context), context),
    });
  }
}

function answersIn(context: ServerContext): Answers {
  return { ...context.mcpReq.requestState<Answers>(), ...context.mcpReq.inputResponses };
}

function askIn(context: ServerContext): ToolRun['ask'] {
  return (requests) => {
    const answers = answersIn(context);
    return Object.keys(requests).every((key) => Object.hasOwn(answers, key))
      ? Promise.resolve(answers)
      : Promise.reject(new NeedsInput(requests));
  };
}

function runOf(args: Record<string, unknown>, context: ServerContext, changed: ToolRun['changed']): ToolRun {
  const { signal, notify, _meta: meta, envelope } = context.mcpReq;
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities = {} } = (envelope ?? {}) as Record<string, object>;
  return {
    args,
    signal,
    changed,
    capabilities: capabilities as Record<string, unknown>,
    log: (level, data) => context.mcpReq.log(level as LoggingLevel, data, 'test'),
    progress: async (progress, total, message) => {
      const progressToken = meta?.progressToken;
      if (progressToken !== undefined)
        await notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total, message },
        });
    },
    ask: askIn(context),
  };
}
