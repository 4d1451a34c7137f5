import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { MessageSplitter } from './message-splitter';
import { type WireMessage, terminate } from './messages';
import { type WireUnder, wireUnder } from '../pg-parts';

/** Result of a wait. `done`: the event occurred. `ended`: the connection ended. `hung`: the limit expired. */
export type Waited = 'done' | 'ended' | 'hung';

/** Offset of the minor version in a StartupMessage: after the length and the major version. */
const MINOR_AT = 6;

/** Settings of the sign-in. `ssl`: TLS after an SSLRequest; with `sslnegotiation: 'direct'`, TLS at once. */
export interface WireConfig extends ClientConfig {
  /** Minor version of protocol 3; default 0. */
  readonly protocolMinor?: 0 | 2;
}

/**
 * A client that writes any bytes to a PostgreSQL server or a proxy. node-postgres signs in; then this client
 * uses the socket of node-postgres. `messages` has the messages received after the sign-in, in order.
 */
export class WireClient {
  messages: WireMessage[] = [];
  private hasEnded = false;
  private readonly splitter = new MessageSplitter();
  private wake: () => void = () => undefined;

  private constructor(
    readonly socket: Socket,
    /** The TCP connection below TLS; without TLS, the same as `socket`. */
    readonly below: Socket,
    /** Parameters that the server reported while signing in. */
    readonly parameters: ReadonlyMap<string, string>,
  ) {
    socket.on('data', (bytes: Buffer) => this.receive(bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.hasEnded = true;
      this.wake();
    });
    socket.setNoDelay(true);
  }

  static async connect(config: WireConfig): Promise<WireClient> {
    const client = new Client(config);
    const connection = wireUnder(client);
    const below = connection.stream;
    speakMinor(connection, config.protocolMinor ?? 0);
    const parameters = new Map<string, string>();
    connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
      parameters.set(parameterName, parameterValue),
    );
    await client.connect();
    const { stream } = connection;
    stream.removeAllListeners();
    connection.removeAllListeners();
    return new WireClient(stream, below, parameters);
  }

  get ended(): boolean {
    return this.hasEnded;
  }

  /** Number of received bytes that are no complete message. */
  get torn(): number {
    return this.splitter.rest;
  }

  write(bytes: Buffer): void {
    if (!this.hasEnded) this.socket.write(bytes);
  }

  /** Waits until `isSo` returns true. Calls it whenever bytes arrive. */
  async until(isSo: () => boolean, withinMs: number): Promise<Waited> {
    const deadline = performance.now() + withinMs;
    while (!isSo()) {
      if (this.hasEnded) return 'ended';
      const left = deadline - performance.now();
      if (left <= 0) return 'hung';
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return 'done';
  }

  async close(): Promise<void> {
    this.write(terminate());
    this.socket.end();
    if ((await this.until(() => this.hasEnded, 2_000)) === 'hung') this.socket.destroy();
  }

  private receive(bytes: Buffer): void {
    this.messages.push(...this.splitter.push(bytes));
    this.wake();
  }
}

/** Sets the minor version in the StartupMessage of node-postgres, which always requests version 3.0. */
function speakMinor(connection: WireUnder, minor: number): void {
  const startup = connection.startup.bind(connection);
  connection.startup = (config) => {
    const { stream } = connection;
    const write = stream.write.bind(stream);
    stream.write = (bytes: Buffer) => {
      bytes.writeUInt16BE(minor, MINOR_AT);
      return write(bytes);
    };
    startup(config);
    stream.write = write;
  };
}
