import type { Direction } from '../../gate/ports/guardrails';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { thenMaybe } from '../../kernel/async/maybe-promise';
import type { Meter } from '../../platform/metrics/meter';

/** Metrics of the cost of guardrails, and of their hits. */
export class GuardrailMetrics {
  private readonly isOn: boolean;
  private readonly hits;
  private readonly durations;

  constructor(meter: Meter) {
    this.isOn = meter.isOn;
    this.hits = meter.counter('gateway_guardrail_hits_total');
    this.durations = meter.distribution('gateway_guardrail_duration_seconds');
  }

  blocked(direction: Direction): void {
    this.hits.add({ direction, effect: 'blocked' });
  }

  masked(count: number): void {
    this.hits.add({ direction: 'output', effect: 'masked' }, count);
  }

  /** Does the work, and measures its duration. */
  timed<T>(direction: Direction, work: () => MaybePromise<T>): MaybePromise<T> {
    if (!this.isOn) return work();
    const startedAt = performance.now();
    return thenMaybe(work(), (result) => {
      this.durations.observe({ direction }, (performance.now() - startedAt) / 1_000);
      return result;
    });
  }
}
