import {
  Client as ModernSdk,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacySdk } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ElicitationCompleteNotificationSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

/**
 * A client with an official SDK. `legacy`: SDK 1, which supports only the legacy era. `modern`: SDK 2, set to
 * the modern era only. `auto`: SDK 2, set to detect the era. `default`: SDK 2 with its default, legacy.
 */
export type ClientKind = 'legacy' | 'modern' | 'auto' | 'default';

/** An MCP client of any kind and era. */
export interface McpClient {
  readonly kind: ClientKind;
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any
  ask(what: 'tools' | 'resources' | 'resourceTemplates' | 'prompts'): Promise<any[]>;
  // oxlint-disable-next-line typescript/no-explicit-any
  read(uri: string): Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any
  prompt(name: string, args: Record<string, string>): Promise<any>;
  /** Values that the server offers for an argument of a prompt. */
  complete(prompt: string, argument: string, value: string): Promise<unknown>;
  /** Listens to changes of the tools and of these resources. */
  listen(uris: readonly string[]): Promise<void>;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly server: () => any;
  /** Sends `logging/setLevel`, which only legacy clients support. */
  setLevel(level: 'debug' | 'info' | 'warning' | 'error'): Promise<unknown>;
  /** Notifications that belong to no request, and log messages, in order. */
  readonly heard: { method: string; params?: unknown }[];
  /** Requests of the server that the client answered, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; total?: number }) => void;
  readonly timeout?: number;
}

export interface ClientOptions {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly name?: string;
  /**
   * Answers of the person and the model at the client. The client declares only the capabilities that have an
   * answer here.
   */
  readonly answers?: {
    readonly elicitation?: unknown;
    readonly sampling?: unknown;
    readonly roots?: unknown;
  };
  /** Acts on the page that the person opens (elicitation by URL). Returns the person's action. */
  readonly opens?: (page: { url: string; message: string; elicitationId?: string }) => Promise<string>;
}

export function connectClient(
  kind: ClientKind,
  url: string,
  options: ClientOptions = {},
): Promise<McpClient> {
  return kind === 'legacy' ? legacyClient(url, options) : secondClient(kind, url, options);
}

function headersOf({ token, headers }: ClientOptions): Record<string, string> {
  return { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers };
}

function capabilitiesOf({ answers = {}, opens }: ClientOptions): Record<string, object> {
  return {
    ...Object.fromEntries(Object.keys(answers).map((name) => [name, {}])),
    ...(opens === undefined ? {} : { elicitation: { url: {} } }),
  };
}

async function secondClient(
  kind: Exclude<ClientKind, 'legacy'>,
  url: string,
  options: ClientOptions,
): Promise<McpClient> {
  const { answers = {}, name = 'modern-client' } = options;
  const heard: McpClient['heard'] = [];
  const asked: string[] = [];
  const client = new ModernSdk(
    { name, version: '2.4.0' },
    {
      capabilities: capabilitiesOf(options),
      ...(kind === 'default'
        ? {}
        : { versionNegotiation: { mode: kind === 'auto' ? ('auto' as const) : { pin: '2026-07-28' } } }),
    },
  );
  const answer = (method: string, value: unknown): unknown => {
    asked.push(method);
    return value;
  };
  const { opens } = options;
  if (opens !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push('elicitation/create');
      return { action: await opens(params as never) } as never;
    });
  if ('elicitation' in answers)
    client.setRequestHandler(
      'elicitation/create',
      () => answer('elicitation/create', answers.elicitation) as never,
    );
  if ('sampling' in answers)
    client.setRequestHandler(
      'sampling/createMessage',
      () => answer('sampling/createMessage', answers.sampling) as never,
    );
  if ('roots' in answers)
    client.setRequestHandler('roots/list', () => answer('roots/list', answers.roots) as never);
  for (const method of [
    'notifications/message',
    'notifications/resources/updated',
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
  ] as const)
    client.setNotificationHandler(method, ({ params }) => void heard.push({ method, params }));
  await client.connect(new ModernTransport(new URL(url), { requestInit: { headers: headersOf(options) } }));
  return {
    kind,
    call: (tool, args = {}, given = {}) => client.callTool({ name: tool, arguments: args }, given as never),
    ask: (what) => listOf(client, what),
    read: (uri) => client.readResource({ uri }),
    prompt: (prompt, args) => client.getPrompt({ name: prompt, arguments: args }),
    complete: async (prompt, name, value) =>
      (await client.complete({ ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } }))
        .completion,
    listen: async (uris) => {
      if (client.getProtocolEra() === 'modern')
        await client.listen({ toolsListChanged: true, resourceSubscriptions: [...uris] });
      else for (const uri of uris) await client.subscribeResource({ uri });
    },
    server: () => ({ info: client.getServerVersion(), instructions: client.getInstructions() }),
    setLevel: (level) => client.setLoggingLevel(level),
    heard,
    asked,
    close: () => client.close(),
  };
}

