import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Injectable } from '@nestjs/common';
import { WebhookSettings } from '../../platform/config/groups';
import { piecesOf } from '../../kernel/text/pieces';
import { ForbiddenAddress, checkedRequestOptions } from '../../platform/outbound/checked-address';
import { endpointRefusal } from './endpoint-url';
import { failOnUpgrade } from '../../platform/outbound/refused-upgrades';

/** Number of characters of an answer that admins see. */
const SHOWN_CHARACTERS = 200;
/**
 * Number of bytes of an answer after which the gateway closes the connection. It is larger than the number
 * that is shown, so that an endpoint can usually finish its answer.
 */
const READ_BYTES = 64 * 1024;
const HEADER_BYTES = 16 * 1024;
const DAY_MS = 86_400_000;

/** The result of sending a message: an answer with any status, or no answer. */
export interface EndpointAnswer {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** The fault in plain words; null for a status that means success. */
  readonly error: string | null;
  /** Delay that the endpoint requests (`Retry-After`), in milliseconds. */
  readonly pauseMs?: number;
}

/** Posts messages to endpoints. Connects to checked addresses only, and does not follow redirects. */
@Injectable()
export class WebhookSender {
  constructor(private readonly settings: WebhookSettings) {}

  /** @throws only if `stop` aborts before there is an answer. */
  async post(
    address: string,
    headers: Record<string, string>,
    body: string,
    stop: AbortSignal,
  ): Promise<EndpointAnswer> {
    const url = new URL(address);
    const { timeoutSeconds: seconds } = this.settings;
    // Does not use AbortSignal.any, because `stop` lives long, so its listener must be removed after the
    // request.
    const patience = new AbortController();
    const giveUp = (): void => patience.abort(new Error('the caller stopped waiting'));
    const timer = setTimeout(giveUp, seconds * 1000);
    stop.addEventListener('abort', giveUp);
    try {
      stop.throwIfAborted();
      const refusal = endpointRefusal(url, this.settings);
      if (refusal !== undefined) throw new ForbiddenAddress(`the url ${refusal}`);
      return await this.answer(url, headers, body, patience.signal);
    } catch (error) {
      stop.throwIfAborted();
      const isLate = patience.signal.aborted;
      return { status: null, error: isLate ? `There was no answer within ${seconds} s.` : wordsOf(error) };
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', giveUp);
    }
  }

  private async answer(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<EndpointAnswer> {
    const way = await unlessAborted(checkedRequestOptions(url.hostname, this.settings.allowedHosts), signal);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const options = { ...way, method: 'POST', headers, signal, maxHeaderSize: HEADER_BYTES };
    return new Promise((resolve, reject) => {
      // Once the headers have arrived, the endpoint has answered, even if the body breaks off.
      const call = send(url, options, (response) => resolve(beginningOf(response)));
      call.on('error', reject);
      failOnUpgrade(call, reject);
      call.end(body);
    });
  }
}

/** Resolves with the status when the body ended or broke off. */
function beginningOf(response: IncomingMessage): Promise<EndpointAnswer> {
  const status = response.statusCode ?? 0;
  const pauseMs = retryAfterMs(response.headers['retry-after']);
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      if (bytes < SHOWN_CHARACTERS * 4) chunks.push(chunk.subarray(0, SHOWN_CHARACTERS * 4));
      bytes += chunk.length;
      if (bytes > READ_BYTES) response.destroy();
    });
    response.on('error', () => undefined);
    response.on('close', () =>
      resolve({ status, error: faultOf(status, Buffer.concat(chunks).toString()), pauseMs }),
    );
  });
}

/** Parses `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). Returns at most one day. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number {
  if (header === undefined) return 0;
  const pause = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Math.min(Math.max(pause || 0, 0), DAY_MS);
}

function faultOf(status: number, text: string): string | null {
  if (status >= 200 && status < 300) return null;
  // The text is stored and shown, so it must not contain line breaks, terminal escapes or NUL.
  const [shown] = piecesOf(text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim(), SHOWN_CHARACTERS);
  const said = shown === undefined ? '.' : `: ${shown}`;
  const redirect = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
  return `The endpoint answered with status ${status}${redirect}${said}`;
}

function wordsOf(error: unknown): string {
  if (error instanceof ForbiddenAddress)
    return `The gateway does not connect to this address: ${error.message}. To allow it, add its host to WEBHOOK_ALLOWED_HOSTS.`;
  const code = (error as { code?: unknown }).code;
  return `The endpoint could not be reached${typeof code === 'string' && /^\w+$/.test(code) ? ` (${code})` : ''}.`;
}

/** Stops waiting when `signal` aborts. A name look-up itself cannot be aborted; its result is ignored. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  // The promise that loses the race must not count as an unhandled rejection.
  work.catch(() => undefined);
  aborted.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
