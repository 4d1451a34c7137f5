// An MCP server built with the official SDK of its era. Started by fork(); receives the era and sends its
// port.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as ModernServer, createMcpHandler, fromJsonSchema } from '@modelcontextprotocol/server';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { LARGE } from './large.mjs';

const INFO = { name: 'bench', version: '1.0.0' };
const answer = ({ text }) => ({ content: [{ type: 'text', text: `You said: ${text}` }] });
const LARGE_BYTES = 10_000_000;
const large = ({ text }) => LARGE[text](LARGE_BYTES);

function modern() {
  const handler = createMcpHandler(
    () => {
      const server = new ModernServer(INFO);
      const inputSchema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } });
      server.registerTool('echo', { description: 'Says what it hears', inputSchema }, answer);
      server.registerTool('large', { description: 'Says 10 MB', inputSchema }, large);
      return server;
    },
    { legacy: 'reject' },
  );
  return toNodeHandler(handler);
}

function legacy() {
  const sessions = new Map();
  return async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    let transport = sessions.get(id);
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: true,
        onsessioninitialized: (session) => sessions.set(session, transport),
      });
      const server = new LegacyServer(INFO);
      server.registerTool(
        'echo',
        { description: 'Says what it hears', inputSchema: { text: z.string() } },
        answer,
      );
      server.registerTool('large', { description: 'Says 10 MB', inputSchema: { text: z.string() } }, large);
      await server.connect(transport);
    }
    return transport.handleRequest(request, response, body);
  };
}

const [era] = await once(process, 'message');
const handle = era === 'modern' ? modern() : legacy();
async function take(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  await handle(request, response, text === '' ? undefined : JSON.parse(text));
}

const server = createServer((request, response) => void take(request, response));
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.once('disconnect', () => process.exit());
