import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { webcrypto } from 'node:crypto';
import { eventually } from './eventually';
import type { TestGateway } from './gateway';

/** A received webhook message. */
export interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // `any`, because tests read the fields of all types of messages.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly at: number;
}

/** Answers a message: returns a status, or writes the response itself. */
type Answering = (message: Received, response: ServerResponse) => number | void | Promise<number | void>;

/** A test endpoint for webhooks, which receives real HTTP requests on this machine. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answering: Answering = () => 204;
  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => void receiver.take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const message = {
      path: request.url,
      headers: request.headers,
      text,
      body: JSON.parse(text),
      at: Date.now(),
    };
    this.received.push(message);
    const status = await this.answering(message, response);
    if (typeof status === 'number') response.writeHead(status).end();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Returns the types of the received messages, in order; if `session` is given, only of this session. */
  types(session?: string): string[] {
    return this.received
      .filter(({ body }) => session === undefined || body.data.session_id === session)
      .map(({ body }) => body.type as string);
  }

  /** Waits until `count` messages were received; if `session` is given, only its messages count. */
  async has(count: number, session?: string, withinMs?: number): Promise<void> {
    await eventually(`${count} messages`, async () => this.types(session).length >= count, withinMs);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/**
 * Whether a message was signed with the secret. The check follows Standard Webhooks 1.0, and uses another
 * implementation of HMAC than the gateway.
 */
export async function isSigned({ headers, text }: Received, secret: string): Promise<boolean> {
  const { subtle } = webcrypto;
  const bytes = Uint8Array.from(atob(secret.slice('whsec_'.length)), (character) => character.charCodeAt(0));
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const timestamp = String(headers['webhook-timestamp']);
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const signed = new TextEncoder().encode(`${String(headers['webhook-id'])}.${timestamp}.${text}`);
  for (const signature of String(headers['webhook-signature']).split(' ')) {
    const [version, encoded = ''] = signature.split(',');
    const mac = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    if (version === 'v1' && (await subtle.verify('HMAC', key, mac, signed))) return true;
  }
  return false;
}

/** Makes a webhook. Returns it, with its secret. */
export async function subscribe(
  gateway: TestGateway,
  url: string,
  events: string[],
  more: object = {},
): Promise<{ id: string; secret: string }> {
  const answer = await gateway.call('admin', 'POST', '/webhooks', { url, events, ...more });
  if (answer.status !== 201) throw new Error(`the webhook was not created: ${answer.text}`);
  return answer.body as { id: string; secret: string };
}

/** Settings with which a gateway sends to receivers on this machine, and retries soon. */
export const IMPATIENT = {
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  WEBHOOK_RETRY_SECONDS: '1,1',
  // Longer than any receiver needs, because the gateway sends a message again after a timeout.
  WEBHOOK_TIMEOUT_SECONDS: '30',
};
