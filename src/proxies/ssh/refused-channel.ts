import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import type { StartedChannel } from './channels/channel-requests';
import type { ServedChannel } from './channels/served-channel';
import type { ChannelEnding } from './channels/ending';
import type { ClientSink } from './channels/client-sink';

/**
 * A channel of a client that is not admitted. SSH has no message for a refusal at sign-in, so the client gets
 * the reason in its first channel.
 */
export class RefusedChannel implements ServedChannel {
  readonly runsCommand = false;
  private readonly sink: ClientSink;

  constructor(
    { sink }: StartedChannel,
    private readonly message: string,
  ) {
    this.sink = sink;
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
