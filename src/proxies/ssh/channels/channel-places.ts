import type { Session as ChannelSession } from 'ssh2';
import type { OfferedChannel } from '../driver/client-connection';

/** Maximum number of channels of one client at a time, as in OpenSSH (`MaxSessions`). */
const MAX_CHANNELS = 10;

/** A channel that the client has asked for. */
type Offer = Parameters<OfferedChannel>;

/**
 * The places for the channels of one client. A channel has its place until the client has closed it and
 * nothing runs in it any more. A client that closes a channel at once may ask for the next before that, so it
 * waits for a place. It is refused only what it asks for beyond the channels that it has not closed.
 */
export class ChannelPlaces {
  /** Channels that the client has not closed. */
  private readonly open = new Set<ChannelSession>();
  private readonly running = new Set<ChannelSession>();
  private readonly waiting: Offer[] = [];

  constructor(
    private readonly opened: (session: ChannelSession) => void,
    private readonly isFinishing: () => boolean,
  ) {}

  /** Opens the channel once there is a place, or refuses it. */
  offer(...offer: Offer): void {
    if (this.open.size + this.waiting.length >= MAX_CHANNELS) return offer[1]();
    this.waiting.push(offer);
    this.next();
  }

  /** Keeps the place of a channel, also after the client has closed it, until the function is called. */
  keep(session: ChannelSession): () => void {
    this.running.add(session);
    return () => {
      this.running.delete(session);
      this.next();
    };
  }

  /** Forgets what waits. To be called when the client has left. */
  clear(): void {
    this.waiting.length = 0;
  }

  private next(): void {
    while (this.isFinishing() || this.hasPlace) {
      const [accept, reject] = this.waiting.shift() ?? [];
      if (accept === undefined) return;
      const session = this.isFinishing() ? undefined : accept();
      if (session === undefined) reject?.();
      else this.take(session);
    }
  }

  private get hasPlace(): boolean {
    const left = [...this.running].filter((session) => !this.open.has(session));
    return this.open.size + left.length < MAX_CHANNELS;
  }

  private take(session: ChannelSession): void {
    this.open.add(session);
    session.on('close', () => {
      this.open.delete(session);
      this.next();
    });
    this.opened(session);
  }
}
