import { setTimeout as pause } from 'node:timers/promises';
import type { Offer, TestPrompt } from './offer';
import { type Asked, PNG, SAMPLED, type TestTool, type ToolRun, WAV } from './tools';

/*
 * The offer that the scenarios of @modelcontextprotocol/conformance expect from the server under test. Each
 * scenario names the tools, resources and prompts that it needs, and describes them in words.
 */

type Result = Record<string, unknown>;

const NONE = { type: 'object', properties: {} } as const;
const said = (text: string): Result => ({ content: [{ type: 'text', text }] });
const strings = (...names: string[]) =>
  ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  }) as const;

function tool(
  name: string,
  description: string,
  run: TestTool['run'],
  more: Partial<TestTool> = {},
): TestTool {
  return { name, description, inputSchema: NONE, run, ...more };
}

const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' };
const elicited = (message: string, properties: object, required?: readonly string[]): Asked => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, ...(required && { required }) } },
});
const textField = (message: string, name: string): Asked =>
  elicited(message, { [name]: { type: 'string' } }, [name]);
const sampled = (text: string, maxTokens: number): Asked => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
});
const ROOTS: Asked = { method: 'roots/list', params: {} };

/** Asks the client one question, and returns its answer. */
async function answerTo(ask: ToolRun['ask'], key: string, question: Asked): Promise<Result> {
  return ((await ask({ [key]: question }))[key] ?? {}) as Result;
}

function contentOf(answer: Result): Result {
  return (answer['content'] ?? {}) as Result;
}

function completed(answer: Result): Result {
  return said(
    `Elicitation completed: action=${String(answer['action'])}, content=${JSON.stringify(answer['content'])}`,
  );
}

