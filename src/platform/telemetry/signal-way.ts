import type { OtlpSender } from './otlp-sender';

/** The way of one kind of data to its collector, and who is told how it went. */
export interface SignalWay {
  readonly sender: OtlpSender;
  /** So many were taken. */
  sent(count: number): void;
  /** So many were dropped, and why. */
  lost(count: number, why: string): void;
}
