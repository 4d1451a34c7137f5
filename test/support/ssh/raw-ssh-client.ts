import type { Client, ConnectConfig } from 'ssh2';
import { signedIn } from './ssh-proxy';

/** Numbers of messages: RFC 4250, section 4.1.2. */
export const MESSAGE = {
  IGNORE: 2,
  GLOBAL_REQUEST: 80,
  CHANNEL_OPEN: 90,
  CHANNEL_WINDOW_ADJUST: 93,
  CHANNEL_DATA: 94,
  CHANNEL_EOF: 96,
  CHANNEL_CLOSE: 97,
  CHANNEL_REQUEST: 98,
} as const;

export function uint32(value: number): Buffer {
  const field = Buffer.alloc(4);
  field.writeUInt32BE(value);
  return field;
}

/** A string of RFC 4251, section 5. */
export function stringField(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

export function payloadOf(type: number, ...fields: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([type]), ...fields]);
}

/** A request in a channel, which wants no answer. */
export function channelRequest(channel: number, type: string, ...fields: readonly Buffer[]): Buffer {
  return payloadOf(MESSAGE.CHANNEL_REQUEST, uint32(channel), stringField(type), Buffer.from([0]), ...fields);
}

/**
 * Private parts of `ssh2`, used only in this file: they encrypt a packet and send it. All tests that use the
 * client fail when a version changes them.
 */
interface SendingParts {
  readonly _protocol: {
    readonly _cipher: { allocPacket(bytes: number): Buffer; encrypt(packet: Buffer): void };
  };
}
/** Bytes of a packet before its payload: RFC 4253, section 6. */
const HEAD_BYTES = 5;

/** A client that is signed in, and sends any messages, such as those that no SSH library sends. */
export class RawSshClient {
  private constructor(
    private readonly client: Client,
    private readonly waiting: Set<(line: string) => void>,
  ) {}

  /** @throws Error when the sign-in is refused */
  static async signIn(port: number, options: ConnectConfig = {}): Promise<RawSshClient> {
    const waiting = new Set<(line: string) => void>();
    const debug = (line: string): void => {
      for (const each of waiting) each(line);
    };
    const client = await signedIn(port, { ...options, debug });
    if (typeof client === 'string') throw new Error(client);
    return new RawSshClient(client, waiting);
  }

  send(payload: Buffer): void {
    const { _cipher: cipher } = (this.client as unknown as SendingParts)._protocol;
    const packet = cipher.allocPacket(payload.length);
    packet.set(payload, HEAD_BYTES);
    cipher.encrypt(packet);
  }

  /**
   * Resolves with the match when the driver has logged a message that it received, such as
   * `CHANNEL_OPEN_CONFIRMATION (r:1, s:0)`. Call it before the request is sent.
   */
  received(message: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const closed = (): void => reject(new Error('the connection was closed'));
      const look = (line: string): void => {
        const found = line.startsWith('Inbound: ') ? message.exec(line) : null;
        if (found === null) return;
        this.waiting.delete(look);
        this.client.off('close', closed);
        resolve(found);
      };
      this.waiting.add(look);
      this.client.once('close', closed);
    });
  }

  /**
   * Opens a channel. Resolves with the number that the server gave it.
   * @param own the number of the client
   * @param window number of bytes that the server may send
   */
  async open(own: number, window = 2 * 1024 * 1024): Promise<number> {
    const confirmed = this.received(new RegExp(`CHANNEL_OPEN_CONFIRMATION \\(r:${own}, s:(\\d+)\\)`));
    this.send(
      payloadOf(MESSAGE.CHANNEL_OPEN, stringField('session'), uint32(own), uint32(window), uint32(32 * 1024)),
    );
    return Number((await confirmed)[1]);
  }

  /** Closes a channel. Resolves when the server has closed it too. */
  async closeChannel(own: number, ofServer: number): Promise<void> {
    const closed = this.received(new RegExp(`CHANNEL_CLOSE \\(r:${own}\\)`));
    this.send(payloadOf(MESSAGE.CHANNEL_CLOSE, uint32(ofServer)));
    await closed;
  }

  /** Resolves when the connection is closed. */
  get closed(): Promise<void> {
    return new Promise((resolve) => this.client.once('close', () => resolve()));
  }

  end(): void {
    this.client.end();
  }
}
