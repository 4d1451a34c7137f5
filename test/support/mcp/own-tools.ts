import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { DataPath } from '../data-path';
import type { Person } from '../gateway';
import { type McpClient, connectClient } from './clients';
import { RawClient } from './raw-client';

/** The result of a tool. */
export interface ToolAnswer {
  /** The structured content, checked against the schema of the tool. Undefined: the call was refused. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly content: any;
  /** The reason why the call was refused; undefined if it was not. */
  readonly refusal: string | undefined;
}

/** A client of the gateway's own MCP tools, signed in as a person. */
export interface OwnClient {
  readonly client: McpClient;
  call(tool: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

/** Clients of the gateway's own MCP tools. `close` closes them all. */
export class OwnToolsPath {
  private readonly clients: McpClient[] = [];
  private readonly known = new Map<string, Promise<OwnClient>>();

  constructor(private readonly path: DataPath) {}

  get url(): string {
    return `${this.path.gateway.api}/mcp`;
  }

  /** Returns a client that sends messages without an SDK. */
  raw(person: Person | null = 'alice'): RawClient {
    return new RawClient({ gateway: this.path.gateway, endpoint: () => this.url }, '', person);
  }

  /** Returns the person's client of this era, which is created at the first call. */
  as(person: Person, era: 'modern' | 'legacy' = 'modern'): Promise<OwnClient> {
    const key = `${person} ${era}`;
    const known =
      this.known.get(key) ?? this.path.gateway.token(person).then((token) => this.with(token, era));
    this.known.set(key, known);
    return known;
  }

  async with(token: string, era: 'modern' | 'legacy' = 'modern'): Promise<OwnClient> {
    const client = await connectClient(era, this.url, { token });
    this.clients.push(client);
    const checks = new Map<string, ValidateFunction>();
    for (const { name, outputSchema } of await client.ask('tools')) checks.set(name, checkOf(outputSchema));
    return { client, call: async (tool, args) => checked(await client.call(tool, args), checks.get(tool)) };
  }

  async close(): Promise<void> {
    for (const client of this.clients) await client.close().catch(() => undefined);
  }
}

const compiled = new Map<string, ValidateFunction>();

/** Compiles each schema only once, because all clients get the same schemas. */
function checkOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats(ajv);
  const check = ajv.compile(schema);
  compiled.set(key, check);
  return check;
}

function checked(
  result: { content: { text: string }[]; structuredContent?: unknown; isError?: boolean },
  check: ValidateFunction | undefined,
): ToolAnswer {
  const [{ text } = { text: '' }] = result.content;
  if (result.isError === true) return { content: undefined, refusal: text };
  if (check?.(result.structuredContent) !== true)
    throw new Error(`not as its schema says: ${JSON.stringify(check?.errors)} ${text}`);
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  return { content: result.structuredContent, refusal: undefined };
}
