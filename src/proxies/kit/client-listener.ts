import { type Server, type Socket, createServer } from 'node:net';
import { Logger } from '@nestjs/common';
import { settlesWithin } from '../../kernel/async/timeout';
import { hangUp } from './hang-up';

/** Idle time before TCP keep-alive probes, which detect dead machines. The default (2 h) is too long. */
const KEEP_ALIVE_AFTER_MS = 60_000;
/**
 * Minimum time between two log lines about a failed `accept`. While no file descriptor is free, every
 * `accept` fails.
 */
const COMPLAIN_EVERY_MS = 1_000;
/** Maximum time at shutdown for clients to read their last message. */
const ENDS_WITHIN_MS = 1_000;

/** Sign-in and service of clients; the part of a listener that each protocol implements. */
export interface ListenerProtocol<Client extends { readonly socket: Socket }> {
  /** Name of the protocol for log lines and errors: `PostgreSQL`. */
  readonly name: string;
  /** The largest number of clients that may sign in at one time. */
  readonly signInLimit: number;
  signInWithinMs(): number;
  /**
   * Signs a client in, from its first byte until its credentials are accepted. Resolves with undefined when
   * there is no client to serve; the connection is then closed or about to be closed. Never rejects.
   * @param signal aborts with one of the `reasons` when the client must leave before it is signed in.
   */
  signIn(socket: Socket, signal: AbortSignal): Promise<Client | undefined>;
  /**
   * Serves the client until the client or its target ends the connection. The
   * listener then closes the socket.
   */
  serve(client: Client): Promise<void>;
  readonly reasons: {
    readonly tooLate: () => Error;
    readonly crowded: () => Error;
    readonly stopping: () => Error;
  };
}

/**
 * Accepts clients of a protocol over TCP, limits how many sign in concurrently and for how long, and serves
 * the clients that have signed in.
 */
export class ClientListener<Client extends { readonly socket: Socket }> {
  private readonly log = new Logger(ClientListener.name);
  private readonly server: Server;
  /** Clients that are signing in, oldest first. */
  private readonly signingIn = new Map<Socket, AbortController>();
  private readonly open = new Set<Socket>();
  private closed: Promise<void> = Promise.resolve();
  private complainedAt = 0;

  constructor(private readonly protocol: ListenerProtocol<Client>) {
    this.server = createServer(
      { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS },
      (socket) => this.accept(socket),
    );
  }

  /**
   * @param setting name of the setting for the port, for the error message.
   * @throws Error when the port is in use.
   */
  async listen(host: string, port: number, setting: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      const sentence = `Something else listens on ${host}:${port} already. Stop it, or set ${setting} to a free port.`;
      throw new Error(sentence, { cause: error });
    });
    this.server.on('error', (error) => this.complain(error));
  }

  /**
   * Stops accepting and disconnects clients that are signing in. Clients that
   * are already served stay connected.
   */
  close(): void {
    this.closed = new Promise((resolve) => this.server.close(() => resolve()));
    const why = this.protocol.reasons.stopping();
    for (const handshake of this.signingIn.values()) handshake.abort(why);
  }

  /**
   * Resolves when all connections are closed. Call it after `close`, when no client is served any more.
   * Destroys the connection of a client that does not read.
   */
  async end(): Promise<void> {
    if (await settlesWithin(this.closed, ENDS_WITHIN_MS)) return;
    for (const socket of this.open) socket.destroy();
    await this.closed;
  }

  private accept(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    this.serve(socket).catch((error: unknown) =>
      this.log.error({ err: error }, `A ${this.protocol.name} client could not be served`),
    );
  }

  /** Signs the client in, serves it and closes the socket. */
  private async serve(socket: Socket): Promise<void> {
    const client = await this.signInInTime(socket);
    if (client === undefined) return;
    // Uses the client's socket, because closing the TCP socket below TLS would cut off the last message.
    await this.protocol.serve(client).finally(() => hangUp(client.socket));
  }

  private async signInInTime(socket: Socket): Promise<Client | undefined> {
    this.makeRoom();
    const controller = new AbortController();
    const { protocol } = this;
    const late = setTimeout(() => controller.abort(protocol.reasons.tooLate()), protocol.signInWithinMs());
    this.signingIn.set(socket, controller);
    try {
      return await protocol.signIn(socket, controller.signal);
    } finally {
      clearTimeout(late);
      this.signingIn.delete(socket);
    }
  }

  /**
   * Disconnects the oldest client that is signing in if the limit is reached. A normal sign-in takes only
   * milliseconds, so this client is probably stuck.
   */
  private makeRoom(): void {
    if (this.signingIn.size < this.protocol.signInLimit) return;
    const [oldest] = this.signingIn;
    if (oldest === undefined) return;
    this.signingIn.delete(oldest[0]);
    oldest[1].abort(this.protocol.reasons.crowded());
  }

  private complain(error: unknown): void {
    if (Date.now() - this.complainedAt < COMPLAIN_EVERY_MS) return;
    this.complainedAt = Date.now();
    this.log.error({ err: error }, `${this.protocol.name} clients cannot be accepted`);
  }
}
