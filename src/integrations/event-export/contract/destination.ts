import type { ExportDestination } from '../../../platform/events/export-cursor.entity';
import type { ExportedEvent } from './exported-event';

/** Result of a batch that a destination accepted. */
export interface Taken {
  /** Number of events in the batch that the receiver refused permanently. */
  readonly refused: number;
}

/** Sends events to an external receiver, in the protocol of the receiver. */
export interface Destination {
  readonly name: ExportDestination;
  /** Address of the destination, for the log; without credentials. */
  readonly address: string;
  /**
   * Resolves when the receiver has accepted the batch.
   * @throws when the batch was refused or its result is unknown; the caller then sends the whole batch again.
   * `NotTaken` when the receiver itself reports that it does not accept the batch.
   */
  send(events: readonly ExportedEvent[], signal: AbortSignal): Promise<Taken>;
}

/** The receiver's report that it does not accept a batch. */
export class NotTaken extends Error {
  constructor(
    message: string,
    /** Delay before the next attempt that the receiver requests, in milliseconds; 0 if it requests none. */
    readonly pauseMs: number,
    /** Whether a smaller batch may be accepted, because this one is too large or has an unreadable event. */
    readonly isTooMuch: boolean,
  ) {
    super(message);
  }
}
