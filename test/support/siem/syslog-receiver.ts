import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { eventually } from '../eventually';
import type { TestCertificate } from '../tls';
import { OctetCounting, type SyslogMessage, parseSyslog } from './syslog-message';

/**
 * Behavior of the receiver on a connection. `taking`: reads normally. `slow`: pauses after each read.
 * `silent`: reads, but never closes. `resets`: resets the connection when the first bytes arrive.
 */
export type SyslogManner = 'taking' | 'slow' | 'silent' | 'resets';

/** A received message, with the facts of its structured data and its raw text. */
export interface ReceivedEvent extends SyslogMessage {
  readonly id: string;
  readonly position: number;
  readonly facts: Readonly<Record<string, string>>;
  readonly raw: string;
}

/** A test receiver for syslog over TLS or plain TCP. It accepts only messages that conform to the RFCs. */
export class SyslogReceiver {
  readonly received: ReceivedEvent[] = [];
  readonly faults: string[] = [];
  /** Connections that were opened. */
  connections = 0;
  /** Number of connections that the receiver reset (`resets`). */
  broken = 0;
  /** Called with each message. */
  onMessage: (event: ReceivedEvent) => void = () => undefined;
  manner: SyslogManner = 'taking';
  /** TCP connections, by the port of the client. */
  private readonly open = new Map<number | undefined, Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'tcp' | 'tls',
  ) {}

  /** @param certificate if absent, the receiver uses plain TCP */
  static async start(certificate?: TestCertificate, port = 0, host = '127.0.0.1'): Promise<SyslogReceiver> {
    const server =
      certificate === undefined
        ? createServer({ allowHalfOpen: true })
        : createTlsServer({ ...certificate, allowHalfOpen: true });
    const receiver = new SyslogReceiver(server, certificate === undefined ? 'tcp' : 'tls');
    server.on('connection', (socket: Socket) => receiver.keepOpen(socket));
    server.on(certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
      receiver.take(socket),
    );
    server.listen(port, host);
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${this.port}`;
  }

  /** Events of those types only, in the order in which they came. */
  of(...types: string[]): ReceivedEvent[] {
    return this.received.filter(({ msgId }) => types.includes(msgId));
  }

  async has(count: number, types: readonly string[], withinMs?: number): Promise<ReceivedEvent[]> {
    await eventually(
      `${count} of ${types.join(', ')}`,
      async () => this.of(...types).length >= count,
      withinMs,
    );
    return this.of(...types);
  }

  /** Breaks all connections and refuses new ones. */
  async close(): Promise<void> {
    for (const socket of this.open.values()) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private keepOpen(socket: Socket): void {
    const { remotePort } = socket;
    this.open.set(remotePort, socket);
    socket.on('close', () => this.open.delete(remotePort));
    socket.on('error', () => undefined);
  }

  private take(socket: Socket): void {
    this.connections += 1;
    socket.on('error', () => undefined);
    const frames = new OctetCounting();
    const { manner } = this;
    socket.on('end', () => {
      if (manner !== 'silent') socket.end();
    });
    socket.on('data', (chunk) => {
      if (manner === 'resets') {
        this.broken += 1;
        this.open.get(socket.remotePort)?.resetAndDestroy();
        return;
      }
      if (manner === 'slow') {
        socket.pause();
        setTimeout(() => socket.resume(), 20);
      }
      try {
        for (const message of frames.take(chunk)) this.keep(message);
      } catch (error) {
        this.faults.push(String(error));
        socket.destroy();
      }
    });
  }

  private keep(message: Buffer): void {
    const parsed = parseSyslog(message);
    const facts = parsed.structured['gateway@32473'] ?? {};
    const event = {
      ...parsed,
      facts,
      id: facts['id'] ?? '',
      position: Number(facts['position']),
      raw: message.toString(),
    };
    this.onMessage(event);
    this.received.push(event);
  }
}

/** Events in the order in which each came first, without duplicates. */
export function firstOfEach<T extends { readonly id: string }>(events: readonly T[]): T[] {
  return [...new Map(events.toReversed().map((event) => [event.id, event])).values()].toReversed();
}
