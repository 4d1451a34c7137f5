import type { MessageHandler } from '../../kit/inbound';
import type { ChannelEnding } from '../channels/ending';

/** Reads what a client sends to a program. */
export interface InputReader extends MessageHandler {
  /** Whether nothing more should be read for now. */
  readonly isFull: boolean;
  /** Whether the gateway itself answers some of the input. */
  readonly isAnswered: boolean;
  /** Takes what may be forwarded when its recording is durable. */
  takePieces(): Buffer[];
}

/** Reads what a program sends in one stream. */
export interface OutputReader extends MessageHandler {
  /** Takes what may be delivered when its recording is durable. */
  takePieces(): Buffer[];
  /** Ends the stream, and releases what was held back. */
  finish(): Promise<void>;
  /** Stops before the stream has ended. */
  abandon(): void;
}

export interface RelayReaders {
  readonly input: InputReader;
  readonly output: OutputReader;
  readonly errors: OutputReader;
  /** Returns the end of a program whose channel the server has closed without an exit code. */
  readonly unreported: () => ChannelEnding;
}

/** Functions of a relay that its readers call. */
export interface ReaderHooks {
  readonly markError: (piece: Buffer) => Buffer;
  /** Whether the program may wait for something from its client. */
  readonly mayWait: () => boolean;
  /** Whether all that the program's output or error output has brought was read. */
  readonly isCaughtUp: (type: 'o' | 'e') => boolean;
  /** Called when something is deliverable although nothing has arrived from the server. */
  readonly flushed: () => void;
  readonly failed: (error: unknown) => void;
}
