import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import type { StartedChannel } from './channels/channel-requests';
import type { ClientConnection } from './driver/client-connection';
import type { ServedChannel } from './connection-visit';
import type { ChannelEnding } from './channels/ending';
import { ChannelSink } from './streams/channel-sink';

/**
 * A channel of a client that is not admitted. SSH has no message for a refusal at sign-in, so the client gets
 * the reason in its first channel.
 */
export class RefusedChannel implements ServedChannel {
  readonly runsCommand = false;
  private readonly sink: ChannelSink;

  constructor(
    { channel, terminal }: StartedChannel,
    connection: ClientConnection,
    private readonly message: string,
  ) {
    this.sink = new ChannelSink(channel, connection, terminal !== undefined);
  }

  async run(): Promise<ChannelEnding> {
    this.sink.exitWith({ code: EXIT_BLOCKED });
    this.sink.end(this.sink.line(this.message));
    await this.sink.ended;
    return { exitCode: EXIT_BLOCKED, isFinal: true };
  }

  finish(): void {}

  abort(): void {}
}
