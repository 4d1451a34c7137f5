import { setTimeout as pause } from 'node:timers/promises';

/** A request that a tool sends to the client, with the names of the protocol. */
export interface Asked {
  readonly method: 'sampling/createMessage' | 'elicitation/create' | 'roots/list';
  readonly params?: Record<string, unknown>;
}

/** The input of a running tool, and the functions that it may call, in either era. */
export interface ToolRun {
  readonly args: Readonly<Record<string, unknown>>;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
  readonly progress: (progress: number, total: number, message?: string) => Promise<void>;
  readonly log: (level: string, data: unknown) => Promise<void>;
  /** Capabilities that the client declared. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Returns the client's results by key. In the modern era, the tool runs again when they arrive. */
  readonly ask: (requests: Readonly<Record<string, Asked>>) => Promise<Record<string, unknown>>;
  /** Notifies the clients that subscribed to the change. */
  readonly changed: (what: Change) => void;
}

export type Change = 'tools' | 'prompts' | 'resources' | { readonly uri: string };

export interface TestTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly outputSchema?: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly run: (run: ToolRun) => Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** `PNG`: an image of one pixel. `WAV`: an audio file without samples. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
export const ELICITED = {
  message: 'Which environment?',
  requestedSchema: {
    type: 'object',
    properties: { environment: { type: 'string', enum: ['test', 'production'] } },
    required: ['environment'],
  },
};
export const SAMPLED = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
  systemPrompt: 'Answer in one word.',
  maxTokens: 20,
};

const NONE = { type: 'object', properties: {} } as const;
const text = (words: unknown) => ({
  content: [{ type: 'text', text: typeof words === 'string' ? words : JSON.stringify(words) }],
});
const schema = (properties: Record<string, unknown>, required: string[] = []) =>
  ({ type: 'object', properties, required }) as const;

/** Counters of one server: runs of each tool, and canceled calls of the tool `wait`. */
export interface ToolCounts {
  readonly runs: Map<string, number>;
  cancelled: number;
  /** Functions that let running calls of `wait` return, one for each call. */
  readonly finishWaits: Set<() => void>;
}

export const noCounts = (): ToolCounts => ({ runs: new Map(), cancelled: 0, finishWaits: new Set() });

