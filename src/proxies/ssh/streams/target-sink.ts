import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { SocketSink } from '../../kit/socket-sink';
import type { ClientChannel } from 'ssh2';

/** Writes to the standard input of a program on the server. */
export class TargetSink extends SocketSink {
  private isDraining = false;

  constructor(
    channel: ClientChannel,
    private readonly server: OpenSsh,
    /** Called when the source may continue. */
    private readonly room: () => void,
  ) {
    super(channel);
    channel.on('drain', room);
  }

  override get isFull(): boolean {
    return this.isDraining || super.isFull;
  }

  override write(pieces: readonly Buffer[]): void {
    super.write(pieces);
    if (this.isDraining) return;
    this.isDraining = true;
    void this.drain();
  }

  private async drain(): Promise<void> {
    await this.server.drained();
    this.isDraining = false;
    this.room();
  }
}
