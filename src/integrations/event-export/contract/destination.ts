import type { ExportDestination } from '../../../platform/events/export-cursor.entity';
import type { ExportedEvent } from './exported-event';

/** Outcome of a batch that a destination has taken. */
export interface Taken {
  /** Number of its events that the receiver reports as refused for good. */
  readonly refused: number;
}

/** A receiver of another party, in its protocol. */
export interface Destination {
  readonly name: ExportDestination;
  /** Address of the destination, for the log; without credentials. */
  readonly address: string;
  /**
   * Resolves when the receiver has taken the batch.
   * @throws if that is not known: the whole batch is sent again. `NotTaken` if the receiver gives more
   * information.
   */
  send(events: readonly ExportedEvent[], signal: AbortSignal): Promise<Taken>;
}

/** A receiver's report on a batch that it does not take. */
export class NotTaken extends Error {
  constructor(
    message: string,
    /** Milliseconds after which it wants to be asked again; 0: it gives no time. */
    readonly pauseMs: number,
    /** Whether it might take a part of the batch: it is too large, or one event cannot be read. */
    readonly isTooMuch: boolean,
  ) {
    super(message);
  }
}