/** The tools that all our test servers have, whatever their era. */
export function testTools(counts: ToolCounts): TestTool[] {
  const tools: TestTool[] = [
    {
      name: 'echo',
      title: 'Echo',
      description: 'Says what it hears',
      inputSchema: schema({ text: { type: 'string' } }, ['text']),
      annotations: { readOnlyHint: true, 'com.example/hint': 'kept' },
      _meta: { 'com.example/tool': { kept: true } },
      run: ({ args }) => text(String(args['text'])),
    },
    {
      name: 'contents',
      description: 'Content of every type',
      inputSchema: NONE,
      run: () => ({
        content: [
          { type: 'text', text: 'Grüße, 世界', annotations: { audience: ['user'], priority: 0.5 } },
          { type: 'image', data: PNG, mimeType: 'image/png' },
          { type: 'audio', data: WAV, mimeType: 'audio/wav' },
          { type: 'resource_link', uri: 'test://text', name: 'text', mimeType: 'text/plain' },
          { type: 'resource', resource: { uri: 'test://text', mimeType: 'text/plain', text: 'a text' } },
          { type: 'resource', resource: { uri: 'test://blob', mimeType: 'image/png', blob: PNG } },
        ],
        _meta: { 'com.example/result': 'kept' },
      }),
    },
    {
      name: 'structured',
      description: 'Adds',
      inputSchema: schema({ a: { type: 'integer' }, b: { type: 'integer' } }, ['a', 'b']),
      outputSchema: schema({ sum: { type: 'integer' }, note: { type: 'string' } }, ['sum']),
      run: ({ args }) => {
        const structuredContent = { sum: Number(args['a']) + Number(args['b']), note: 'added' };
        return { ...text(structuredContent), structuredContent };
      },
    },
    {
      name: 'progress',
      description: 'Tells how far it is',
      inputSchema: schema({ steps: { type: 'integer' } }),
      run: async ({ args, progress }) => {
        const steps = Number(args['steps'] ?? 3);
        for (let step = 1; step <= steps; step++) await progress(step, steps, `step ${step}`);
        return text(`${steps} steps`);
      },
    },
    {
      name: 'log',
      description: 'Logs at every level',
      inputSchema: NONE,
      run: async ({ log }) => {
        for (const level of ['debug', 'info', 'warning', 'error'])
          await log(level, { level, words: 'logged' });
        return text('logged');
      },
    },
    {
      name: 'ask_person',
      description: 'Asks the person at the client',
      inputSchema: NONE,
      run: async ({ ask }) =>
        text((await ask({ environment: { method: 'elicitation/create', params: ELICITED } }))['environment']),
    },
    {
      name: 'ask_model',
      description: 'Asks the model at the client',
      inputSchema: NONE,
      run: async ({ ask }) =>
        text((await ask({ capital: { method: 'sampling/createMessage', params: SAMPLED } }))['capital']),
    },
    {
      name: 'ask_roots',
      description: 'Asks for the roots of the client',
      inputSchema: NONE,
      run: async ({ ask }) => text((await ask({ roots: { method: 'roots/list' } }))['roots']),
    },
    {
      name: 'ask_twice',
      description: 'Asks the person, and then the model',
      inputSchema: NONE,
      run: async ({ ask }) => {
        const first = await ask({ environment: { method: 'elicitation/create', params: ELICITED } });
        const second = await ask({ capital: { method: 'sampling/createMessage', params: SAMPLED } });
        return text({ ...first, ...second });
      },
    },
    {
      name: 'large',
      description: 'Says much',
      inputSchema: schema({ bytes: { type: 'integer' } }),
      run: ({ args }) => text('0123456789abcdef'.repeat(Number(args['bytes'] ?? 10_485_760) / 16)),
    },
    {
      name: 'fail',
      description: 'Fails as tools do',
      inputSchema: NONE,
      run: () => ({ ...text('it did not work'), isError: true }),
    },
    {
      name: 'wait',
      description: 'Waits until it is cancelled or let go, or for a while',
      inputSchema: schema({ ms: { type: 'integer' } }),
      run: async ({ args, signal, progress }) => {
        const letGo = new AbortController();
        const finish = (): void => letGo.abort();
        counts.finishWaits.add(finish);
        await progress(1, 2, 'waiting');
        const ends = AbortSignal.any([signal, letGo.signal]);
        await pause(Number(args['ms'] ?? 60_000), undefined, { signal: ends }).catch(() => undefined);
        counts.finishWaits.delete(finish);
        if (signal.aborted) counts.cancelled += 1;
        return text('waited');
      },
    },
    {
      name: 'region',
      description: 'Has parameters that are repeated in headers',
      inputSchema: schema(
        {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          limit: { type: 'integer', 'x-mcp-header': 'Limit' },
          at: schema({ dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } }),
          query: { type: 'string' },
        },
        ['region'],
      ),
      run: ({ args }) => text(args),
    },
    {
      name: 'change',
      description: 'Changes something that clients may have subscribed',
      inputSchema: schema({ what: { type: 'string' }, uri: { type: 'string' } }),
      run: ({ args, changed }) => {
        changed(typeof args['uri'] === 'string' ? { uri: args['uri'] } : (args['what'] as Change));
        return text('changed');
      },
    },
  ];
  return tools.map((tool) => ({
    ...tool,
    run: (run) => {
      counts.runs.set(tool.name, (counts.runs.get(tool.name) ?? 0) + 1);
      return tool.run(run);
    },
  }));
}

export const RESOURCES = [
  { uri: 'test://text', name: 'text', mimeType: 'text/plain', contents: { text: 'a text' } },
  { uri: 'test://blob', name: 'blob', mimeType: 'image/png', contents: { blob: PNG } },
  {
    uri: 'test://names/a%20b',
    name: 'names',
    mimeType: 'text/plain',
    contents: { text: 'a name that is encoded' },
  },
] as const;

export const PROMPTS = [
  { name: 'greet', description: 'Greets somebody', arguments: [{ name: 'who', required: true }] },
  {
    name: 'grüße',
    description: 'Has a name that headers carry encoded',
    arguments: [{ name: 'who', required: true }],
  },
] as const;

export function promptMessages(args: Readonly<Record<string, string>> | undefined): object[] {
  return [{ role: 'user', content: { type: 'text', text: `Greet ${args?.['who'] ?? 'nobody'}.` } }];
}

export const INSTRUCTIONS = 'Tools for tests.';
export const SERVER_INFO = { name: 'test-server', title: 'Test server', version: '1.2.3' };
