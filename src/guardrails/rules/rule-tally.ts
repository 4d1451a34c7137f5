import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Meter } from '../../platform/metrics/meter';
import { GuardrailStats } from './guardrail.entity';
import { GuardrailMetrics } from './guardrail-metrics';

const FLUSH_EVERY_MS = 1_000;

interface Tally {
  checked: number;
  hit: number;
  lastHit: Date | null;
}

/** Rules that are always checked together, so that one increment counts a check of all of them. */
export class TalliedRules {
  private times = 0;

  constructor(
    readonly ruleIds: readonly string[],
    private readonly begins: (rules: TalliedRules) => void,
  ) {}

  /** Counts one check of these rules, on an input or a stream of output. */
  checked(): void {
    if (this.times++ === 0) this.begins(this);
  }

  /** Returns the number of checks since the last call. */
  takeCount(): number {
    const { times } = this;
    this.times = 0;
    return times;
  }
}

/**
 * Counts checks and hits of rules in memory, and adds the counts to the database every second, so that
 * checking a statement does not write to the database. A gateway that is killed loses the counts of its last
 * second.
 */
@Injectable()
export class RuleTally implements OnApplicationShutdown {
  private readonly log = new Logger(RuleTally.name);
  /** Metrics of all rules together. */
  readonly counted: GuardrailMetrics;
  private tallies = new Map<string, Tally>();
  /** Rules checked since the last flush. */
  private busy: TalliedRules[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    @InjectRepository(GuardrailStats) private readonly stats: Repository<GuardrailStats>,
    meter: Meter,
  ) {
    this.counted = new GuardrailMetrics(meter);
  }

  rules(ruleIds: readonly string[]): TalliedRules {
    return new TalliedRules(ruleIds, (rules) => {
      this.busy.push(rules);
      this.flushSoon();
    });
  }

  hit(ruleId: string, times = 1): void {
    const tally = this.of(ruleId);
    tally.hit += times;
    tally.lastHit = new Date();
  }

  /** Adds the counts to the database. Counts that could not be written are kept for the next flush. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.write());
    await this.flushing;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.flush();
  }

  private of(ruleId: string): Tally {
    this.flushSoon();
    const known = this.tallies.get(ruleId);
    if (known !== undefined) return known;
    const fresh: Tally = { checked: 0, hit: 0, lastHit: null };
    this.tallies.set(ruleId, fresh);
    return fresh;
  }

  private flushSoon(): void {
    if (this.isStopping) return;
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  private gather(): void {
    const { busy } = this;
    this.busy = [];
    for (const rules of busy) {
      const times = rules.takeCount();
      for (const ruleId of rules.ruleIds) this.of(ruleId).checked += times;
    }
  }

  private async write(): Promise<void> {
    this.gather();
    if (this.tallies.size === 0) return;
    const gathered = this.tallies;
    this.tallies = new Map();
    try {
      await this.add([...gathered]);
    } catch (error) {
      this.log.warn(
        { err: error },
        'The counters of guardrails could not be written; the next flush adds them',
      );
      for (const [ruleId, { checked, hit, lastHit }] of gathered) {
        const tally = this.of(ruleId);
        tally.checked += checked;
        tally.hit += hit;
        tally.lastHit ??= lastHit;
      }
    }
  }

  /**
   * Adds the counts to the database in the order of rule ids, so that two gateways do not deadlock. Drops the
   * counts of deleted rules.
   */
  private async add(tallies: readonly (readonly [string, Tally])[]): Promise<void> {
    const inOrder = tallies.toSorted(([a], [b]) => (a < b ? -1 : 1));
    await this.stats.query(
      `INSERT INTO guardrail_stats AS kept (org_id, rule_id, checked, hit, last_hit)
       SELECT rule.org_id, rule.id, new.checked, new.hit, new.last_hit
       FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::timestamptz[])
         WITH ORDINALITY AS new (rule_id, checked, hit, last_hit, place)
       JOIN guardrail_rules AS rule ON rule.id = new.rule_id
       ORDER BY new.place
       ON CONFLICT ON CONSTRAINT guardrail_stats_pk DO UPDATE SET
         checked = kept.checked + EXCLUDED.checked,
         hit = kept.hit + EXCLUDED.hit,
         last_hit = greatest(kept.last_hit, EXCLUDED.last_hit)`,
      [
        inOrder.map(([ruleId]) => ruleId),
        inOrder.map(([, tally]) => tally.checked),
        inOrder.map(([, tally]) => tally.hit),
        inOrder.map(([, tally]) => tally.lastHit),
      ],
    );
  }
}
