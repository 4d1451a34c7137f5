import type { ServerChannel } from 'ssh2';
import { SocketSink } from '../../kit/socket-sink';
import type { ClientConnection } from '../driver/client-connection';

const NOTHING = Buffer.alloc(0);

/** Writes to a client's end of a stream. Its end leaves the other direction open. */
export class StreamSink extends SocketSink {
  private isEnding = false;
  private hasEnded!: () => void;

  /** Resolves when the client has been sent everything, and the end. */
  readonly ended = new Promise<void>((resolve) => {
    this.hasEnded = resolve;
  });

  constructor(
    private readonly channel: ServerChannel,
    private readonly connection: ClientConnection,
  ) {
    super(channel);
  }

  override get isFull(): boolean {
    return super.isFull || this.connection.isFull;
  }

  /** Calls `room` when the source may continue. Returns a function that ends this. */
  onRoom(room: () => void): () => void {
    this.channel.on('drain', room);
    return this.connection.onRoom(room);
  }

  /** The driver's own `end` closes both directions. */
  override end(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.channel.write(NOTHING, () => {
      this.channel.eof();
      this.hasEnded();
    });
  }
}
