import { LongText, type Text } from '../kernel/long-text';
import type { AskCatalog, GuardrailSet } from './ports/guardrails';
import type { ReviewedCall } from './ports/review-desk';
import type { EventContent } from './ports/session-recorder';

/** A text that rules judge: an input in the language of the target, or a value that goes with one. */
export interface JudgedText {
  readonly text: Text;
  readonly as: 'input' | 'value';
  /** See `GuardrailSet.judge`. */
  readonly known?: readonly string[];
  /** See `GuardrailSet.judge`. */
  readonly ask?: AskCatalog | undefined;
}

/** Texts to judge; a function where they depend on the rules that hold now. */
export type Judged = readonly JudgedText[] | ((rules: GuardrailSet) => readonly JudgedText[]);

/**
 * One call that a live session makes, for example of a tool. Judged as `judged` says, recorded as `text`, and asked of people where
 * rules want approvals, each call anew.
 */
export interface CallCommand {
  readonly kind: 'call';
  readonly text: Text;
  readonly judged: Judged;
  readonly call: ReviewedCall;
}

/** What a protocol asks the gate to admit. */
export type Command =
  /** A text in the language of the target: a script, a statement. Judged as `judged` says, otherwise as it is; recorded as `text`. */
  | {
      readonly kind: 'statement';
      readonly text: Text;
      readonly judged?: Judged;
      readonly ask?: AskCatalog | undefined;
    }
  /** Values for a statement that was admitted before: bound parameters, data of COPY. */
  | { readonly kind: 'values'; readonly judged: Judged; readonly recorded: EventContent }
  /** Statements that were admitted before and run again: the rules may have changed. Recorded again only if they are refused now. */
  | { readonly kind: 'repeated'; readonly texts: readonly JudgedText[]; readonly judged?: Judged }
  | CallCommand
  /** A script that people approved after it was recorded: judged by the rules that hold now, not recorded again. */
  | { readonly kind: 'approved'; readonly text: Text; readonly ask?: AskCatalog | undefined };

/** An input that nobody can judge. It is recorded, and refused. */
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

/** A text as it is recorded. */
export function contentOf(text: Text): string | Buffer {
  return text instanceof LongText ? text.bytes : text;
}
