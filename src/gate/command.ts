import { LongText, type Text } from '../kernel/text/long-text';
import type { AskCatalog, GuardrailSet, JudgedAs } from './ports/guardrails';
import type { ReviewedCall } from './ports/review-desk';
import type { EventContent } from './ports/session-recorder';

/** A text for rules to judge, in its role. */
export interface JudgedText {
  readonly text: Text;
  readonly as: JudgedAs;
  /** See `GuardrailSet.judge`. */
  readonly known?: readonly string[];
  /** See `GuardrailSet.judge`. */
  readonly ask?: AskCatalog | undefined;
}

/** Texts to judge, or a function that returns them if they depend on the current rules. */
export type Judged = readonly JudgedText[] | ((rules: GuardrailSet) => readonly JudgedText[]);

/**
 * One call in a live session, for example of a tool. The recording contains `text`; rules judge `judged`. If
 * an access request rule requires approvals, each call needs one.
 */
export interface CallCommand {
  readonly kind: 'call';
  readonly text: Text;
  readonly judged: Judged;
  readonly call: ReviewedCall;
  /** Whether the call needs an approval even if no rule requires one. */
  readonly mustReview?: boolean;
  /** Whether the call was recorded before, and is repeated after its review. It is judged again. */
  readonly isRecorded?: boolean;
}

/** An input that the gate has to admit or refuse. */
export type Command =
  /**
   * A script or a statement in the language of the target. `text` is recorded. Rules judge `judged`; if it is
   * missing, they judge `text`.
   */
  | {
      readonly kind: 'statement';
      readonly text: Text;
      readonly judged?: Judged;
      readonly ask?: AskCatalog | undefined;
    }
  /** Values for an admitted statement: bound parameters, or data of COPY. */
  | { readonly kind: 'values'; readonly judged: Judged; readonly recorded: EventContent }
  /**
   * Admitted statements that run again. They are judged again, because the rules may have changed. They are
   * recorded again only if they are refused now.
   */
  | { readonly kind: 'repeated'; readonly texts: readonly JudgedText[]; readonly judged?: Judged }
  | CallCommand
  /** A script that was recorded before its approval: judged by the current rules, not recorded again. */
  | { readonly kind: 'approved'; readonly text: Text; readonly ask?: AskCatalog | undefined };

/** An input that rules cannot judge. It is recorded and refused. */
export interface UnreadableInput {
  readonly content: EventContent;
  readonly kind: 'statement' | 'values';
}

export function judgedOf(command: Command): Judged {
  switch (command.kind) {
    case 'statement':
      return command.judged ?? [{ text: command.text, as: 'input', ask: command.ask }];
    case 'values':
    case 'call':
      return command.judged;
    case 'repeated':
      return command.judged ?? command.texts;
    case 'approved':
      return [{ text: command.text, as: 'input', ask: command.ask }];
  }
}

/** A text in the form in which it is recorded. */
export function contentOf(text: Text): string | Buffer {
  return text instanceof LongText ? text.bytes : text;
}
