import type { Socket } from 'node:net';
import type { ClientChannel } from 'ssh2';
import { joinSmallPieces } from '../../kernel/async/small-pieces';
import { type SshFault, sshFault } from './ssh-faults';

/**
 * Maximum size of what waits for the readers of one channel. The driver grants 2 MiB at a time, up to 6 MiB
 * for output and error output; a server that sends more ignores what was granted.
 */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/**
 * Maximum size of what waits for the server to read it. The driver answers requests of a server at once, so
 * a server that only asks would fill the memory.
 */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** Size of unsent bytes at which a writer may continue. */
export const WRITE_ON_BYTES = 1024 * 1024;

/** Ends a connection whose server makes the driver hold more than it should. */
export class BoundedSocket {
  private readonly channels = new Set<ClientChannel>();
  /** The wait of all writers. */
  private draining: Promise<void> | undefined;

  /** @param exceeded is called with the fault; it ends the connection */
  constructor(
    private readonly socket: Socket,
    private readonly exceeded: (fault: SshFault) => void,
  ) {
    socket.on('data', this.check);
  }

  /** Counts what waits in the channel, until it is closed. */
  add(channel: ClientChannel): void {
    joinSmallPieces(channel);
    joinSmallPieces(channel.stderr);
    this.channels.add(channel);
    channel.once('close', () => this.channels.delete(channel));
  }

  /** Resolves when little is left to send, or the connection is closed. */
  drained(): Promise<void> {
    if (this.draining === undefined && this.hasRoom) return Promise.resolve();
    this.draining ??= this.untilDrained().finally(() => (this.draining = undefined));
    return this.draining;
  }

  private get hasRoom(): boolean {
    return this.socket.writableLength <= WRITE_ON_BYTES || this.socket.destroyed;
  }

  private async untilDrained(): Promise<void> {
    const { socket } = this;
    while (!this.hasRoom)
      await new Promise<void>((resolve) => {
        const settled = (): void => {
          socket.off('drain', settled).off('close', settled);
          resolve();
        };
        socket.on('drain', settled).on('close', settled);
      });
  }

  private readonly check = (): void => {
    if (this.socket.writableLength > MAX_UNSENT_BYTES) return this.exceeded(sshFault('NOT_READING'));
    for (const { readableLength, stderr } of this.channels)
      if (readableLength + stderr.readableLength > MAX_UNREAD_BYTES)
        return this.exceeded(sshFault('TOO_MUCH'));
  };
}
