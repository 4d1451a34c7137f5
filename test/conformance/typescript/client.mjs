// Runs all checks against a server such as `python/server.py`, with version 1 of the TypeScript SDK. Prints
// the results as JSON, by check. Arguments: the folder whose `node_modules` has the SDK, and the URL. The
// environment variable TOKEN is a bearer token.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [folder, url] = process.argv.slice(2);
const load = createRequire(join(folder, 'package.json'));
const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = load('@modelcontextprotocol/sdk/client/streamableHttp.js');
const types = load('@modelcontextprotocol/sdk/types.js');

/**
 * Time within which a message of a server arrives, even on a slow machine. The client always waits for this
 * time, because no event shows that the server sent no message.
 */
const SOON_MS = 1_000;
/** Time limit of a call. Some servers never end a call in which they cannot send requests to the client. */
const PATIENCE_MS = 8_000;
const { TOKEN } = process.env;

async function connected(errors = []) {
  const heard = { logs: [], changes: [] };
  const capabilities = { sampling: {}, elicitation: {}, roots: {} };
  const client = new Client({ name: 'client', version: '1' }, { capabilities });
  Object.assign(client, { onerror: (error) => errors.push(String(error)) });
  client.setRequestHandler(types.ElicitRequestSchema, () => ({
    action: 'accept',
    content: { environment: 'test' },
  }));
  client.setRequestHandler(types.CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'm',
    stopReason: 'endTurn',
    content: { type: 'text', text: 'Paris' },
  }));
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home' }] }));
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) =>
    heard.logs.push([params.level, params.data]),
  );
  for (const kind of ['Tool', 'Prompt', 'Resource'])
    client.setNotificationHandler(types[`${kind}ListChangedNotificationSchema`], ({ method }) =>
      heard.changes.push(method),
    );
  const headers = TOKEN === undefined ? {} : { authorization: `Bearer ${TOKEN}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return { client, transport, heard };
}

/** The result of the work, or the code of its error. */
async function outcome(work) {
  return work.catch(({ code }) => ({ error: code ?? 'none' }));
}

async function checks({ client, heard }, seen) {
  const call = async (name, args = {}, options = {}) => {
    const result = await client.callTool({ name, arguments: args }, undefined, options);
    return {
      texts: result.content.map(({ text }) => text),
      structured: result.structuredContent ?? null,
      isError: result.isError ?? false,
    };
  };
  seen.server = client.getServerVersion().name;
  seen.capabilities = Object.keys(client.getServerCapabilities()).sort();
  seen.tools = (await client.listTools()).tools.map(({ name }) => name).sort();
  seen.echo = await call('echo', { text: 'Grüße, 世界' });
  seen.structured = await call('add', { a: 2, b: 3 });
  seen['tool error'] = await call('fail');
  seen['no tool'] = await outcome(call('nothing'));
  seen.resources = (await client.listResources()).resources.map(({ uri }) => uri);
  seen.templates = (await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate);
  for (const uri of ['test://text', 'test://people/Ada'])
    seen[`read ${uri}`] = (await client.readResource({ uri })).contents.map(({ text }) => text);
  seen['no resource'] = await outcome(client.readResource({ uri: 'test://none' }));
  seen.prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
  const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
  seen.prompt = prompt.messages.map(({ content }) => content.text);
  const steps = [];
  await call('progress', {}, { onprogress: ({ progress, total }) => steps.push([progress, total]) });
  await pause(SOON_MS);
  seen.progress = steps;
  await call('log');
  await pause(SOON_MS);
  seen['log without a level'] = heard.logs.splice(0);
  for (const name of ['ask_person', 'ask_model', 'ask_roots'])
    seen[name] = await outcome(call(name, {}, { timeout: PATIENCE_MS }));
  for (const what of ['tools', 'prompts', 'resources']) await call('change', { what });
  await pause(SOON_MS);
  seen.changes = heard.changes.splice(0).sort();
  await outcome(call('change_outside'));
  await pause(SOON_MS);
  seen['changes outside of a call'] = heard.changes.splice(0).sort();
  seen.level = await outcome(client.setLoggingLevel('warning'));
  await call('log');
  await pause(SOON_MS);
  seen['log with a level'] = heard.logs.splice(0);
  seen.cancelled = await cancelled(client);
  seen.afterwards = await call('echo', { text: 'still there' });
}

async function cancelled(client) {
  const signal = AbortSignal.timeout(500);
  const call = client.callTool({ name: 'wait', arguments: { seconds: 2 } }, undefined, { signal });
  const end = await call.then(
    () => 'answered',
    () => 'given up',
  );
  await pause(2_500);
  return end;
}

async function main() {
  const seen = {};
  const errors = [];
  const one = await connected(errors);
  await checks(one, seen);
  await one.transport.terminateSession();
  await one.client.close();
  const other = await connected(errors);
  const call = other.client.callTool({ name: 'wait', arguments: { seconds: 20 } }).catch(() => undefined);
  await pause(700);
  await other.transport.terminateSession();
  await other.client.close();
  await call;
  seen.errors = errors;
  process.stdout.write(JSON.stringify(seen));
  process.exit(0);
}

void main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
