import { GuardedTrail } from '../../src/gate/guarded-trail';
import type { GuardrailSet, Hit, Mask } from '../../src/gate/ports/guardrails';
import type {
  EventContent,
  EventType,
  SessionTrail,
  TrailEvent,
} from '../../src/gate/ports/session-recorder';
import type { Target } from '../../src/gate/ports/target-directory';
import { Session } from '../../src/gate/session';
import type { Eventual } from '../../src/kernel/eventual';

/** A recording in memory. */
export class MemoryTrail implements SessionTrail {
  readonly sessionId = 'session';
  readonly ended = new AbortController().signal;
  readonly events: [EventType, string][] = [];
  readonly hits: Hit[] = [];
  readonly masks: Mask[] = [];
  judged = 0;
  exitCode: number | undefined;
  parked = false;

  constructor(
    /** From the event of this number on, recording fails. */
    private readonly failsFrom = Infinity,
    /** When events are durable: at once unless said otherwise. */
    private readonly durable: Promise<void> = Promise.resolve(),
  ) {}

  get text(): string {
    return this.events.map(([, content]) => content).join('');
  }

  append(type: EventType, content: EventContent): Promise<void> {
    if (this.events.length >= this.failsFrom) return Promise.reject(new Error('broken'));
    // The bytes are the caller's again when the call returns.
    this.events.push([type, content.toString()]);
    return this.durable;
  }
  async appendAll(events: readonly TrailEvent[]): Promise<void> {
    const written = events.map(({ type, content }) => this.append(type, content));
    await Promise.all(written);
  }
  checked(): void {
    this.judged += 1;
  }
  blocked(found: Hit): void {
    this.hits.push(found);
  }
  masked(masks: readonly Mask[]): void {
    this.masks.push(...masks);
  }
  async end(exitCode: number): Promise<void> {
    this.exitCode ??= exitCode;
  }
  async park(): Promise<void> {
    this.parked = true;
  }
}

/** A session under rules that are asked for already. */
export function sessionUnder(rules: () => Eventual<GuardrailSet>, trail = new MemoryTrail()) {
  const target = { recording: { results: true } } as Target;
  const session = new Session(new GuardedTrail(target, trail, { for: rules }));
  void session.askForRules();
  return { session, trail };
}
