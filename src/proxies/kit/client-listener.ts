import { type Server, type Socket, createServer } from 'node:net';
import { Logger } from '@nestjs/common';
import { hangUp } from './hang-up';

/** A machine that died says nothing; the system's own two hours are too long to find out. */
const KEEP_ALIVE_AFTER_MS = 60_000;
/** A lack of descriptors comes up at every try; the log need not repeat it each time. */
const COMPLAIN_EVERY_MS = 1_000;

/** What a protocol does with the clients that a listener accepts. */
export interface ListenerProtocol<Client extends { readonly socket: Socket }> {
  /** Of the clients, for the log and for errors: `PostgreSQL`. */
  readonly name: string;
  /** At most so many clients sign in at one time. */
  readonly signInLimit: number;
  signInWithinMs(): number;
  /**
   * From the first byte until the credentials are good. undefined: there is nobody to serve, and the connection is closed, or
   * about to be. Never rejects.
   * @param signal aborts with one of the `reasons` when the client has to go before it is signed in.
   */
  signIn(socket: Socket, signal: AbortSignal): Promise<Client | undefined>;
  /** Serves the client until it or its target is done. The listener then closes the socket. */
  serve(client: Client): Promise<void>;
  readonly reasons: {
    readonly tooLate: () => Error;
    readonly crowded: () => Error;
    readonly stopping: () => Error;
  };
}

/** Accepts the clients of a protocol over TCP, has them signed in within limits of number and time, and hands them on. */
export class ClientListener<Client extends { readonly socket: Socket }> {
  private readonly log = new Logger(ClientListener.name);
  private readonly server: Server;
  /** In the order of coming. */
  private readonly signingIn = new Map<Socket, AbortController>();
  private complainedAt = 0;

  constructor(private readonly protocol: ListenerProtocol<Client>) {
    this.server = createServer(
      { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS },
      (socket) => this.accept(socket),
    );
  }

  /** @param setting names the port, for whoever has to choose another. @throws Error with a sentence where the port is taken. */
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

  /** Accepts nobody any more, and sends away those who are signing in. Clients that are served are not touched. */
  close(): void {
    this.server.close();
    const why = this.protocol.reasons.stopping();
    for (const handshake of this.signingIn.values()) handshake.abort(why);
  }

  private accept(socket: Socket): void {
    this.serve(socket).catch((error: unknown) =>
      this.log.error({ err: error }, `A ${this.protocol.name} client could not be served`),
    );
  }

  /** From the first byte to the last. */
  private async serve(socket: Socket): Promise<void> {
    const client = await this.signInInTime(socket);
    if (client === undefined) return;
    // Where TLS lies over the socket, hanging up below it would cut off the last words.
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

  /** Signing in takes milliseconds: where the limit is reached, the client that has sat longest gives way. */
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
