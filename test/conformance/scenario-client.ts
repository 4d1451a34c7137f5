import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';

/*
 * The client that the conformance suite starts for each scenario, with the address of its server as the last parameter: a client of the official
 * SDK that does what every client can. It lists and calls, reads and prompts, and answers questions. A process of its own, because the server of a
 * scenario waits until all connections to it are closed.
 */

/** What the suite tells the client of a scenario. */
export interface ScenarioContext {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** Where the client goes when the gateway is between it and the server of the scenario. */
export interface GatewayWay {
  readonly endpoint: string;
  readonly token: string;
}

/** What is asked of the test, which makes a connection of the gateway for each scenario. */
export interface WayWanted {
  readonly url: string;
  readonly context: ScenarioContext;
}

interface Connected {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

async function main(): Promise<void> {
  const { MCP_CONFORMANCE_CONTEXT, MCP_CONFORMANCE_PROTOCOL_VERSION: revision = '' } = process.env;
  const url = process.argv.at(-1) ?? '';
  const context = JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}') as ScenarioContext;
  const gateway = process.env['CONFORMANCE_GATEWAY'];
  const connection =
    gateway === undefined
      ? await directly(url, context, revision)
      : await throughGateway(gateway, { url, context }, revision);
  try {
    await journey(connection, context);
  } finally {
    await connection.transport.terminateSession();
  }
}

async function directly(url: string, context: ScenarioContext, revision: string): Promise<Connected> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  if (clientId === undefined || clientSecret === undefined) return connected(url, revision, {});
  const expectedIssuer = await issuerOf(url);
  const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer });
  return connected(url, revision, { authProvider });
}

async function throughGateway(gateway: string, wanted: WayWanted, revision: string): Promise<Connected> {
  const answer = await fetch(gateway, { method: 'POST', body: JSON.stringify(wanted) });
  if (!answer.ok) throw new Error(await answer.text());
  const { endpoint, token } = (await answer.json()) as GatewayWay;
  return connected(endpoint, revision, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
}

async function connected(
  url: string,
  revision: string,
  options: StreamableHTTPClientTransportOptions,
): Promise<Connected> {
  const client = new Client(
    { name: 'scenario-client', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
      ...(revision === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: revision } } }),
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: contentFor(
      'requestedSchema' in params ? (params.requestedSchema as Schema) : undefined,
    ) as never,
  }));
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant' as const,
    model: 'test',
    content: { type: 'text' as const, text: 'sampled' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
  const transport = new StreamableHTTPClientTransport(new URL(url), options);
  await client.connect(transport);
  return { client, transport };
}

interface Schema {
  readonly type?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly default?: unknown;
}

/** Values for what is required and has no default: the client fills in defaults by itself. */
function contentFor(schema: Schema = {}): Record<string, unknown> {
  const values = (schema.required ?? []).flatMap((name) => {
    const field = schema.properties?.[name];
    return field === undefined || field.default !== undefined ? [] : [[name, valueOf(field)] as const];
  });
  return Object.fromEntries(values);
}

function valueOf({ type }: Schema): unknown {
  const values: Record<string, unknown> = { string: 'x', boolean: true, object: {}, array: [] };
  return type !== undefined && type in values ? values[type] : 2;
}

async function journey({ client }: Connected, context: ScenarioContext): Promise<void> {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const faults: string[] = [];
  const tried = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => faults.push(`${what}: ${String(error)}`));
  };
  if (tools !== undefined) {
    const listed = (await client.listTools()).tools;
    for (const tool of listed) {
      const schema = tool.inputSchema as Schema;
      const given = (context.toolCalls ?? []).filter(({ name }) => name === tool.name);
      const fields = Object.entries(schema.properties ?? {});
      const made = Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)]));
      // This tool is told the schema of another one, as the client knows it.
      const focal = listed.find(({ name }) => name === 'json_schema_2020_12_tool');
      const echoed = tool.name === 'json_schema_echo' ? [{ arguments: { schema: focal?.inputSchema } }] : [];
      for (const { arguments: args } of [
        ...given,
        ...echoed,
        ...(given.length + echoed.length === 0 ? [{ arguments: made }] : []),
      ])
        await tried(tool.name, () => client.callTool({ name: tool.name, arguments: args }));
    }
  }
  if (resources !== undefined)
    for (const { uri } of (await client.listResources()).resources)
      await tried(uri, () => client.readResource({ uri }));
  if (prompts !== undefined)
    for (const { name } of (await client.listPrompts()).prompts)
      await tried(name, () => client.getPrompt({ name, arguments: {} }));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** The authorization server that the MCP server names (RFC 9728). */
export async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  for (const place of [
    `${origin}/.well-known/oauth-protected-resource${pathname}`,
    `${origin}/.well-known/oauth-protected-resource`,
  ]) {
    const response = await fetch(place);
    if (!response.ok) continue;
    const { authorization_servers: [issuer] = [] } = (await response.json()) as {
      authorization_servers?: string[];
    };
    if (issuer !== undefined) return issuer;
  }
  throw new Error(`${url} names no authorization server`);
}

if (require.main === module)
  main().then(
    () => process.exit(),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
