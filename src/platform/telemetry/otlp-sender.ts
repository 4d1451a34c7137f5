import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { TelemetrySettings } from '../config/groups';
import { checkedRequestOptions } from '../outbound/checked-address';
import type { OtlpEndpoint } from './otlp-endpoint';
import { failOnUpgrade } from '../outbound/refused-upgrades';

/** Maximum size of an answer. Answers of collectors are smaller. */
const ANSWER_BYTES = 64 * 1024;
const SHOWN_CHARACTERS = 200;
const HEADER_BYTES = 16 * 1024;
const LONGEST_PAUSE_MS = 300_000;

const compress = promisify(gzip);

/** Error for a request that a collector refused. */
export class OtlpRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Pause from `Retry-After`, in milliseconds; 0 without one. */
    readonly pauseMs: number,
  ) {
    super(message);
  }
}

/**
 * Sends data to a collector by OTLP over HTTP, to a checked address, with a verified certificate, and without
 * following redirects. We do not use an OpenTelemetry exporter, because it cannot check addresses and does
 * not let the caller wait for the answer.
 */
export class OtlpSender {
  private readonly ca: Buffer | undefined;

  constructor(
    private readonly endpoint: OtlpEndpoint,
    private readonly settings: TelemetrySettings,
    private readonly allowedHosts: readonly string[],
  ) {
    const { certificateFile } = settings;
    this.ca = certificateFile === undefined ? undefined : readFileSync(certificateFile);
  }

  /** Whether requests are JSON; otherwise protobuf. */
  get isJson(): boolean {
    return this.settings.protocol === 'http/json';
  }

  /**
   * @returns the body of the answer.
   * @throws OtlpRefusal, an error at the time-out, and what Node.js throws for broken connections
   */
  async send(body: Uint8Array, signal: AbortSignal): Promise<Buffer> {
    const { url, headers } = this.endpoint;
    const { compression, timeoutMs } = this.settings;
    const content = compression === 'gzip' ? await compress(body) : Buffer.from(body);
    const way = await checkedRequestOptions(url.hostname, this.allowedHosts);
    const options = {
      ...way,
      ca: this.ca,
      method: 'POST',
      signal,
      maxHeaderSize: HEADER_BYTES,
      headers: {
        ...headers,
        'content-type': this.isJson ? 'application/json' : 'application/x-protobuf',
        'content-length': content.length,
        'user-agent': 'access-gateway',
        ...(compression === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
      },
    };
    return new Promise((resolve, reject) => {
      const call = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
        answerOf(response).then(resolve, reject);
      });
      const late = setTimeout(
        () => call.destroy(new Error(`the collector did not answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      call.on('close', () => clearTimeout(late));
      call.on('error', reject);
      failOnUpgrade(call, reject);
      call.end(content);
    });
  }
}

async function answerOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > ANSWER_BYTES) throw new Error(`the answer is larger than ${ANSWER_BYTES} bytes`);
  }
  const { statusCode = 0, headers } = response;
  const body = Buffer.concat(chunks);
  if (statusCode >= 200 && statusCode < 300) return body;
  throw new OtlpRefusal(
    statusCode,
    `the collector answered with status ${statusCode}${shown(body)}`,
    pauseOf(headers['retry-after']),
  );
}

/** Returns the readable start of an answer, for error messages. */
function shown(body: Buffer): string {
  const text = body
    .toString('utf8')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, SHOWN_CHARACTERS);
  return text === '' ? '' : `: ${text}`;
}

/** Returns the pause of `Retry-After` in milliseconds, from seconds or a date (RFC 9110, section 10.2.3). */
function pauseOf(header: string | undefined): number {
  if (header === undefined) return 0;
  const pause = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Math.min(Math.max(pause || 0, 0), LONGEST_PAUSE_MS);
}
