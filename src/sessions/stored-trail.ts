import type { Hit, Mask } from '../gate/ports/guardrails';
import type { EventType, SessionTrail } from '../gate/ports/session-recorder';
import type { Principal } from '../kernel/principal';
import { piecesOf } from '../kernel/pieces';
import type { SessionEvent } from './recording/event-codec';
import type { RecordingsRepository } from './recordings.repository';
import type { DataMasking, GuardrailInfo, SessionKey } from './session.entity';

/** One chunk takes what has gathered while the one before was written, up to about this much. */
const CHUNK_BYTES = 256 * 1024;
/** An event of output is no longer than this, so that a chunk stays small whatever a target sends. */
const PIECE_CHARACTERS = 64 * 1024;

interface Waiting {
  readonly event: SessionEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records a running session straight into PostgreSQL: an event is durable once its chunk is committed.
 * Events that come while a chunk is being written go into the next one together.
 */
export class StoredTrail implements SessionTrail {
  private readonly waiting: Waiting[] = [];
  private readonly end$ = new AbortController();
  private readonly guardrailsInfo: GuardrailInfo[] = [];
  private readonly startedAt = performance.now();
  private writing: Promise<void> | undefined;
  private readonly counts = { received: 0, checked: 0, blocked: 0 };
  private dataMasking: DataMasking = {};

  constructor(
    private readonly session: SessionKey,
    readonly principal: Principal,
    private readonly recordings: RecordingsRepository,
    private readonly closed: () => void,
  ) {}

  get sessionId(): string {
    return this.session.id;
  }

  get ended(): AbortSignal {
    return this.end$.signal;
  }

  async append(type: EventType, text: string): Promise<void> {
    // An input is one message of the client, and stays one event; output is a stream, and may be cut anywhere.
    const pieces = type === 'i' ? [text] : piecesOf(text, PIECE_CHARACTERS);
    await Promise.all(pieces.map((piece) => this.appendOne(type, piece)));
  }

  private appendOne(type: EventType, text: string): Promise<void> {
    const event = { time: elapsed(this.startedAt), type, content: Buffer.from(text) };
    this.counts.received += 1;
    return new Promise((resolve, reject) => {
      this.waiting.push({ event, resolve, reject });
      this.writing ??= this.write();
    });
  }

  checked(): void {
    this.counts.checked += 1;
  }

  blocked(hit: Hit): void {
    this.counts.blocked += 1;
    this.guardrailsInfo.push(guardrailInfo(hit));
  }

  masked(masks: readonly Mask[]): void {
    if (masks.length > 0) this.dataMasking = withMasks(this.dataMasking, masks);
  }

  async end(exitCode: number): Promise<void> {
    try {
      await this.flush();
    } finally {
      // Also when the end cannot be written: the keeper ends the rows of this gateway that nobody holds any more.
      this.closed();
      await this.recordings.finish(this.session, exitCode);
    }
  }

  async park(): Promise<void> {
    await this.flush();
    await this.recordings.release(this.session);
    this.closed();
  }

  /** Somebody else ended the session, or its user may no longer act: the visit must stop. */
  abort(reason: string): void {
    this.end$.abort(new Error(reason));
  }

  private async flush(): Promise<void> {
    await this.writing;
    await this.recordings.append(this.session, [], this.progress());
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.nextBatch();
      try {
        const events = batch.map((waiting) => waiting.event);
        const isRunning = await this.recordings.append(this.session, events, this.progress());
        if (!isRunning) throw new Error('the session is over');
        for (const waiting of batch) waiting.resolve();
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
        this.abort('The session could not be recorded any further.');
      }
    }
    // In the same turn as the last look at `waiting`: an event that comes a moment later must start anew.
    this.writing = undefined;
  }

  private nextBatch(): Waiting[] {
    let bytes = 0;
    const fits = this.waiting.findIndex((waiting, index) => {
      bytes += waiting.event.content.length;
      return index > 0 && bytes > CHUNK_BYTES;
    });
    return this.waiting.splice(0, fits === -1 ? this.waiting.length : fits);
  }

  private progress() {
    const { counts, guardrailsInfo, dataMasking } = this;
    return { ...counts, guardrailsInfo, dataMasking };
  }
}

/** Milliseconds, to the microsecond. */
function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 1000) / 1000;
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
