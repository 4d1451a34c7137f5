import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { AnswerCheck, type SeenAnswer } from './answer-check';

/**
 * Differences between openapi.json and the answers of test gateways to `fetch` and to Node's `http.request`.
 * They fail the current test (test/support/after-env.ts). They are not thrown, because the test could catch
 * an error.
 */
const faults = new Set<string>();
const bases: URL[] = [];
let check: AnswerCheck | undefined;
let isWatching = false;

/** Channel of Node.js that reports each answer to `http.request` after its headers, before its body. */
const HTTP_ANSWERS = 'http.client.response.finish';

/**
 * Starts to check answers of the API at this address. Ignores an invalid address, because tests of the
 * configuration start gateways without an address.
 */
export function watchAnswers(api: string): void {
  if (!URL.canParse(`${api}/`)) return;
  bases.push(new URL(`${api}/`));
}

/**
 * Stops checking the answers of gateways that have stopped, because another server may get their port. Called
 * before each test file. Also replaces `fetch`: if a test file did this, it would fail (jest/README.md).
 */
export function forgetGateways(): void {
  bases.length = 0;
  // Replaces `fetch` only once, for all test files of the worker.
  if (isWatching) return;
  isWatching = true;
  globalThis.fetch = watched(globalThis.fetch);
  subscribe(HTTP_ANSWERS, watchAnswer);
}

/** Returns the faults since the last call. */
export function foundFaults(): string[] {
  const found = [...faults];
  faults.clear();
  return found;
}

/** Checks an answer. Tests call it for answers that they read from a socket themselves. */
export function checkAnswer(answer: SeenAnswer): void {
  check ??= new AnswerCheck();
  for (const fault of check.faults(answer)) faults.add(fault);
}

function watched(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : String(input));
    const path = pathBelow(url.port, url.pathname);
    if (path === undefined) return response;
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const answer = { method, path, status: response.status, headers: response.headers };
    checkAnswer(answer);
    return withObservedBody(response, (body) => checkAnswer({ ...answer, body }));
  };
}

/** Returns the path below the API prefix of a watched gateway. Ignores the host, because all use loopback. */
function pathBelow(port: string, pathname: string): string | undefined {
  const base = bases.find((candidate) => candidate.port === port && pathname.startsWith(candidate.pathname));
  const path = base === undefined ? undefined : pathname.slice(base.pathname.length - 1);
  // MCP endpoints speak JSON-RPC, which openapi.json does not describe.
  return path !== undefined && /^\/mcp(\/|$)/.test(path) ? undefined : path;
}

/** Checks the body when the test reads it, because reading it earlier would wait for a stream to end. */
function withObservedBody(response: Response, see: (body: unknown) => void): Response {
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return response;
  const text = response.text.bind(response);
  const read = async () => {
    const content = await text();
    if (content !== '') see(JSON.parse(content));
    return content;
  };
  return Object.assign(response, { text: read, json: async () => JSON.parse(await read()) as unknown });
}

function watchAnswer(told: unknown): void {
  const { request, response } = told as { request: ClientRequest; response: IncomingMessage };
  const pathname = request.path.split('?')[0] ?? '';
  const path = pathBelow(String(response.socket.remotePort), pathname);
  if (path === undefined) return;
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const answer = { method: request.method, path, status: response.statusCode ?? 0, headers };
  checkAnswer(answer);
  if (headers.get('content-type')?.startsWith('application/json') !== true) return;
  // The parser passes each piece of the body to `push`. Reading the pieces there does not change how the test
  // reads the body.
  const chunks: Buffer[] = [];
  const push = response.push.bind(response);
  response.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk !== null) chunks.push(chunk);
    else if (response.complete && chunks.length > 0)
      checkAnswer({ ...answer, body: JSON.parse(unpacked(Buffer.concat(chunks), headers)) });
    return push(chunk, encoding);
  };
}

function unpacked(bytes: Buffer, headers: Headers): string {
  const encoding = headers.get('content-encoding');
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
