import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import { type SignIn, directSignIn, signInByAddress } from './sign-in';

/*
 * The client that the conformance suite starts for each scenario, with the address of its server as the last
 * parameter. It uses the official SDK and does what every client can: it calls tools, reads resources, gets
 * prompts and answers requests of the server. It is a separate process, because the server of a scenario
 * waits until all connections to it are closed.
 */

/** Values that the suite passes to the client of a scenario. */
export interface ScenarioContext {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** Endpoint and token for a client that reaches the server of the scenario through the gateway. */
export interface GatewayWay {
  readonly endpoint: string;
  readonly token: string;
}

/**
 * Requests of the client to the test: `way` creates a connection of the gateway for the scenario, and
 * `browser` opens an address in the person's browser.
 */
export type Wanted =
  | {
      readonly kind: 'way';
      readonly scenario: string;
      readonly url: string;
      readonly context: ScenarioContext;
    }
  | { readonly kind: 'browser'; readonly address: string };

interface Connected {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly signIn: SignIn;
}

const GATEWAY = process.env['CONFORMANCE_GATEWAY'];

async function main(): Promise<void> {
  const {
    MCP_CONFORMANCE_CONTEXT,
    MCP_CONFORMANCE_PROTOCOL_VERSION: revision = '',
    MCP_CONFORMANCE_SCENARIO: scenario = '',
  } = process.env;
  const url = process.argv.at(-1) ?? '';
  const context = JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}') as ScenarioContext;
  const connect =
    GATEWAY === undefined
      ? await directly(url, context, revision, scenario)
      : await throughGateway({ kind: 'way', scenario, url, context }, revision);
  const connection = await connect();
  try {
    await journey(connection, context);
  } finally {
    await connection.transport.terminateSession();
  }
}

async function directly(
  url: string,
  context: ScenarioContext,
  revision: string,
  scenario: string,
): Promise<() => Promise<Connected>> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const known =
    clientId === undefined || clientSecret === undefined
      ? undefined
      : { client_id: clientId, client_secret: clientSecret };
  const signIn = directSignIn(known, scenario === 'auth/basic-cimd');
  if (scenario.startsWith('auth/client-credentials') && known !== undefined) {
    const expectedIssuer = await issuerOf(url);
    const authProvider = new ClientCredentialsProvider({
      clientId: known.client_id,
      clientSecret: known.client_secret,
      expectedIssuer,
    });
    return () => signedIn(url, revision, signIn, { authProvider });
  }
  const { authProvider } = signIn;
  const options = authProvider !== undefined && scenario.startsWith('auth/') ? { authProvider } : {};
  return () => signedIn(url, revision, signIn, options);
}

async function throughGateway(
  wanted: Wanted & { readonly kind: 'way' },
  revision: string,
): Promise<() => Promise<Connected>> {
  const { endpoint, token } = JSON.parse(await ask(wanted)) as GatewayWay;
  const signIn = signInByAddress(async (address) => void (await ask({ kind: 'browser', address })));
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  return async () => {
    const first = await signedIn(endpoint, revision, signIn, options);
    if (!wanted.scenario.startsWith('auth/')) return first;
    // A client cannot know what the server offers before the person signs in at the
    // server. So it sends a request that starts the sign-in, and then connects again.
    const isSignedIn = await first.client.listTools().then(
      () => false,
      (fault: unknown) => retry(fault, first),
    );
    if (!isSignedIn) return first;
    await first.transport.terminateSession();
    return signedIn(endpoint, revision, signIn, options);
  };
}

/** Sends a request to the test. @throws an error with the test's message */
async function ask(wanted: Wanted): Promise<string> {
  const answer = await fetch(GATEWAY ?? '', { method: 'POST', body: JSON.stringify(wanted) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}

/** Signs in if the error requires a sign-in. @throws the error otherwise */
async function retry(fault: unknown, { signIn, transport }: Pick<Connected, 'signIn' | 'transport'>) {
  if (await signIn.after(fault, transport)) return true;
  throw fault;
}

async function signedIn(
  url: string,
  revision: string,
  signIn: SignIn,
  options: StreamableHTTPClientTransportOptions,
): Promise<Connected> {
  for (;;) {
    const transport = new StreamableHTTPClientTransport(new URL(url), options);
    try {
      return await connected(transport, revision, signIn);
    } catch (fault) {
      await retry(fault, { signIn, transport });
    }
  }
}

async function connected(
  transport: StreamableHTTPClientTransport,
  revision: string,
  signIn: SignIn,
): Promise<Connected> {
  const client = new Client(
    { name: 'scenario-client', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: {}, roots: {} },
      ...(revision === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: revision } } }),
    },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') {
      await signIn.open(params.url);
      return { action: 'accept' };
    }
    const content = contentFor(params.requestedSchema) as Record<string, string>;
    return { action: 'accept', content };
  });
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant' as const,
    model: 'test',
    content: { type: 'text' as const, text: 'sampled' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
  await client.connect(transport);
  return { client, transport, signIn };
}

interface Schema {
  readonly type?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly default?: unknown;
}

/** Values for required fields without a default. The client fills in defaults itself. */
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

async function journey(connection: Connected, context: ScenarioContext): Promise<void> {
  const { client } = connection;
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const faults: string[] = [];
  const tried = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await repeated(connection, work).catch((error: unknown) => faults.push(`${what}: ${String(error)}`));
  };
  if (tools !== undefined) {
    const listed = (await repeated(connection, () => client.listTools())).tools;
    for (const tool of listed) {
      const schema = tool.inputSchema as Schema;
      const given = (context.toolCalls ?? []).filter(({ name }) => name === tool.name);
      const fields = Object.entries(schema.properties ?? {});
      const made = Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)]));
      // The tool `json_schema_echo` gets the schema of another tool, as the client received it.
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

/** Sends a request. Signs in and repeats the request as long as the answer requires a sign-in. */
async function repeated<T>({ signIn, transport }: Connected, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const result = await work();
      const isRefused = (result as { readonly isError?: boolean }).isError === true;
      if (!isRefused || !(await signIn.after(result, transport))) return result;
    } catch (fault) {
      await retry(fault, { signIn, transport });
    }
  }
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
