import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { hangUp } from '../../kit/hang-up';
import { SignInRefusal } from './refusal';
import type { TlsIdentity } from './tls-identity';

/** Thrown when the client left or was disconnected, so there is nobody to answer. */
export class ClientGone extends Error {}

/** ALPN name of the protocol, registered with IANA. */
const ALPN_PROTOCOL = 'postgresql';

interface Wait {
  readonly count: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads bytes of a client during the handshake. Each read requests a number of bytes. The socket is paused
 * while no read is pending, so that a client cannot make the gateway buffer more than it requested.
 */
export class HandshakeConnection {
  /** Whether the client has shown that it speaks the protocol and so would understand an ErrorResponse. */
  private understands = false;
  private isOver = false;
  private chunks: Buffer[] = [];
  private buffered = 0;
  private waiting: Wait | undefined;
  private current: Socket;

  constructor(socket: Socket) {
    this.current = socket;
    this.listen();
  }

  get socket(): Socket {
    return this.current;
  }

  get isSecure(): boolean {
    return this.current instanceof TLSSocket;
  }

  /** Number of received bytes that were not read yet. */
  get surplus(): number {
    return this.buffered;
  }

  /** @throws ClientGone */
  async firstByte(): Promise<number | undefined> {
    await this.gather(1);
    return this.chunks[0]?.[0];
  }

  /** Takes exactly `count` bytes. @throws ClientGone */
  async takeBytes(count: number): Promise<Buffer> {
    await this.gather(count);
    const all = this.drain();
    this.keepChunk(all.subarray(count));
    return all.subarray(0, count);
  }

  send(bytes: Buffer): void {
    if (!this.current.destroyed) this.current.write(bytes);
  }

  /**
   * Marks the client as one that speaks the protocol. Before its first whole
   * message, refusals only close the connection.
   */
  understood(): void {
    this.understands = true;
  }

  /**
   * Starts TLS. Direct TLS must name the protocol by ALPN, so that an attacker cannot redirect a connection
   * for another kind of server to this one (cross-protocol attack).
   * @throws SignInRefusal
   */
  async secure(identity: TlsIdentity, how: 'asked' | 'direct'): Promise<void> {
    this.understands = false;
    const raw = this.current;
    const early = this.release();
    if (early.length > 0) raw.unshift(early);
    const secured = new TLSSocket(raw, {
      isServer: true,
      secureContext: identity.context,
      ALPNProtocols: [ALPN_PROTOCOL],
    });
    this.current = secured;
    this.listen();
    await new Promise<void>((resolve, reject) => {
      secured.once('secure', resolve);
      secured.once('error', (error) => reject(new SignInRefusal('tls', undefined, error)));
      secured.once('close', () => reject(new ClientGone()));
    });
    if (how === 'direct' && secured.alpnProtocol !== ALPN_PROTOCOL) throw new SignInRefusal('tls', undefined);
    this.understands = true;
  }

  /** Releases the paused socket. Returns the received bytes that were not read. @throws ClientGone */
  handOver(): Buffer {
    if (this.isOver || this.current.destroyed) throw new ClientGone();
    return this.release();
  }

  /** Ends the handshake; a pending read throws ClientGone. */
  hangUp(lastWords?: Buffer): void {
    this.gone();
    this.drain();
    this.current.off('data', this.onData);
    hangUp(this.current, this.understands ? lastWords : undefined);
  }

  private listen(): void {
    this.current.pause();
    this.current.on('data', this.onData).on('end', this.gone).on('close', this.gone);
    // This listener is never removed, because an unhandled error would end the process. Node.js emits `close`
    // after the error.
    this.current.on('error', () => undefined);
  }

  private release(): Buffer {
    this.current.pause();
    this.current.off('data', this.onData).off('end', this.gone).off('close', this.gone);
    return this.drain();
  }

  private keepChunk(chunk: Buffer): void {
    if (chunk.length > 0) this.chunks.push(chunk);
    this.buffered += chunk.length;
  }

  private drain(): Buffer {
    const all = Buffer.concat(this.chunks);
    this.chunks = [];
    this.buffered = 0;
    return all;
  }

  private gather(count: number): Promise<void> {
    if (this.buffered >= count) return Promise.resolve();
    if (this.isOver || this.current.destroyed) return Promise.reject(new ClientGone());
    return new Promise((resolve, reject) => {
      this.waiting = { count, resolve, reject };
      this.current.resume();
    });
  }

  private readonly onData = (chunk: Buffer): void => {
    this.keepChunk(chunk);
    if (this.waiting === undefined || this.buffered < this.waiting.count) return;
    this.current.pause();
    this.waiting.resolve();
    this.waiting = undefined;
  };

  private readonly gone = (): void => {
    this.isOver = true;
    this.waiting?.reject(new ClientGone());
    this.waiting = undefined;
  };
}
