import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { DriverConnection } from './driver-parts';
import { CheckedMessages } from './message-checks';
import { TargetFault } from './postgres-faults';
import { ScramClient, ScramFault } from './scram-client';
import { StartUpMessages } from './start-up-messages';
import { type StartUpMessage, startUpPacket } from './start-up-packet';
import { StartUpReport } from './start-up-report';

const NEGOTIATE_PROTOCOL_VERSION = 0x76;

/**
 * Number of bytes added to the size of each message when sizes are limited, because a row without values has
 * 11 bytes on the wire and many more in the driver's memory.
 */
const MESSAGE_BYTES = 128;

/**
 * The driver's connection over a socket that is already open. Reads message by message with limits up to
 * ReadyForQuery, then pauses. Then either the driver continues, or the caller takes over the socket. No byte
 * is lost. A violation of the protocol closes the connection: the driver alone would throw from an event
 * handler, which ends the process.
 */
export class TargetConnection extends DriverConnection {
  readonly report = new StartUpReport();
  private readonly parsed = new EventEmitter();
  /** Checks what the driver reads after the start-up. */
  private readonly checked = new CheckedMessages();
  private readonly startUp = new StartUpMessages((message) => {
    this.report.note(message);
    if (this.scram.isFor(message)) return this.signIn(message);
    // The driver does not know NegotiateProtocolVersion.
    if (message[0] !== NEGOTIATE_PROTOCOL_VERSION) this.parsed.emit('data', message);
  });
  private readonly scram: ScramClient;
  private rest: Buffer | undefined;
  /** Number of bytes that the server may still send to the driver, with `MESSAGE_BYTES` for each message. */
  private bytesLeft = Infinity;

  constructor(
    private readonly socket: Socket,
    private readonly message: StartUpMessage,
  ) {
    super(socket);
    this.scram = new ScramClient(message.secret['PASS'] ?? '');
  }

  /**
   * Called by the driver. The driver's own start-up message would request protocol 3.0, and contain values of
   * the gateway's environment.
   */
  startup(): void {
    this.socket.write(startUpPacket(this.message));
  }

  /** Called by the driver. The socket is already connected. */
  connect(): void {
    this.readMessages(this.parsed);
    this.socket.on('data', this.starting).on('error', this.failed).on('close', this.closed);
    this.socket.resume();
    process.nextTick(() => this.emit('connect'));
  }

  /**
   * Lets the driver continue after ReadyForQuery.
   * @param maxBytes number of bytes after which the connection is closed, for a driver that keeps whole
   * results; each message counts `MESSAGE_BYTES` more
   */
  resumeDriver(maxBytes = Infinity): void {
    this.bytesLeft = maxBytes;
    this.socket.on('data', this.running);
    if (this.rest !== undefined && this.rest.length > 0) this.running(this.rest);
    this.rest = undefined;
    this.socket.resume();
  }

  /** Lifts the limit of `resumeDriver`, for a query that reads its result row by row. */
  liftLimit(): void {
    this.bytesLeft = Infinity;
  }

  /** Returns the paused socket without the driver's listeners, and the bytes after ReadyForQuery. */
  release(): { socket: Socket; rest: Buffer } {
    this.socket.off('data', this.starting).off('error', this.failed).off('close', this.closed);
    this.removeAllListeners();
    return { socket: this.socket, rest: this.rest ?? Buffer.alloc(0) };
  }

  private readonly starting = (chunk: Buffer): void =>
    this.orHangUp(() => {
      const rest = this.startUp.push(chunk);
      if (rest === undefined) return;
      this.rest = rest;
      this.socket.off('data', this.starting).pause();
    });

  private readonly running = (chunk: Buffer): void =>
    this.orHangUp(() => {
      const { begun } = this.checked;
      this.checked.push(chunk);
      this.bytesLeft -= chunk.length + (this.checked.begun - begun) * MESSAGE_BYTES;
      if (this.bytesLeft < 0) throw new TargetFault('TOO_LARGE');
      this.parsed.emit('data', chunk);
    });

  private readonly failed = (error: Error): void => void this.emit('error', error);

  private readonly closed = (): void => void this.emit('end');

  private signIn(message: Buffer): void {
    const send = (answer: Buffer | undefined): void => {
      if (answer !== undefined && this.socket.writable) this.socket.write(answer);
    };
    const answer = this.scram.answer(message);
    if (answer instanceof Promise) answer.then(send, (error: Error) => this.socket.destroy(error));
    else send(answer);
  }

  private orHangUp(read: () => void): void {
    try {
      read();
    } catch (error) {
      const isOwn = error instanceof TargetFault || error instanceof ScramFault;
      this.socket.destroy(isOwn ? error : new TargetFault('NOT_POSTGRES', { cause: error }));
    }
  }
}
