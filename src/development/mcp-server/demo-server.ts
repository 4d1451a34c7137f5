import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JsonObject, JsonFault, readJson, writeJson } from '../../kernel/json/json';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import {
  RpcFault,
  type RpcRequest,
  classifyMessage,
  rpcError,
  rpcResult,
} from '../../targets/mcp/protocol/rpc-messages';
import { DemoMethods } from './demo-methods';
import { HeaderFault, eraOf, withModernFields } from './eras';

const LOOPBACK = '127.0.0.1';
const PATH = '/mcp';
const MAX_BYTES = 1024 * 1024;

export interface DemoMcpServer {
  readonly url: string;
  /**
   * The bearer token that the server requires. Only the gateway has it, so
   * that clients must go through the gateway.
   */
  readonly key: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly message?: JsonObject;
}

/**
 * Starts an MCP server with a few customers, in this process, on 127.0.0.1:
 * streamable HTTP, without sessions and without streams.
 */
export async function startDemoMcpServer(): Promise<DemoMcpServer> {
  const key = randomBytes(32).toString('base64url');
  const methods = new DemoMethods();
  const server = createServer((request, response) => {
    // The only errors here are broken connections, and they cannot be answered.
    answer(methods, key, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}${PATH}`,
    key,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  methods: DemoMethods,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, message } = await replyTo(methods, key, request);
  response.writeHead(status, {
    ...(message === undefined ? {} : { 'content-type': 'application/json' }),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 405 ? { allow: 'POST' } : {}),
    // If the body was not read to its end, close the connection, so that the rest is not read as a request.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(message === undefined ? undefined : writeJson(message));
}

async function replyTo(methods: DemoMethods, key: string, request: IncomingMessage): Promise<Reply> {
  if (request.url !== PATH) return { status: 404 };
  if (!isAuthorized(request.headers, key)) return { status: 401 };
  if (request.method !== 'POST') return { status: 405 };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 413 };
  let message;
  try {
    message = classifyMessage(await readJson(body));
  } catch (error) {
    if (error instanceof RpcFault) return { status: 400, message: rpcError(error.id, errorOf(error)) };
    if (!(error instanceof JsonFault)) throw error;
    const why = `the message ${error.message}`;
    return { status: 400, message: rpcError(undefined, { code: RPC_ERRORS.parseError, message: why }) };
  }
  return message.kind === 'request' ? respond(methods, message, request.headers) : { status: 202 };
}

function respond(methods: DemoMethods, request: RpcRequest, headers: IncomingHttpHeaders): Reply {
  const { id, method, params = {} } = request;
  try {
    const era = eraOf(request, headers);
    try {
      const result = methods.answer(method, params, era);
      const message = rpcResult(id, era === 'modern' ? withModernFields(method, result) : result);
      return { status: 200, message };
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      const isUnknown = era === 'modern' && error.code === RPC_ERRORS.methodNotFound;
      return { status: isUnknown ? 404 : 200, message: rpcError(id, errorOf(error)) };
    }
  } catch (error) {
    if (!(error instanceof HeaderFault)) throw error;
    return { status: 400, message: rpcError(id, { ...errorOf(error), ...error.more }) };
  }
}

function errorOf({ code, message }: RpcFault) {
  return { code, message };
}

function isAuthorized({ authorization = '' }: IncomingHttpHeaders, key: string): boolean {
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${key}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Reads the body; undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
