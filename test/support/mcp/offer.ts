import {
  PROMPTS,
  RESOURCES,
  type TestTool,
  type ToolCounts,
  type ToolRun,
  promptMessages,
  testTools,
} from './tools';

/** The tools, resources, templates and prompts of a test server of either era. */
export interface Offer {
  readonly tools: readonly TestTool[];
  readonly resources: readonly TestResource[];
  readonly templates: readonly TestTemplate[];
  readonly prompts: readonly TestPrompt[];
  /** Number of resources on one page of the list; undefined: all on one page. */
  readonly pageSize?: number;
}

export interface TestContents {
  readonly text?: string;
  readonly blob?: string;
}

export interface TestResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
  readonly contents: TestContents;
}

/** A template for resources whose URI has one variable, `{id}`. */
export interface TestTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly contents: (id: string) => TestContents;
  /** Values of `id` that `completion/complete` offers to clients. */
  readonly ids: readonly string[];
}

export interface TestPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description?: string;
  }[];
  /** Values that `completion/complete` offers to clients, by the name of the argument. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  readonly messages: (
    args: Readonly<Record<string, string>>,
    ask: ToolRun['ask'],
  ) => Promise<object[]> | object[];
}

/** Returns the tools, resources, templates and prompts of our own test servers. */
export function testOffer(counts: ToolCounts): Offer {
  return {
    tools: testTools(counts),
    resources: RESOURCES,
    templates: [
      {
        uriTemplate: 'test://people/{id}',
        name: 'people',
        description: 'People by their name',
        mimeType: 'text/plain',
        contents: (id) => ({ text: `about ${id}` }),
        ids: ['Ada', 'Alan', 'Grace'],
      },
    ],
    prompts: PROMPTS.map((prompt) => ({
      ...prompt,
      values: { who: ['Ada', 'Alan', 'Grace'] },
      messages: promptMessages,
    })),
  };
}

/** Returns the contents of a resource, fixed or from a template; undefined if the URI is unknown. */
export function contentsOf({ resources, templates }: Offer, uri: string): object | undefined {
  const found = resources.find((one) => one.uri === uri);
  if (found !== undefined) return { uri, mimeType: found.mimeType, ...found.contents };
  for (const { uriTemplate, mimeType, contents } of templates) {
    const id = idIn(uriTemplate, uri);
    if (id !== undefined) return { uri, mimeType, ...contents(id) };
  }
  return undefined;
}

function idIn(template: string, uri: string): string | undefined {
  const [before = '', after = ''] = template.split('{id}');
  if (!uri.startsWith(before) || !uri.endsWith(after)) return undefined;
  const id = uri.slice(before.length, uri.length - after.length);
  return id === '' || id.includes('/') ? undefined : decodeURIComponent(id);
}

/** Returns the result of `completion/complete`. */
export function completionOf(
  { prompts, templates }: Offer,
  ref: { readonly type: string; readonly name?: string; readonly uri?: string },
  argument: { readonly name: string; readonly value: string },
): { completion: { values: string[]; total: number; hasMore: boolean } } {
  const offered =
    ref.type === 'ref/prompt'
      ? prompts.find(({ name }) => name === ref.name)?.values?.[argument.name]
      : templates.find(({ uriTemplate }) => uriTemplate === ref.uri)?.ids;
  const values = (offered ?? []).filter((value) => value.startsWith(argument.value));
  return { completion: { values, total: values.length, hasMore: false } };
}

/** Returns one page of a list, with the cursor of the next page. */
export function pageOf<T>(
  items: readonly T[],
  { pageSize = items.length }: Offer,
  cursor: string | undefined,
): { readonly page: T[]; readonly nextCursor?: string } {
  const from = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
  const to = from + pageSize;
  return {
    page: items.slice(from, to),
    ...(to < items.length ? { nextCursor: Buffer.from(String(to)).toString('base64url') } : {}),
  };
}
