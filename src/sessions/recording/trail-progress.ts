import type { Hit, Mask } from '../../gate/ports/guardrails';
import type { DataMasking, GuardrailInfo } from './session.entity';
import type { ProgressSource } from './pending-chunks';
import type { SessionProgress } from './shipment';

/** Interval at which progress that has only counts is written to the journal, instead of with each event. */
const TOLD_EVERY_MS = 250;

export const NO_PROGRESS: SessionProgress = {
  received: 0,
  checked: 0,
  blocked: 0,
  guardrailsInfo: [],
  dataMasking: {},
};

/** Progress of a running session for its row: counts, hits, masks. */
export class TrailProgress implements ProgressSource {
  private readonly guardrailsInfo: GuardrailInfo[];
  private readonly counts: { received: number; checked: number; blocked: number };
  private dataMasking: DataMasking;
  version = 0;
  /** Whether there is progress that the journal does not have. */
  isUnwritten = false;
  /** Whether the unwritten progress has more than counts: a guardrail hit or masked output. */
  private isUrgent = false;
  private writtenAt = -Infinity;

  /** @param known The progress in the row. */
  constructor(known: SessionProgress = NO_PROGRESS) {
    const { received, checked, blocked } = known;
    this.counts = { received, checked, blocked };
    this.guardrailsInfo = [...known.guardrailsInfo];
    this.dataMasking = known.dataMasking;
  }

  received(): void {
    this.counts.received += 1;
    this.version += 1;
  }

  checked(): void {
    this.counts.checked += 1;
    this.version += 1;
    this.isUnwritten = true;
  }

  blocked(hit: Hit): void {
    this.counts.blocked += 1;
    this.guardrailsInfo.push(guardrailInfo(hit));
    this.version += 1;
    this.isUnwritten = true;
    this.isUrgent = true;
  }

  masked(masks: readonly Mask[]): void {
    if (masks.length === 0) return;
    this.dataMasking = withMasks(this.dataMasking, masks);
    this.version += 1;
    this.isUnwritten = true;
    this.isUrgent = true;
  }

  /**
   * Whether to write the progress to the journal at the time `now`, in milliseconds since the start of the
   * session. Hits and masks are written at once, counts periodically.
   */
  mustBeWritten(now: number): boolean {
    return this.isUnwritten && (this.isUrgent || now - this.writtenAt >= TOLD_EVERY_MS);
  }

  /** Returns the progress to write to the journal now, and marks it as written. */
  takeUnwritten(now: number): SessionProgress {
    this.isUnwritten = false;
    this.isUrgent = false;
    this.writtenAt = now;
    return this.now();
  }

  now(): SessionProgress {
    const { counts, guardrailsInfo, dataMasking } = this;
    return { ...counts, guardrailsInfo: [...guardrailsInfo], dataMasking };
  }
}

function guardrailInfo(hit: Hit): GuardrailInfo {
  return {
    rule_id: hit.ruleId,
    rule_name: hit.ruleName,
    direction: hit.direction,
    entry: hit.index,
    rule: hit.entry,
    matched_words: [...new Set(hit.findings.map((finding) => finding.text))],
    matches: hit.findings,
    ...(hit.fault === undefined ? {} : { fault: hit.fault }),
    message: hit.message,
  };
}

function withMasks(known: DataMasking, masks: readonly Mask[]): Required<DataMasking> {
  const { total_redact_count = 0, transformed_bytes = 0, info_types = {} } = known;
  const types = { ...info_types };
  for (const { label } of masks) types[label] = (types[label] ?? 0) + 1;
  return {
    total_redact_count: total_redact_count + masks.length,
    transformed_bytes: masks.reduce((sum, mask) => sum + mask.bytes, transformed_bytes),
    info_types: types,
  };
}
