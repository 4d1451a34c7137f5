import type { OtlpSender } from './otlp-sender';

/** Sender of one signal (logs or traces) to its collector, with counters of sent and lost items. */
export interface SignalWay {
  readonly sender: OtlpSender;
  /** Counts items that the collector accepted. */
  sent(count: number): void;
  /** Counts items that were dropped, with the reason. */
  lost(count: number, why: string): void;
}
