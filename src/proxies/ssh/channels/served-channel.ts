import type { ChannelEnding } from './ending';

/** Something that is served in a client's connection: a channel, a stream, or the listening for streams. */
export interface ServedChannel {
  /** Whether a command runs, so that the client is not idle although nothing is sent. */
  readonly runsCommand: boolean;
  /** Begins nothing more. What runs may end. */
  finish(): void;
  /** Ends at once. */
  abort(ending: ChannelEnding): void;
  /** Resolves when the channel has ended. Never rejects. */
  run(): Promise<ChannelEnding>;
  /** Resolves when the server counts the channel no more. To be called after `run`. Never rejects. */
  freed?(): Promise<void>;
}
