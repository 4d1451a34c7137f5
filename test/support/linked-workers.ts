import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type WorkerExchange, WorkerLinks } from '../../src/proxies/kit/worker-links';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface LinkedWorker {
  readonly links: WorkerLinks;
  readonly http: Server;
  readonly port: number;
  handle: Handler;
}

const NOT_PASSED: Handler = (_request, response) => void response.writeHead(404).end('not here');

/** Workers that pass requests to each other by the header `x-session`, without the rest of a gateway. */
export class LinkedWorkers {
  private readonly workers = new Set<LinkedWorker>();

  private constructor(readonly exchange: WorkerExchange) {}

  static async open(): Promise<LinkedWorkers> {
    jest.spyOn(Logger.prototype, 'debug').mockImplementation();
    const directory = await mkdtemp(join(tmpdir(), 'links-'));
    return new LinkedWorkers({ directory, secret: randomBytes(32) });
  }

  async begin(): Promise<LinkedWorker> {
    const links = new WorkerLinks();
    const made: LinkedWorker = { links, http: createServer(), port: 0, handle: NOT_PASSED };
    this.workers.add(made);
    made.http.on('request', (asked: IncomingMessage, response: ServerResponse) => {
      const text = String(asked.headers['x-session']);
      const answer = async (): Promise<void> => {
        if (!(await links.pass(text, asked, response))) made.handle(asked, response);
      };
      void answer();
    });
    made.http.listen(0, '127.0.0.1');
    await once(made.http, 'listening');
    await links.open(this.exchange, made.http);
    return Object.assign(made, { port: (made.http.address() as AddressInfo).port });
  }

  async end(one: LinkedWorker): Promise<void> {
    this.workers.delete(one);
    await one.links.onApplicationShutdown();
    one.http.close();
    one.http.closeAllConnections();
  }

  async close(): Promise<void> {
    for (const one of this.workers) await this.end(one);
    await rm(this.exchange.directory, { recursive: true, force: true });
  }
}

/** Sends a request for a session to one worker. The worker may pass it to another worker. */
export function askWorker(
  { port }: LinkedWorker,
  session: string,
  options: { method?: string; body?: Buffer; headers?: object } = {},
): Promise<Response> {
  const { method = 'POST', body, headers } = options;
  return fetch(`http://127.0.0.1:${port}/a%2Fb?c=d`, {
    method,
    headers: { ...headers, 'x-session': session },
    ...(body === undefined ? {} : { body }),
  });
}
