import type { Client, ClientChannel } from 'ssh2';
import {
  PACKET,
  PacketCutter,
  PacketFields,
  VERSION,
  packetOf,
  textField,
  uint32,
} from '../../../src/proxies/ssh/files/packets';

/** An answer of SFTP: its type, and the fields after its number. */
export interface SftpAnswer {
  readonly type: number;
  readonly fields: PacketFields;
}

/** A client of SFTP that sends the bytes that it is given: paths need not be text. */
export class RawSftp {
  private readonly cutter = new PacketCutter();
  private readonly waiting = new Map<number, (answer: SftpAnswer | undefined) => void>();
  private last = 0;
  isOver = false;

  private constructor(private readonly channel: ClientChannel) {
    channel.on('data', (bytes: Buffer) => this.read(bytes));
    channel.on('error', () => undefined);
    channel.stderr.resume();
    channel.on('close', () => this.end());
  }

  static async open(client: Client): Promise<RawSftp> {
    const channel = await new Promise<ClientChannel>((resolve, reject) =>
      client.subsys('sftp', (error, opened) => (error ? reject(error) : resolve(opened))),
    );
    channel.write(packetOf(PACKET.INIT, uint32(VERSION)));
    return new RawSftp(channel);
  }

  /** Sends a request. Resolves with its answer; with undefined if the channel ended without one. */
  ask(type: number, ...fields: readonly Buffer[]): Promise<SftpAnswer | undefined> {
    const id = (this.last += 1);
    if (this.isOver) return Promise.resolve(undefined);
    this.channel.write(packetOf(type, uint32(id), ...fields));
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  /** Asks for an extension. */
  extended(name: string, ...fields: readonly Buffer[]): Promise<SftpAnswer | undefined> {
    return this.ask(PACKET.EXTENDED, textField(name), ...fields);
  }

  close(): void {
    this.channel.close();
  }

  private read(bytes: Buffer): void {
    this.cutter.push(bytes);
    for (let packet = this.cutter.next(); packet !== undefined; packet = this.cutter.next()) {
      const fields = new PacketFields(packet);
      const type = fields.byte();
      if (type === PACKET.VERSION) continue;
      const id = fields.uint32();
      const answered = this.waiting.get(id);
      this.waiting.delete(id);
      answered?.({ type, fields });
    }
  }

  private end(): void {
    this.isOver = true;
    for (const answered of this.waiting.values()) answered(undefined);
    this.waiting.clear();
  }
}
