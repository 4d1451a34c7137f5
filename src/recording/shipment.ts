import type { DataMasking, GuardrailInfo, SessionKey } from './session.entity';
import type { ChainEnd } from '../recording-format/chain';
import type { Chunk } from '../recording-format/chunks';

/** How far a recording is stored, as its session's row says. */
export interface StoredState extends ChainEnd {
  /** Number of the last event of its gateway that is stored. */
  readonly journaled: number;
}

/** What a session's row learns from the gateway that runs it. */
export interface SessionProgress {
  readonly received: number;
  readonly checked: number;
  readonly blocked: number;
  readonly guardrailsInfo: readonly GuardrailInfo[];
  readonly dataMasking: DataMasking;
}

/** How a session ended. */
export interface SessionEnd {
  readonly exitCode: number;
  /** Milliseconds from the start of the session; null: now. */
  readonly after: number | null;
}

/**
 * What is stored of one session in one go: its next chunks, what its row learns with them, and its end. Stored whole,
 * and only if the row still stands at `before`; so nothing is ever stored twice, whoever tries again after what fault.
 */
export interface Shipment {
  readonly session: SessionKey;
  readonly before: StoredState;
  readonly after: StoredState;
  readonly chunks: readonly Chunk[];
  /** Parts of inputs, for the index of words. */
  readonly texts: readonly string[];
  readonly progress: SessionProgress | undefined;
  /** Of what `progress` tells. */
  readonly version: number;
  readonly ending: SessionEnd | undefined;
  /** Goes onto the row if the session is over, or is by this. */
  readonly seal: Buffer;
}
