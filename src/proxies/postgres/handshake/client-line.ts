import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { hangUp } from '../../kit/hang-up';
import { SignInRefusal } from './refusal';
import type { TlsIdentity } from './tls-identity';

/** The client left, or was hung up on: there is nobody to tell anything. */
export class ClientGone extends Error {}

/** The protocol's name in TLS, registered with IANA. */
const ALPN_PROTOCOL = 'postgresql';

interface Wait {
  readonly count: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * A client's bytes during the handshake, so many at a time. The socket rests while nobody waits, so that a client
 * that sends much is held to what is asked of it.
 */
export class ClientLine {
  /** Whether the client has shown that it speaks the protocol, and would understand an ErrorResponse now. */
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

  /** Bytes that came beyond what was taken. */
  get surplus(): number {
    return this.buffered;
  }

  /** @throws ClientGone */
  async firstByte(): Promise<number | undefined> {
    await this.gather(1);
    return this.chunks[0]?.[0];
  }

  /** Exactly so many bytes. @throws ClientGone */
  async take(count: number): Promise<Buffer> {
    await this.gather(count);
    const all = this.drain();
    this.keep(all.subarray(count));
    return all.subarray(0, count);
  }

  send(bytes: Buffer): void {
    if (!this.current.destroyed) this.current.write(bytes);
  }

  /** From a whole first message on, refusals are said; to what may be no client at all, nothing is. */
  understood(): void {
    this.understands = true;
  }

  /**
   * Goes on in TLS. Direct TLS must name the protocol, so that nobody's request to another kind of server is taken
   * for one to this.
   * @throws Refusal
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

  /** Lets go of the socket, paused. Returns what came beyond what was taken. @throws ClientGone */
  handOver(): Buffer {
    if (this.isOver || this.current.destroyed) throw new ClientGone();
    return this.release();
  }

  /** Ends the handshake from whichever side; who waits for the client hears that it is gone. */
  hangUp(lastWords?: Buffer): void {
    this.gone();
    this.drain();
    this.current.off('data', this.onData);
    hangUp(this.current, this.understands ? lastWords : undefined);
  }

  private listen(): void {
    this.current.pause();
    this.current.on('data', this.onData).on('end', this.gone).on('close', this.gone);
    // Stays for good: a loss that nobody listens to would end the process. `close` follows it.
    this.current.on('error', () => undefined);
  }

  private release(): Buffer {
    this.current.pause();
    this.current.off('data', this.onData).off('end', this.gone).off('close', this.gone);
    return this.drain();
  }

  private keep(chunk: Buffer): void {
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
    this.keep(chunk);
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
