import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicTask } from '../kernel/async/periodic-task';
import { ReviewDesk } from './ports/review-desk';

/** Poll interval. It is also the longest time between a decision and the release of a call that waits. */
const POLL_MS = 1_000;

/**
 * Notifies held calls (calls that wait for a review) of decisions. One database query a second finds the
 * decisions for all held calls of this process, so that a held call occupies no database connection.
 */
@Injectable()
export class CallDecisions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(CallDecisions.name);
  /** Callbacks by review id. A review may have several, because identical calls share a review. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly polling = new PeriodicTask({
    everyMs: POLL_MS,
    when: () => this.waiting.size > 0,
    work: () => this.poll(),
    onError: (message) => this.log.warn(`Decisions on held calls cannot be read: ${message}`),
  });

  constructor(private readonly reviews: ReviewDesk) {}

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.polling.stop();
  }

  /**
   * Resolves with true when the review is no longer pending, or with false when the signal aborts first.
   * Never rejects.
   */
  decided(reviewId: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (isDecided: boolean): void => {
        signal.removeEventListener('abort', onAbort);
        this.forget(reviewId, onDecision);
        resolve(isDecided);
      };
      const onDecision = (): void => settle(true);
      const onAbort = (): void => settle(false);
      signal.addEventListener('abort', onAbort, { once: true });
      const others = this.waiting.get(reviewId);
      if (others === undefined) this.waiting.set(reviewId, new Set([onDecision]));
      else others.add(onDecision);
    });
  }

  private forget(reviewId: string, onDecision: () => void): void {
    const others = this.waiting.get(reviewId);
    others?.delete(onDecision);
    if (others?.size === 0) this.waiting.delete(reviewId);
  }

  private async poll(): Promise<void> {
    for (const reviewId of await this.reviews.decided([...this.waiting.keys()]))
      for (const onDecision of this.waiting.get(reviewId) ?? []) onDecision();
  }
}
