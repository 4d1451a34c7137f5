import type { DataMasking, GuardrailInfo, SessionKey } from './session.entity';
import type { ChainEnd } from '../format/chain';
import type { Chunk } from '../format/chunks';

/** State of the stored part of a recording, according to the session's row. */
export interface StoredState extends ChainEnd {
  /** Number of the last stored event, as the session's gateway counted it. */
  readonly journaled: number;
}

/** Values for the session's row from the gateway that runs the session. */
export interface SessionProgress {
  readonly received: number;
  readonly checked: number;
  readonly blocked: number;
  readonly guardrailsInfo: readonly GuardrailInfo[];
  readonly dataMasking: DataMasking;
}

/** End of a session: its exit code and its time. */
export interface SessionEnd {
  readonly exitCode: number;
  /** Milliseconds from the start of the session; null: now. */
  readonly after: number | null;
}

/**
 * The unit in which a session is stored: its next chunks, the values for its row, and its end. It is stored
 * completely or not at all, and only if the row is still in the state `before`. So no retry, by any gateway
 * and after any fault, stores an event twice.
 */
export interface Shipment {
  readonly session: SessionKey;
  readonly before: StoredState;
  readonly after: StoredState;
  readonly chunks: readonly Chunk[];
  /** Parts of inputs, whose words are indexed for searches. */
  readonly texts: readonly string[];
  readonly progress: SessionProgress | undefined;
  /** The version of `progress`. */
  readonly version: number;
  readonly ending: SessionEnd | undefined;
  /** Seal for the row, if the session has ended or ends with this shipment. */
  readonly seal: Buffer;
}
