import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { type ConnectionOptions, type TLSSocket, connect as connectTls } from 'node:tls';

/** A message from a PostgreSQL server. */
export interface RawMessage {
  readonly type: string;
  readonly body: Buffer;
}

/** A client that sends arbitrary bytes, and reads the answer byte by byte or message by message. */
export class RawClient {
  private pending = Buffer.alloc(0);
  private ended = false;
  private wake: () => void = () => undefined;

  constructor(public socket: Socket | TLSSocket) {
    this.listen();
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  send(...parts: readonly (Buffer | string)[]): this {
    this.socket.write(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
    return this;
  }

  /** Reads exactly `count` bytes. */
  async bytes(count: number): Promise<Buffer> {
    while (this.pending.length < count) {
      if (this.ended) throw new Error(`the server hung up after ${this.pending.length} of ${count} bytes`);
      await new Promise<void>((woken) => {
        this.wake = woken;
      });
    }
    const taken = this.pending.subarray(0, count);
    this.pending = this.pending.subarray(count);
    return taken;
  }

  async message(): Promise<RawMessage> {
    const head = await this.bytes(5);
    return { type: head.toString('latin1', 0, 1), body: await this.bytes(head.readInt32BE(1) - 4) };
  }

  /** Reads until the server closes the connection. */
  async untilEnd(): Promise<Buffer> {
    while (!this.ended) {
      await new Promise<void>((woken) => {
        this.wake = woken;
      });
    }
    return this.pending;
  }

  /** The fields of the error that ends the connection, by letter. */
  async refusal(): Promise<Readonly<Record<string, string>>> {
    const { type, body } = await this.message();
    if (type !== 'E') throw new Error(`a message ${type} came instead of an error`);
    const rest = await this.untilEnd();
    if (rest.length > 0) throw new Error('something came after the last words');
    const fields = body
      .toString()
      .split('\0')
      .filter((field) => field !== '');
    return Object.fromEntries(fields.map((field) => [field.slice(0, 1), field.slice(1)]));
  }

  /** Starts TLS on the same connection. */
  async secure(options: ConnectionOptions = {}): Promise<this> {
    this.socket.removeAllListeners();
    this.socket = connectTls({ socket: this.socket, rejectUnauthorized: false, ...options });
    await Promise.race([
      once(this.socket, 'secureConnect'),
      once(this.socket, 'close').then(() => {
        throw new Error('the server hung up');
      }),
    ]);
    this.listen();
    return this;
  }

  private listen(): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.pending = Buffer.concat([this.pending, chunk]);
      this.wake();
    });
    this.socket.on('error', () => undefined);
    for (const event of ['end', 'close'])
      this.socket.on(event, () => {
        this.ended = true;
        this.wake();
      });
  }
}

export function startUp(parameters: Readonly<Record<string, string>>, version = 3 << 16): Buffer {
  const body = Object.entries(parameters).map(([name, value]) => `${name}\0${value}\0`);
  return packet(version, Buffer.from(`${body.join('')}\0`));
}

export function packet(code: number, body = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length);
  head.writeInt32BE(code, 4);
  return Buffer.concat([head, body]);
}

/** Encodes a PasswordMessage. */
export function answer(body: Buffer | string): Buffer {
  const head = Buffer.from('p\0\0\0\0');
  head.writeInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([head, Buffer.from(body as string)]);
}

export const SSL_REQUEST = packet(80_877_103);
export const GSSENC_REQUEST = packet(80_877_104);

export function cancelRequest(processId: number, key: Buffer): Buffer {
  const id = Buffer.alloc(4);
  id.writeInt32BE(processId);
  return packet(80_877_102, Buffer.concat([id, key]));
}
