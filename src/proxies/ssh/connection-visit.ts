import type { Session as ChannelSession } from 'ssh2';
import { type OpenSession, STOPPING } from '../kit/open-sessions';
import { type StartedChannel, onceStarted } from './channels/channel-requests';
import type { ClientConnection } from './driver/client-connection';
import { type ChannelEnding, channelEndedBy } from './channels/ending';

/** Maximum number of channels of one client at a time, as in OpenSSH (`MaxSessions`). */
const MAX_CHANNELS = 10;
/** Time in which a client disconnects by itself after its last channel, so that its exit code stays. */
const LEAVES_WITHIN_MS = 500;

/** Something that is served in a channel. */
export interface ServedChannel {
  /** Whether a command runs, so that the client is not idle although nothing is sent. */
  readonly runsCommand: boolean;
  /** Begins nothing more. What runs may end. */
  finish(): void;
  /** Ends at once. */
  abort(ending: ChannelEnding): void;
  /** Resolves when the channel has ended. Never rejects. */
  run(): Promise<ChannelEnding>;
}

/** The time that one client is served: all of its channels, until it leaves or is disconnected. */
export class ConnectionVisit implements OpenSession {
  private readonly opened = new Set<ChannelSession>();
  private readonly served = new Map<ServedChannel, Promise<void>>();
  private readonly idle: NodeJS.Timeout | undefined;
  private leaving: NodeJS.Timeout | undefined;
  /** Whether no channel may begin any more, and the client is disconnected after its last one. */
  private isFinishing = false;

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
    this.connection.onChannel((accept, reject) => {
      const session = this.isFull ? undefined : accept();
      if (session === undefined) return reject();
      this.opened.add(session);
      session.on('close', () => this.opened.delete(session));
      onceStarted(session, this.connection, (started) => this.run(serve(started)));
    });
    await left;
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

  private get isFull(): boolean {
    return this.isFinishing || this.opened.size >= MAX_CHANNELS;
  }

  private run(channel: ServedChannel): void {
    this.served.set(channel, this.untilEnded(channel));
    if (this.isFinishing) channel.finish();
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
