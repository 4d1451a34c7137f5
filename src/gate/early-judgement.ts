import type { Text } from '../kernel/text/long-text';
import type { Judged } from './command';
import { type FormerJudgement, GuardedTrail, type SessionOwner } from './guarded-trail';
import type { AskCatalog, Guardrails, GuardrailSet, Hit } from './ports/guardrails';
import type { SessionTrail } from './ports/session-recorder';
import type { Target } from './ports/target-directory';
import type { InputRefusal } from './refusal';

/** A text, such as an approved script, that is judged before its session is claimed. */
export interface EarlyText {
  readonly target: Target;
  readonly text: Text;
  readonly ask?: AskCatalog | undefined;
  readonly owner: SessionOwner;
}

/**
 * The judgement of an approved script before its approval is claimed. If the script is refused because too
 * many texts wait to be judged, its approval must stay unused. The claimed session reuses this judgement.
 */
export class EarlyJudgement implements FormerJudgement {
  private constructor(
    private readonly text: Text,
    private readonly rules: GuardrailSet | undefined,
    private readonly notes: Notes,
    readonly refusal: InputRefusal | undefined,
  ) {}

  static async of({ target, text, ask, owner }: EarlyText, guardrails: Guardrails): Promise<EarlyJudgement> {
    const notes = new Notes(owner.sessionId);
    const guarded = new GuardedTrail(target, notes, guardrails, owner);
    const refusal = await guarded.judge([{ text, as: 'input', ask }]);
    return new EarlyJudgement(text, guarded.rulesNow, notes, refusal);
  }

  isOf(texts: Judged, rules: GuardrailSet): boolean {
    if (typeof texts === 'function' || texts.length !== 1 || this.refusal?.reason === 'fault') return false;
    return rules === this.rules && texts[0]?.as === 'input' && texts[0].text === this.text;
  }

  noteIn(trail: SessionTrail): void {
    this.notes.repeatIn(trail);
  }
}

/** Stores the findings for a session that is not claimed yet, because nothing can be recorded in it yet. */
class Notes implements SessionTrail {
  readonly ended = new AbortController().signal;
  private readonly hits: Hit[] = [];
  private judged = 0;

  constructor(readonly sessionId: string) {}

  checked(): void {
    this.judged += 1;
  }

  blocked(hit: Hit): void {
    this.hits.push(hit);
  }

  repeatIn(trail: SessionTrail): void {
    for (let count = 0; count < this.judged; count += 1) trail.checked();
    for (const hit of this.hits) trail.blocked(hit);
  }

  masked(): void {
    throw unclaimed();
  }

  append(): Promise<never> {
    return Promise.reject(unclaimed());
  }

  appendAll(): Promise<never> {
    return Promise.reject(unclaimed());
  }

  end(): Promise<never> {
    return Promise.reject(unclaimed());
  }

  park(): Promise<never> {
    return Promise.reject(unclaimed());
  }
}

function unclaimed(): Error {
  return new Error('the session is not claimed');
}
