import type { ServerChannel } from 'ssh2';
import { type OpenSession, STOPPING } from '../kit/open-sessions';
import { ChannelPlaces } from './channels/channel-places';
import { type StartedChannel, onceStarted } from './channels/channel-requests';
import type { ClientConnection } from './driver/client-connection';
import type { ClientSink } from './channels/client-sink';
import { type ChannelEnding, channelEndedBy } from './channels/ending';
import type { ServedChannel } from './channels/served-channel';
import { ChannelSink } from './streams/channel-sink';

/** Time in which a client disconnects by itself after its last channel, so that its exit code stays. */
const LEAVES_WITHIN_MS = 500;

/** The time that one client is served: all of its channels, until it leaves or is disconnected. */
export class ConnectionVisit implements OpenSession {
  private readonly served = new Map<ServedChannel, Promise<void>>();
  private readonly idle: NodeJS.Timeout | undefined;
  private leaving: NodeJS.Timeout | undefined;
  /** Whether no channel may begin any more, and the client is disconnected after its last one. */
  isFinishing = false;

  /** @param idleMs time without any data after which the client is disconnected; 0 for none */
  constructor(
    private readonly connection: ClientConnection,
    idleMs: number,
  ) {
    if (idleMs > 0) this.idle = setTimeout(() => this.wasIdle(), idleMs).unref();
  }

  /**
   * Serves each channel by what `serve` returns. Resolves when the client's connection and all recordings are
   * closed.
   */
  async serve(serve: (started: StartedChannel) => ServedChannel): Promise<void> {
    const left = new Promise<void>((resolve) => this.connection.onLeft(() => resolve()));
    const places = new ChannelPlaces(
      (session) =>
        onceStarted(session, this.connection, this.sinkOf, (started) => {
          const leave = places.keep(session);
          const channel = serve(started);
          void this.run(channel)
            .then(() => channel.freed?.())
            .then(leave);
        }),
      () => this.isFinishing,
    );
    this.connection.onChannel((accept, reject) => places.offer(accept, reject));
    await left;
    places.clear();
    clearTimeout(this.idle);
    clearTimeout(this.leaving);
    await Promise.all(this.served.values());
  }

  /** Notes that data were sent in either direction. */
  active(): void {
    this.idle?.refresh();
  }

  /** Lets the running programs end, and disconnects the client afterwards. */
  finish(): void {
    this.isFinishing = true;
    for (const channel of this.served.keys()) channel.finish();
    if (this.served.size === 0) this.connection.close();
  }

  abort(): void {
    this.endAll(channelEndedBy(STOPPING));
  }

  private wasIdle(): void {
    if ([...this.served.keys()].some(({ runsCommand }) => runsCommand)) this.idle?.refresh();
    else this.endAll(channelEndedBy('The session was idle for too long.'));
  }

  private endAll(ending: ChannelEnding): void {
    this.isFinishing = true;
    for (const channel of this.served.keys()) channel.abort(ending);
    if (this.served.size === 0) this.connection.close();
  }

  /** Whether nothing runs in the connection. */
  get isAtRest(): boolean {
    return this.served.size === 0;
  }

  private readonly sinkOf = (channel: ServerChannel, hasTerminal: boolean): ClientSink =>
    new ChannelSink(channel, this.connection, hasTerminal);

  /** Serves a channel. Resolves when it has ended. Never rejects. */
  run(channel: ServedChannel): Promise<void> {
    const ended = this.untilEnded(channel);
    this.served.set(channel, ended);
    if (this.isFinishing) channel.finish();
    return ended;
  }

  private async untilEnded(channel: ServedChannel): Promise<void> {
    const { isFinal } = await channel.run();
    this.served.delete(channel);
    if (isFinal === true) this.isFinishing = true;
    if (this.isFinishing && this.served.size === 0) this.leaveSoon();
  }

  private leaveSoon(): void {
    this.leaving ??= setTimeout(() => this.connection.close(), LEAVES_WITHIN_MS);
  }
}