async function legacyClient(url: string, options: ClientOptions): Promise<McpClient> {
  const { answers = {}, name = 'legacy-client' } = options;
  const heard: McpClient['heard'] = [];
  const asked: string[] = [];
  const client = new LegacySdk({ name, version: '1.32.2' }, { capabilities: capabilitiesOf(options) });
  const answer = (method: string, value: unknown): unknown => {
    asked.push(method);
    return value;
  };
  const { opens } = options;
  if (opens !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push('elicitation/create');
      return { action: await opens(params as never) };
    });
  if ('elicitation' in answers)
    client.setRequestHandler(
      ElicitRequestSchema,
      () => answer('elicitation/create', answers.elicitation) as never,
    );
  if ('sampling' in answers)
    client.setRequestHandler(
      CreateMessageRequestSchema,
      () => answer('sampling/createMessage', answers.sampling) as never,
    );
  if ('roots' in answers)
    client.setRequestHandler(ListRootsRequestSchema, () => answer('roots/list', answers.roots) as never);
  const hear = ({ method, params }: { method: string; params?: unknown }): void =>
    void heard.push({ method, params });
  client.setNotificationHandler(LoggingMessageNotificationSchema, hear);
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, hear);
  client.setNotificationHandler(ToolListChangedNotificationSchema, hear);
  client.setNotificationHandler(PromptListChangedNotificationSchema, hear);
  client.setNotificationHandler(ResourceListChangedNotificationSchema, hear);
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, hear);
  const transport = new LegacyTransport(new URL(url), { requestInit: { headers: headersOf(options) } });
  await client.connect(transport);
  return {
    kind: 'legacy',
    call: (tool, args = {}, given = {}) =>
      client.callTool({ name: tool, arguments: args }, undefined, given as never),
    ask: (what) => listOf(client, what),
    read: (uri) => client.readResource({ uri }),
    prompt: (prompt, args) => client.getPrompt({ name: prompt, arguments: args }),
    complete: async (prompt, name, value) =>
      (await client.complete({ ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } }))
        .completion,
    listen: async (uris) => {
      for (const uri of uris) await client.subscribeResource({ uri });
    },
    server: () => ({ info: client.getServerVersion(), instructions: client.getInstructions() }),
    setLevel: (level) => client.setLoggingLevel(level),
    heard,
    asked,
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

interface Page {
  readonly nextCursor?: string | undefined;
}

interface Lister {
  listTools(params?: { cursor?: string }): Promise<Page & { tools: unknown[] }>;
  listResources(params?: { cursor?: string }): Promise<Page & { resources: unknown[] }>;
  listResourceTemplates(params?: { cursor?: string }): Promise<Page & { resourceTemplates: unknown[] }>;
  listPrompts(params?: { cursor?: string }): Promise<Page & { prompts: unknown[] }>;
}

/** All pages of a list. SDK 2 reads them all by itself. */
async function listOf(
  client: Lister,
  what: 'tools' | 'resources' | 'resourceTemplates' | 'prompts',
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<any[]> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageOf(client, what, cursor === undefined ? undefined : { cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

async function pageOf(
  client: Lister,
  what: 'tools' | 'resources' | 'resourceTemplates' | 'prompts',
  params: { cursor: string } | undefined,
): Promise<Page & { readonly items: unknown[] }> {
  switch (what) {
    case 'tools': {
      const { tools: items, nextCursor } = await client.listTools(params);
      return { items, nextCursor };
    }
    case 'resources': {
      const { resources: items, nextCursor } = await client.listResources(params);
      return { items, nextCursor };
    }
    case 'resourceTemplates': {
      const { resourceTemplates: items, nextCursor } = await client.listResourceTemplates(params);
      return { items, nextCursor };
    }
    case 'prompts': {
      const { prompts: items, nextCursor } = await client.listPrompts(params);
      return { items, nextCursor };
    }
  }
}
