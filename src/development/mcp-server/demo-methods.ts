import { type Json, type JsonObject, isObject } from '../../kernel/json/json';
import { NEWEST_LEGACY, type McpEra } from '../../targets/mcp/protocol/revisions';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import { RpcFault } from '../../targets/mcp/protocol/rpc-messages';
import { DemoCustomers } from './customers';
import { demoTools } from './demo-tools';
import { DEMO_REVISIONS, DEMO_SERVER } from './eras';

const INSTRUCTIONS = 'A few customers to try the gateway on. Deletions are real, until the next start.';
const CAPABILITIES = { tools: {}, resources: {}, prompts: {} };
const LOG = {
  uri: 'demo://log',
  name: 'log',
  description: 'What was done to the customers since the start.',
  mimeType: 'text/plain',
};
const PROMPT = {
  name: 'unused_accounts',
  description: 'Asks for customers who never ordered, and what to do with them.',
  arguments: [
    { name: 'orders', description: 'Still unused with so many orders. Default: 0', required: false },
  ],
};
const PROMPT_TEXT = (orders: string): string =>
  `List the customers with at most ${orders} orders. Say who they are before you delete any of them.`;

/** Answers each method of the demo server, for clients of both MCP eras (modern and legacy). */
export class DemoMethods {
  private readonly customers = new DemoCustomers();
  private readonly tools = demoTools(this.customers);

  /** @returns the result, without the fields that only modern MCP revisions have. @throws RpcFault */
  answer(method: string, params: JsonObject, era: McpEra): JsonObject {
    switch (method) {
      case 'tools/list':
        return { tools: this.tools.map(({ definition }) => definition) };
      case 'tools/call':
        return this.call(params);
      case 'resources/list':
        return { resources: [LOG] };
      case 'resources/templates/list':
        return { resourceTemplates: [] };
      case 'resources/read':
        return this.read(params, era);
      case 'prompts/list':
        return { prompts: [PROMPT] };
      case 'prompts/get':
        return prompt(params);
    }
    const greeting = era === 'modern' ? modernGreeting(method) : legacyGreeting(method);
    if (greeting === undefined) throw new RpcFault(RPC_ERRORS.methodNotFound, `Method not found: ${method}`);
    return greeting;
  }

  private call({ name, arguments: args = {} }: JsonObject): JsonObject {
    const tool = this.tools.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw invalid(`Unknown tool: ${shown(name)}`);
    if (!isObject(args)) throw invalid('"arguments" is not an object');
    return tool.run(args);
  }

  private read({ uri }: JsonObject, era: McpEra): JsonObject {
    if (uri === LOG.uri) return { contents: [{ uri, mimeType: LOG.mimeType, text: this.customers.log }] };
    const code = era === 'modern' ? RPC_ERRORS.invalidParams : RPC_ERRORS.resourceNotFound;
    throw new RpcFault(code, 'Resource not found');
  }
}

function modernGreeting(method: string): JsonObject | undefined {
  if (method !== 'server/discover') return undefined;
  return {
    supportedVersions: [...DEMO_REVISIONS],
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
  };
}

function legacyGreeting(method: string): JsonObject | undefined {
  if (method === 'ping') return {};
  if (method !== 'initialize') return undefined;
  // Always offer this revision. A client that requested another one decides whether it can use this one.
  return {
    protocolVersion: NEWEST_LEGACY,
    capabilities: CAPABILITIES,
    serverInfo: DEMO_SERVER,
    instructions: INSTRUCTIONS,
  };
}

function prompt({ name, arguments: args }: JsonObject): JsonObject {
  if (name !== PROMPT.name) throw invalid(`Unknown prompt: ${shown(name)}`);
  const orders = isObject(args) ? args['orders'] : undefined;
  const text = PROMPT_TEXT(typeof orders === 'string' ? orders : '0');
  return { description: PROMPT.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function shown(name: Json | undefined): string {
  return typeof name === 'string' ? name : 'its name is not a string';
}

function invalid(message: string): RpcFault {
  return new RpcFault(RPC_ERRORS.invalidParams, message);
}
