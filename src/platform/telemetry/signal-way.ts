import type { OtlpSender } from './otlp-sender';

/** The way of one kind of data to its collector, and the counters of its success. */
export interface SignalWay {
  readonly sender: OtlpSender;
  /** So many were taken. */
  sent(count: number): void;
  /** So many were dropped, and why. */
  lost(count: number, why: string): void;
}
