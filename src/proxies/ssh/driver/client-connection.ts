import type { Socket } from 'node:net';
import {
  type AuthContext,
  type Connection,
  type ParsedKey,
  Server,
  type ServerChannel,
  type Session,
} from 'ssh2';
import { refuseSmallPackets } from '../../../targets/ssh/driver-parts';
import { joinSmallPieces } from '../../../kernel/async/small-pieces';
import { SSH_IDENTIFICATION } from '../../../targets/ssh/open-ssh';
import { hangUp } from '../../kit/hang-up';
import { SERVED_ALGORITHMS } from './algorithms';
import { closeUnstarted } from './channel-parts';
import { ForwardRequests } from './forward-requests';
import { boundWaitingRequests } from './global-requests';

/** Interval of questions whether the client still lives, and the number of unanswered ones that end it. */
const ALIVE_EVERY_MS = 60_000;
const UNANSWERED = 10;
/**
 * Maximum size of what waits for the gateway to read it from one channel. The driver grants 2 MiB, and as
 * much again while less than that waits; a client that sends more ignores what was granted.
 */
const MAX_UNREAD_BYTES = 5 * 1024 * 1024;
/**
 * Size of what waits for the client to read it, above which nothing more is read from the client: the driver
 * answers each request at once, so a client that only asks would fill the memory.
 */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Maximum number of channels that a client may ask for before the gateway has admitted it. */
const MAX_OFFERED = 10;

/** Offers a channel of the type `session`: one command, shell or subsystem. */
export type OfferedChannel = (accept: () => Session | undefined, reject: () => void) => void;

/** One client's SSH connection: the driver of the protocol, kept within limits. */
export class ClientConnection {
  private readonly channels = new Set<ServerChannel>();
  private readonly waiting = new Set<() => void>();
  private readonly left = new Set<() => void>();
  private offered: Parameters<OfferedChannel>[] = [];
  private take: OfferedChannel | undefined;
  /** Requests for forwards, and the way to give the client streams. */
  readonly forwards: ForwardRequests;

  private constructor(
    readonly socket: Socket,
    private readonly driver: Connection,
    /** Name and version of the client's program. */
    readonly software: string,
  ) {
    // The cause of an error is in the log of the sign-in, or in the recording. The socket closes in any case.
    driver.on('error', () => undefined);
    refuseSmallPackets(driver);
    boundWaitingRequests(driver, () => void socket.destroy());
    driver.on('session', (accept, reject) => this.offer(() => this.accepted(accept()), reject));
    this.forwards = new ForwardRequests(driver, socket);
    socket.on('data', this.check);
    socket.on('drain', () => callAll(this.waiting));
    socket.once('close', () => callAll(this.left));
  }

  /**
   * Begins the protocol on a socket. Resolves when the client has sent its identification; undefined if it
   * left before.
   */
  static begin(socket: Socket, hostKey: ParsedKey): Promise<ClientConnection | undefined> {
    return new Promise((resolve) => {
      const options = {
        hostKeys: [{ key: hostKey }],
        ident: SSH_IDENTIFICATION,
        algorithms: SERVED_ALGORITHMS,
        keepaliveInterval: ALIVE_EVERY_MS,
        keepaliveCountMax: UNANSWERED,
      };
      const left = (): void => resolve(undefined);
      // Each client has a driver of its own, which is how the driver knows its socket.
      const server = new Server(options, (driver, { header }) => {
        socket.off('close', left);
        resolve(new ClientConnection(socket, driver, shownSoftware(header.versions.software)));
      });
      socket.once('close', left);
      server.injectSocket(socket);
    });
  }

  onAuthentication(take: (attempt: AuthContext) => void): void {
    this.driver.on('authentication', take);
  }

  onAuthenticated(take: () => void): void {
    this.driver.once('ready', take);
  }

  /** Gives all channels to `take`, with those that were offered before. */
  onChannel(take: OfferedChannel): void {
    this.take = take;
    for (const [accept, reject] of this.offered.splice(0)) take(accept, reject);
  }

  /**
   * Counts what waits in the channel. Returns a function that ends this. It must be called when the client
   * closes the channel: the driver reports the end of a channel only when all of its input was read.
   */
  watch(channel: ServerChannel): () => void {
    joinSmallPieces(channel);
    this.channels.add(channel);
    return () => void this.channels.delete(channel);
  }

  /** Whether the client should get no more data for now. */
  get isFull(): boolean {
    return this.socket.writableNeedDrain;
  }

  /** Calls `room` when the client has read what was sent. Returns a function that ends this. */
  onRoom(room: () => void): () => void {
    this.waiting.add(room);
    return () => void this.waiting.delete(room);
  }

  /** Calls `left` when the connection is lost or closed. Returns a function that ends this. */
  onLeft(left: () => void): () => void {
    if (this.socket.destroyed) left();
    else this.left.add(left);
    return () => void this.left.delete(left);
  }

  /** Disconnects. What was written before still arrives, if the client reads it. */
  close(): void {
    if (this.socket.destroyed) return;
    this.driver.end();
    hangUp(this.socket);
  }

  private offer(accept: () => Session | undefined, reject: () => void): void {
    if (this.take !== undefined) this.take(accept, reject);
    else if (this.offered.length < MAX_OFFERED) this.offered.push([accept, reject]);
    else reject();
  }

  private accepted(session: Session | undefined): Session | undefined {
    session?.on('close', () => closeUnstarted(this.driver, session));
    return session;
  }

  private readonly check = (): void => {
    const { socket } = this;
    for (const { readableLength } of this.channels)
      if (readableLength > MAX_UNREAD_BYTES) return void socket.destroy();
    if (socket.writableLength <= MAX_UNSENT_BYTES || socket.isPaused()) return;
    socket.pause();
    socket.once('drain', () => socket.resume());
  };
}

function callAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) listener();
}

/** The software version as a label: RFC 4253, section 4.2, has printable ASCII in it. */
function shownSoftware(software: string): string {
  return software.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 100);
}
