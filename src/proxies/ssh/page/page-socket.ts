import { PassThrough, type Readable } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { PeriodicTask } from '../../../kernel/async/periodic-task';
import { CHANNEL_LEFT, CHANNEL_LOST } from '../channels/ending';
import { type GatewayMessage, type PageMessage, type PagePurpose, pageMessage } from './page-messages';

/**
 * Bytes that one side may send before the other has taken them: as much as shows at once on a screen, and far
 * more than anybody types.
 */
export const WINDOW_BYTES = 256 * 1024;
/** Bytes after which the gateway reports that it has taken the input of a page. */
const GRANTED_BYTES = 32 * 1024;
/** Maximum size of a message in JSON, in characters: an `open` with the longest reason. */
const MAX_MESSAGE_LENGTH = 8_192;
/** Interval of questions whether the browser still answers. */
const ALIVE_EVERY_MS = 30_000;
/** Codes of RFC 6455, section 7.4.1: the page closed the connection, was left, or gave no reason. */
const CLOSED_BY_PAGE = new Set([1000, 1001, 1005]);
const POLICY_VIOLATION = 1008;

/** One page's WebSocket: binary frames are output, and what the person types or the page asks for files. */
export class PageSocket {
  private readonly typed = new PassThrough();
  /** Called with each message but the input. */
  onMessage: (message: PageMessage) => void = () => undefined;
  /** Called when the person has typed or asked for something. */
  onInput: () => void = () => undefined;
  private readonly leaving = new AbortController();
  private readonly keptAlive = new PeriodicTask({
    everyMs: ALIVE_EVERY_MS,
    work: async () => this.askIfAlive(),
    onError: () => this.destroy(),
  });
  private isAlive = true;
  /** Bytes of input for which the page has no `read` yet, and those of them that were taken. */
  private untold = 0;
  private taken = 0;

  constructor(
    private readonly socket: WebSocket,
    readonly purpose: PagePurpose,
  ) {
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('pong', () => void (this.isAlive = true));
    // `close` follows each error.
    socket.on('error', () => undefined);
    socket.on('close', (code) => this.closed(code));
    this.typed.on('error', () => undefined);
    this.keptAlive.start();
  }

  /** Input of the person. */
  get input(): Readable {
    return this.typed;
  }

  /** Aborts when the page has left. The reason is a `ChannelEnding`. */
  get left(): AbortSignal {
    return this.leaving.signal;
  }

  /** @param sent called when the bytes have left the process, or cannot be sent */
  send(bytes: Buffer, sent: () => void): void {
    this.socket.send(bytes, { binary: true }, sent);
  }

  /** @param sent see `send` */
  tell(message: GatewayMessage, sent: () => void = () => undefined): void {
    this.socket.send(JSON.stringify(message), sent);
  }

  /** Closes the connection once everything is sent. */
  close(): void {
    this.socket.close(1000);
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.socket.terminate();
  }

  private receive(data: RawData, isBinary: boolean): void {
    // The library gives one buffer for each message, unless `binaryType` is set.
    if (!Buffer.isBuffer(data) || this.left.aborted) return;
    if (isBinary) return this.take(data);
    const message = data.length > MAX_MESSAGE_LENGTH ? undefined : pageMessage(data.toString(), this.purpose);
    if (message === undefined) this.refuse('this is no message of a page');
    else this.onMessage(message);
  }

  private take(bytes: Buffer): void {
    this.untold += bytes.length;
    if (this.untold > WINDOW_BYTES) return this.refuse('more than was granted');
    this.onInput();
    this.typed.write(bytes, () => this.grant(bytes.length));
  }

  /** Reports that input was taken, so that the page may send more. */
  private grant(bytes: number): void {
    this.taken += bytes;
    if (this.taken < GRANTED_BYTES || this.left.aborted) return;
    this.untold -= this.taken;
    this.tell({ type: 'read', bytes: this.taken });
    this.taken = 0;
  }

  private refuse(why: string): void {
    this.socket.close(POLICY_VIOLATION, why);
    this.closed(POLICY_VIOLATION);
  }

  private closed(code: number): void {
    void this.keptAlive.stop();
    this.leaving.abort(CLOSED_BY_PAGE.has(code) ? CHANNEL_LEFT : CHANNEL_LOST);
    this.typed.destroy();
  }

  private askIfAlive(): void {
    if (!this.isAlive) return this.destroy();
    this.isAlive = false;
    this.socket.ping();
  }
}
