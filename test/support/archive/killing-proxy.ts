import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
  request as requestHttp,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a gateway can be killed: around and within each request of a move, and a moment after its answer, when it writes its rows. */
export const MOMENTS = ['before', 'within', 'unanswered', 'answered', 'later'] as const;
export type Moment = (typeof MOMENTS)[number];

export const BUCKET_STATES = [
  'well',
  'slow',
  'full',
  'read-only',
  'failing',
  'truncating',
  'lying',
  'wrong',
] as const;
export type BucketState = (typeof BUCKET_STATES)[number];

/** A proxy in front of a bucket that spoils answers, and says when a request has come to a moment. */
export class KillingProxy {
  state: BucketState = 'well';
  /** Called once, when a request with this method has come to the moment. */
  private trap: { readonly method: string; readonly moment: Moment; readonly spring: () => void } | undefined;

  private constructor(
    private readonly server: Server,
    private readonly bucketPort: number,
  ) {}

  static async start(bucketPort: number): Promise<KillingProxy> {
    let proxy: KillingProxy | undefined;
    const server = createServer(
      (request, response) => void proxy?.pass(request, response).catch(() => response.destroy()),
    );
    proxy = new KillingProxy(server, bucketPort);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  set(method: string, moment: Moment, spring: () => void): void {
    this.trap = { method, moment, spring };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private reached(request: IncomingMessage, moment: Moment): void {
    // The check of the bucket at the start is no step of a move.
    if (
      this.trap?.method !== request.method ||
      this.trap?.moment !== moment ||
      !/\/1?\d-\d{8}-/.test(request.url ?? '')
    )
      return;
    const { spring } = this.trap;
    this.trap = undefined;
    spring();
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.reached(request, 'before');
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part as Buffer);
      if (parts.length === 1) this.reached(request, 'within');
    }
    const { method } = request;
    // The gateway gives up, and the request ends with its connection.
    if (this.state === 'slow') return;
    if (this.state === 'full' && method === 'PUT') return refuse(response, 507, 'InsufficientStorage');
    if (this.state === 'read-only' && method === 'PUT') return refuse(response, 403, 'AccessDenied');
    if (this.state === 'failing') return refuse(response, 500, 'InternalError');
    const { status, headers, body } = await this.forward(request, Buffer.concat(parts));
    this.reached(request, 'unanswered');
    const isRead = method === 'GET' && request.headers.range !== undefined;
    const sent = isRead ? this.spoiled(body) : body;
    const isShort = sent.length < body.length && this.state === 'truncating';
    response.writeHead(
      status,
      isShort || method === 'HEAD' ? headers : { ...headers, 'content-length': String(sent.length) },
    );
    if (isShort) response.write(sent, () => response.destroy());
    else response.end(sent);
    this.reached(request, 'answered');
    setImmediate(() => setImmediate(() => this.reached(request, 'later')));
  }

  private spoiled(body: Buffer): Buffer {
    if (this.state === 'truncating' || this.state === 'lying') return body.subarray(0, -5);
    if (this.state !== 'wrong' || body.length === 0) return body;
    const changed = Buffer.from(body);
    changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1);
    return changed;
  }

  private forward(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const call = requestHttp(
        { host: '127.0.0.1', port: this.bucketPort, method, path: url, headers },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () => {
            const {
              'transfer-encoding': _,
              connection: __,
              ...kept
            } = answer.headers as Record<string, string>;
            resolve({ status: answer.statusCode ?? 500, headers: kept, body: Buffer.concat(parts) });
          });
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}
