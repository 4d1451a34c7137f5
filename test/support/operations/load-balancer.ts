import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
  request,
} from 'node:http';
import { type Socket, connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { GatewayProcess } from '../gateway-process';

const LOOK_EVERY_MS = 100;
const HOST = '127.0.0.1';
/** Name of the cookie by which the load balancer sends all requests of a browser to one gateway. */
const STICKY = 'balancer';

/**
 * Removes the hop-by-hop headers (RFC 9110 section 7.6.1). Otherwise a client would read how long the gateway
 * keeps its connection open, and send a request on a connection that the load balancer has closed.
 */
function withoutHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'keep-alive': __, ...rest } = headers;
  return rest;
}

interface Member {
  readonly gateway: GatewayProcess;
  readonly port: number;
  readonly postgresPort: number;
  isReady: boolean;
}

/**
 * A load balancer, as the operations pages describe it. It polls `/readyz` of each gateway, and sends new
 * requests and PostgreSQL sessions to ready gateways. A cookie keeps a browser at one gateway. If a gateway
 * refuses a connection, another gateway gets the request. It sends no request twice.
 */
export class LoadBalancer {
  private readonly members = new Set<Member>();
  private readonly sockets = new Set<Socket>();
  private readonly closing = new AbortController();
  private turn = 0;

  private constructor(
    private readonly rest: Server,
    private readonly postgres: ReturnType<typeof createTcpServer>,
  ) {}

  static async start(port: number, postgresPort: number): Promise<LoadBalancer> {
    const rest = createServer();
    const postgres = createTcpServer();
    const balancer = new LoadBalancer(rest, postgres);
    rest.on('request', (asked, answer) => balancer.pass(asked, answer));
    postgres.on('connection', (client) => balancer.join(client));
    await Promise.all([
      new Promise<void>((listening) => rest.listen(port, HOST, listening)),
      new Promise<void>((listening) => postgres.listen(postgresPort, HOST, listening)),
    ]);
    return balancer;
  }

  /** Adds a gateway. Resolves when the gateway can get requests. */
  async add(gateway: GatewayProcess, postgresPort: number): Promise<void> {
    const member = { gateway, port: Number(new URL(gateway.api).port), postgresPort, isReady: false };
    this.members.add(member);
    await this.look(member);
    if (!member.isReady) throw new Error(`not ready: ${gateway.describe()}`);
    void this.keepLooking(member);
  }

  async close(): Promise<void> {
    this.closing.abort();
    for (const socket of this.sockets) socket.destroy();
    this.rest.closeAllConnections();
    await Promise.all([
      new Promise((closed) => this.rest.close(closed)),
      new Promise((closed) => this.postgres.close(closed)),
    ]);
  }

  private async keepLooking(member: Member): Promise<void> {
    while (!this.closing.signal.aborted && !member.gateway.hasEnded) {
      await this.look(member);
      await pause(LOOK_EVERY_MS);
    }
    this.members.delete(member);
  }

  private async look(member: Member): Promise<void> {
    member.isReady = await member.gateway.get('/readyz').then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Returns the gateway that the cookie names, then all ready gateways in rotating order. */
  private candidates(cookie = ''): Member[] {
    const all = [...this.members];
    const ready = all.filter(({ isReady }) => isReady);
    this.turn += 1;
    const turned = ready.map((_, place) => ready[(place + this.turn) % ready.length] as Member);
    const own = all.filter(({ port }) => cookie.includes(`${STICKY}=${port}`));
    return [...own, ...turned];
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () =>
      this.ask(asked, Buffer.concat(chunks), answer, this.candidates(asked.headers.cookie)),
    );
  }

  private ask(asked: IncomingMessage, body: Buffer, answer: ServerResponse, [to, ...others]: Member[]): void {
    if (to === undefined) return void answer.writeHead(503).end('no gateway is ready');
    const { method, url: path } = asked;
    const headers = withoutHop(asked.headers);
    const passed = request({ host: HOST, port: to.port, method, path, headers, agent: false });
    passed.on('response', (heard) => {
      const { 'set-cookie': cookies = [], ...rest } = heard.headers;
      answer.writeHead(heard.statusCode ?? 502, {
        ...withoutHop(rest),
        'set-cookie': [...cookies, `${STICKY}=${to.port}; Path=/`],
      });
      heard.pipe(answer);
      heard.once('error', () => answer.destroy());
    });
    passed.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') this.ask(asked, body, answer, others);
      else if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(`${to.port}: ${error.message}`);
    });
    passed.end(body);
  }

  private join(client: Socket): void {
    const [to] = this.candidates();
    if (to === undefined) return void client.destroy();
    const gateway = connect(to.postgresPort, HOST);
    for (const [one, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => this.sockets.delete(one) && other.destroySoon());
      one.pipe(other);
    }
  }
}
