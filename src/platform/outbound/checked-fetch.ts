import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkedRequestOptions } from './checked-address';
import { failOnUpgrade } from './refused-upgrades';

/** Maximum size of an answer. Answers of authorization servers are smaller. */
const MAX_BYTES = 256 * 1024;
const HEADER_BYTES = 16 * 1024;
const ANSWER_WITHIN_MS = 10_000;

/** Argument of openid-client's fetch hook. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Makes a `fetch` for servers that users or other servers name. It connects to checked addresses only,
 * follows no redirect, and reads a bounded answer within 10 s. Plain http is allowed only for hosts on the
 * allow-list, because it exposes the credentials to the network.
 * @throws ForbiddenAddress, and what Node.js throws for broken connections
 */
export function checkedFetch(
  allowedHosts: readonly string[],
): (url: string, init: FetchInit) => Promise<Response> {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address);
    const isTls = url.protocol === 'https:';
    if (!isTls && !isPlainAllowed(url, allowedHosts))
      throw new Error('plain http is for hosts of MCP_ALLOWED_HOSTS only');
    const way = await checkedRequestOptions(url.hostname, allowedHosts);
    const limit = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return new Promise((resolve, reject) => {
      const call = (isTls ? requestHttps : requestHttp)(
        url,
        {
          ...way,
          method,
          headers: { ...headers, 'accept-encoding': 'identity' },
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
          maxHeaderSize: HEADER_BYTES,
        },
        (response) => void answerOf(response).then(resolve, reject),
      );
      call.on('error', reject);
      failOnUpgrade(call, reject);
      call.end(bytesOf(body));
    });
  };
}

/** Whether a URL may be requested without TLS. */
export function isPlainAllowed({ protocol, hostname }: URL, allowedHosts: readonly string[]): boolean {
  return protocol === 'http:' && allowedHosts.includes(hostname.replace(/^\[|\]$/g, ''));
}

async function answerOf(response: IncomingMessage): Promise<Response> {
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
    const { statusCode = 500 } = response;
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    const isEmpty = [204, 205, 304].includes(statusCode);
    return new Response(isEmpty ? null : Buffer.concat(chunks), { status: statusCode, headers });
  } finally {
    response.destroy();
  }
}

function bytesOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('the body of a request is a text or a form');
}
