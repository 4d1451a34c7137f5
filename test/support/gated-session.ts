import { ApprovalDemand } from '../../src/gate/approval';
import { GuardedTrail } from '../../src/gate/guarded-trail';
import type { AccessDecision } from '../../src/gate/ports/access-decider';
import type { GuardrailSet, Hit, Mask, Verdict } from '../../src/gate/ports/guardrails';
import type {
  EventContent,
  TrailEventType,
  SessionTrail,
  TrailEvent,
} from '../../src/gate/ports/session-recorder';
import type { Target } from '../../src/gate/ports/target-directory';
import { Session } from '../../src/gate/session';
import type { MaybePromise } from '../../src/kernel/async/maybe-promise';
import type { Principal } from '../../src/kernel/principal';

/** A recording in memory. */
export class MemoryTrail implements SessionTrail {
  readonly sessionId = 'session';
  readonly killed = new AbortController();
  readonly ended = this.killed.signal;
  readonly events: [TrailEventType, string][] = [];
  readonly hits: Hit[] = [];
  readonly masks: Mask[] = [];
  judged = 0;
  exitCode: number | undefined;
  parked = false;

  constructor(
    /** Number of events that can be recorded. Later events fail. */
    private readonly failsFrom = Infinity,
    /** Resolves when events are durable; by default at once. */
    private readonly durable: Promise<void> = Promise.resolve(),
  ) {}

  get text(): string {
    return this.events.map(([, content]) => content).join('');
  }

  append(type: TrailEventType, content: EventContent): Promise<void> {
    if (this.events.length >= this.failsFrom) return Promise.reject(new Error('broken'));
    // The caller may reuse the bytes after the call.
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

/** Creates a session whose guardrail rules are loaded already. */
export function sessionUnder(
  rules: () => MaybePromise<GuardrailSet>,
  trail = new MemoryTrail(),
  areCached = true,
) {
  const target = { recording: { results: true } } as Target;
  const session = new Session(new GuardedTrail(target, trail, { areCached, for: rules }));
  void session.askForRules();
  return { session, trail };
}

export const hit: Hit = {
  ruleId: '1',
  ruleName: 'no-drops',
  direction: 'input',
  index: 0,
  entry: { type: 'deny_words_list', words: ['drop'], pattern_regex: '' },
  findings: [{ start: 0, end: 4, text: 'drop' }],
  message: 'We keep our tables.',
};
export const pass = { kind: 'pass' } as Verdict;
export const block = { kind: 'block', hit } as Verdict;
export const failing = (): never => {
  throw new Error('broken');
};

/** Returns guardrail rules whose verdicts on input (`judge`) and output (`screen`) the test defines. */
export const rules = (judge: () => Verdict, screen: () => Verdict = () => pass): GuardrailSet => ({
  judgesInput: true,
  screensOutput: true,
  mayTouch: () => true,
  judge: async () => judge(),
  openScreen: () => ({
    before: '',
    push: async (text) => {
      const verdict = screen();
      return verdict.kind === 'block' ? verdict : { kind: 'pass', text, upTo: text.length, masks: [] };
    },
    pushLines: () => expectNever(),
    flush: () => expectNever(),
    finish: async () => ({ kind: 'pass', text: '', upTo: 0, masks: [] }),
  }),
});

/** Fails, because scripts produce text and never rows. */
export function expectNever(): never {
  throw new Error('nobody asks for this');
}

/** A session that requests a review if `access` requires one. */
export function sessionOver(ports: {
  trail?: MemoryTrail;
  set?: GuardrailSet | Error;
  access?: AccessDecision;
  ask?: () => Promise<never>;
}) {
  const trail = ports.trail ?? new MemoryTrail();
  const { set = rules(() => pass), ask = failing } = ports;
  const guardrails = { areCached: true, for: async () => (set instanceof Error ? Promise.reject(set) : set) };
  const access = ports.access ?? { kind: 'allow' };
  const guarded = new GuardedTrail({} as Target, trail, guardrails);
  const desk = { requestReview: ask, askCall: ask, decided: failing, callOver: failing };
  const session = new Session(guarded, new ApprovalDemand(desk, {} as Principal, {} as Target, access, null));
  return { session, trail };
}