const CONTENTS: readonly TestTool[] = [
  tool('test_simple_text', 'Says a text', () => said('This is a simple text response for testing.')),
  tool('test_image_content', 'Shows an image', () => ({ content: [IMAGE] })),
  tool('test_audio_content', 'Plays audio', () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', 'Holds a resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  tool('test_multiple_content_types', 'Has contents of three types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      IMAGE,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  })),
  tool('test_error_handling', 'Always fails', () => ({
    ...said('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool('json_schema_2020_12_tool', 'Has keywords of JSON Schema 2020-12', () => said('called'), {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  }),
  tool(
    'test_header_parameter',
    'Has a parameter that a header repeats',
    ({ args }) => said(String(args['region'])),
    {
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      },
    },
  ),
];

const COURSES: readonly TestTool[] = [
  tool('test_tool_with_logging', 'Logs three times', async ({ log }) => {
    await log('info', 'Tool execution started');
    await pause(50);
    await log('info', 'Tool processing data');
    await pause(50);
    await log('info', 'Tool execution completed');
    return said('logged');
  }),
  tool('test_logging_tool', 'Logs at every level', async ({ log }) => {
    for (const level of ['debug', 'info', 'warning', 'error']) await log(level, `at ${level}`);
    return said('logged');
  }),
  tool('test_tool_with_progress', 'Tells how far it is', async ({ progress }) => {
    for (const at of [0, 50, 100]) {
      await progress(at, 100);
      await pause(50);
    }
    return said('done');
  }),
  tool('test_trigger_tool_change', 'Tells that the tools changed', ({ changed }) => {
    changed('tools');
    return said('told');
  }),
  tool('test_trigger_prompt_change', 'Tells that the prompts changed', ({ changed }) => {
    changed('prompts');
    return said('told');
  }),
];

const TITLED = ['First', 'Second', 'Third'].map((word, at) => ({
  const: `value${at + 1}`,
  title: `${word} Option`,
}));
const OPTIONS = ['option1', 'option2', 'option3'];

const QUESTIONS: readonly TestTool[] = [
  tool(
    'test_sampling',
    'Asks the model at the client',
    async ({ args, ask }) => {
      const answer = await answerTo(ask, 'model', sampled(String(args['prompt']), 100));
      return said(`LLM response: ${String(contentOf(answer)['text'])}`);
    },
    { inputSchema: strings('prompt') },
  ),
  tool(
    'test_elicitation',
    'Asks the person at the client',
    async ({ args, ask }) => {
      const fields = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      const question = elicited(String(args['message']), fields, ['username', 'email']);
      const { action, content } = await answerTo(ask, 'person', question);
      return said(`User response: action: ${String(action)}, content: ${JSON.stringify(content)}`);
    },
    { inputSchema: strings('message') },
  ),
  tool('test_streaming_elicitation', 'Asks the person at the client', async ({ ask }) =>
    completed(await answerTo(ask, 'person', textField('Who are you?', 'name'))),
  ),
  tool('test_missing_capability', 'Needs a model at the client', async ({ ask }) => {
    await answerTo(ask, 'model', SAMPLED_QUESTION);
    return said('answered');
  }),
  tool('test_elicitation_sep1034_defaults', 'Asks with defaults of every primitive type', async ({ ask }) => {
    const fields = {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    };
    return completed(await answerTo(ask, 'person', elicited('Please look at these', fields)));
  }),
  tool('test_elicitation_sep1330_enums', 'Asks with every kind of choice', async ({ ask }) => {
    const fields = {
      untitledSingle: { type: 'string', enum: OPTIONS },
      titledSingle: { type: 'string', oneOf: TITLED },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
      titledMulti: { type: 'array', items: { anyOf: TITLED } },
    };
    return completed(await answerTo(ask, 'person', elicited('Please choose', fields)));
  }),
];

const SAMPLED_QUESTION: Asked = { method: 'sampling/createMessage', params: SAMPLED };
const NAME = textField('What is your name?', 'name');

const INPUT_REQUIRED: readonly TestTool[] = [
  tool('test_input_required_result_elicitation', 'Asks for a name', async ({ ask }) => {
    const { content } = await answerTo(ask, 'user_name', NAME);
    return said(`Hello, ${String((content as Result | undefined)?.['name'])}!`);
  }),
  tool('test_input_required_result_sampling', 'Asks the model', async ({ ask }) => {
    const question = sampled('What is the capital of France?', 100);
    return said(String(contentOf(await answerTo(ask, 'capital_question', question))['text']));
  }),
  tool('test_input_required_result_list_roots', 'Asks for the roots', async ({ ask }) =>
    said(JSON.stringify((await answerTo(ask, 'client_roots', ROOTS))['roots'])),
  ),
  tool('test_input_required_result_request_state', 'Keeps a state at the client', async ({ ask }) => {
    await answerTo(ask, 'confirm', elicited('Please confirm', { ok: { type: 'boolean' } }, ['ok']));
    return said('state-ok');
  }),
  tool('test_input_required_result_tampered_state', 'Checks the state', async ({ ask }) => {
    await answerTo(ask, 'confirm', elicited('Please confirm', { ok: { type: 'boolean' } }, ['ok']));
    return said('state-ok');
  }),
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once', async ({ ask }) => {
    const greeting = sampled('Generate a greeting', 50);
    return said(JSON.stringify(await ask({ user_name: NAME, greeting, client_roots: ROOTS })));
  }),
  tool('test_input_required_result_multi_round', 'Asks twice', async ({ ask }) => {
    const name = await answerTo(ask, 'step1', textField('Step 1: What is your name?', 'name'));
    const color = await answerTo(ask, 'step2', textField('Step 2: What is your favorite color?', 'color'));
    return said(JSON.stringify({ name, color }));
  }),
  tool(
    'test_input_required_result_capabilities',
    'Asks what the client can answer',
    async ({ ask, capabilities }) => {
      const questions: Record<string, Asked> = {
        ...('elicitation' in capabilities ? { name: NAME } : {}),
        ...('sampling' in capabilities ? { capital: SAMPLED_QUESTION } : {}),
        ...('roots' in capabilities ? { roots: ROOTS } : {}),
      };
      return said(JSON.stringify(await ask(questions)));
    },
  ),
];

const user = (content: object): object => ({ role: 'user', content });
const argument = (name: string) => ({ name, required: true, description: `The argument ${name}` });

const PROMPTS_NAMED: readonly TestPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'Has no arguments',
    arguments: [],
    messages: () => [user({ type: 'text', text: 'This is a simple prompt for testing.' })],
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Has two arguments',
    arguments: [argument('arg1'), argument('arg2')],
    values: { arg1: ['paris', 'park', 'party'], arg2: ['world'] },
    messages: ({ arg1, arg2 }) => [
      user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Embeds a resource',
    arguments: [argument('resourceUri')],
    messages: ({ resourceUri }) => [
      user({
        type: 'resource',
        resource: {
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      }),
      user({ type: 'text', text: 'Please process the embedded resource above.' }),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'Has an image',
    arguments: [],
    messages: () => [user(IMAGE), user({ type: 'text', text: 'Please analyze the image above.' })],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks for its context',
    arguments: [],
    messages: async (_, ask) => {
      const question = textField('What context should the prompt use?', 'context');
      const { context } = contentOf(await answerTo(ask, 'user_context', question));
      return [user({ type: 'text', text: `In the context of ${String(context)}` })];
    },
  },
];

export function conformanceOffer(): Offer {
  return {
    tools: [...CONTENTS, ...COURSES, ...QUESTIONS, ...INPUT_REQUIRED],
    resources: [
      {
        uri: 'test://static-text',
        name: 'static-text',
        description: 'A text',
        mimeType: 'text/plain',
        contents: { text: 'This is the content of the static text resource.' },
      },
      {
        uri: 'test://static-binary',
        name: 'static-binary',
        description: 'An image',
        mimeType: 'image/png',
        contents: { blob: PNG },
      },
      {
        uri: 'test://watched-resource',
        name: 'watched-resource',
        description: 'May be subscribed',
        mimeType: 'text/plain',
        contents: { text: 'watched' },
      },
    ],
    templates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'Data by id',
        mimeType: 'application/json',
        contents: (id) => ({ text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }),
        ids: ['123'],
      },
    ],
    prompts: PROMPTS_NAMED,
  };
}
