import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
  request as requestHttp,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../ledger/random';
import type { Moment, Step } from './bucket-faults';

/** Time that a gateway needs to write its rows, after an answer or after a time-out of `TIME_OUT_MS`. */
const LATER_MS = 40;
const TIME_OUT_MS = 1_000;
const WELL: Step = { method: 'PUT', fault: 'well', moment: 'before' };

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** A proxy in front of a bucket. It adds faults to answers, and reports when a move reaches a step. */
export class KillingProxy {
  private step: Step = WELL;
  private spring: (() => void) | undefined;

  private constructor(
    private readonly server: Server,
    private readonly bucketPort: number,
    private readonly random: Random,
  ) {}

  static async start(bucketPort: number, random: Random): Promise<KillingProxy> {
    let proxy: KillingProxy | undefined;
    const server = createServer(
      (request, response) => void proxy?.pass(request, response).catch(() => response.destroy()),
    );
    proxy = new KillingProxy(server, bucketPort, random);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Applies the fault of this step from now on. Resolves when a move has reached the step. */
  async reached(step: Step): Promise<void> {
    this.step = step;
    await new Promise<void>((resolve) => (this.spring = resolve));
  }

  /** Stops applying faults. A pending `reached` never resolves then. */
  heal(): void {
    this.step = WELL;
    this.spring = undefined;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Only requests for segments are steps of a move. For example, the bucket check at the start is not.
    const isStep = /\/\d+-\d{8}-\d{8}-/.test(request.url ?? '') && request.method === this.step.method;
    const fault = isStep ? this.step.fault : 'well';
    const come = (moment: Moment): void => {
      if (isStep) this.come(moment);
    };
    come('before');
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part as Buffer);
      if (parts.length === 1) come('within');
    }
    const refusal = refusals[fault];
    const answer = refusal ?? spoiled(await this.forward(request, Buffer.concat(parts)), fault);
    come('unanswered');
    if (fault === 'slow') {
      // The gateway times out and closes the connection of the request.
      setTimeout(() => come('later'), TIME_OUT_MS - LATER_MS + this.random.between(0, 3 * LATER_MS));
      return;
    }
    this.send(request, response, answer, fault === 'truncating', () => come('within'));
    come('answered');
    setTimeout(() => come('later'), this.random.between(0, LATER_MS));
  }

  private send(
    { method }: IncomingMessage,
    response: ServerResponse,
    { status, headers, body }: Answer,
    isCut: boolean,
    halfway: () => void,
  ): void {
    if (isCut && method !== 'GET') {
      response.destroy();
      return;
    }
    response.writeHead(
      status,
      method === 'HEAD' ? headers : { ...headers, 'content-length': String(body.length) },
    );
    if (isCut) response.write(body.subarray(0, -5), () => response.destroy());
    else if (method === 'GET') {
      response.write(body.subarray(0, body.length / 2));
      halfway();
      response.end(body.subarray(body.length / 2));
    } else response.end(body);
  }

  private come(moment: Moment): void {
    if (moment !== this.step.moment) return;
    const { spring } = this;
    this.spring = undefined;
    spring?.();
  }

  private forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
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

function refusal(status: number, code: string): Answer {
  return { status, headers: {}, body: Buffer.from(`<Error><Code>${code}</Code></Error>`) };
}

const refusals: Partial<Record<string, Answer>> = {
  full: refusal(507, 'InsufficientStorage'),
  'read-only': refusal(403, 'AccessDenied'),
  failing: refusal(500, 'InternalError'),
};

/** Applies a fault to an answer: `lying` shortens its body, `wrong` changes its body and checksum. */
function spoiled(answer: Answer, fault: string): Answer {
  const { headers, body } = answer;
  if (fault === 'lying') return { ...answer, body: body.subarray(0, -5) };
  if (fault !== 'wrong') return answer;
  const changed = Buffer.from(body);
  if (changed.length > 0) changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1);
  return {
    ...answer,
    headers: { ...headers, 'x-amz-checksum-sha256': Buffer.alloc(32).toString('base64') },
    body: changed,
  };
}
