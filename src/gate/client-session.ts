import { type Eventual, whenThere } from '../kernel/eventual';
import { LongText, type Text } from '../kernel/long-text';
import { type GuardedTrail, type Judged, type JudgedText, type Refusal, type Release } from './guarded-trail';
import type { Mask, OutputScreen, Screened } from './ports/guardrails';
import type { EventContent, InputKind, TrailEvent } from './ports/session-recorder';
import type { Target } from './ports/target-directory';

/** What a client of the target's own protocol asks for with one message. */
export interface Command {
  /** Empty where all of it was judged before. */
  readonly judged: Judged;
  /** What is recorded of it. */
  readonly recorded: EventContent;
  /** Values for a text that was recorded before. */
  readonly isParameters?: boolean;
}

/** What becomes of a command: it may go on, or be refused, once it is `recorded`; where that fails, nothing may. */
export interface Ruling {
  readonly refusal: Refusal | undefined;
  /** undefined where there is nothing to record. */
  readonly recorded: Promise<void> | undefined;
}

/** A text as it is recorded. */
export function contentOf(text: Text): string | Buffer {
  return text instanceof LongText ? text.bytes : text;
}

const FREE: Ruling = { refusal: undefined, recorded: undefined };

/**
 * One visit to a target by a client of its own protocol: many commands, on their way at the same time, and a refused
 * one does not end it. Answers at once whenever nothing has to be waited for: a client sends thousands of commands a second.
 */
export class ClientSession {
  constructor(private readonly guarded: GuardedTrail) {}

  get id(): string {
    return this.guarded.trail.sessionId;
  }

  get target(): Target {
    return this.guarded.target;
  }

  /** Aborts when somebody else ended the session, or it could not be recorded. */
  get ended(): AbortSignal {
    return this.guarded.trail.ended;
  }

  /** Asks for the rules as they are now, where output comes without a command. */
  askForRules(): Eventual<void> {
    return this.guarded.askForRules();
  }

  /** Judges a command and has it recorded. A refused one is recorded too. */
  admit(command: Command): Eventual<Ruling> {
    return whenThere(this.guarded.judge(command.judged), (refusal) => {
      const { trail } = this.guarded;
      const what: InputKind | undefined = command.isParameters === true ? 'parameters' : undefined;
      if (refusal === undefined) return { refusal, recorded: trail.append('i', command.recorded, what) };
      const input = { type: 'i', content: command.recorded, what } as const;
      const reason = { type: 'e', content: `${refusal.message}\n` } as const;
      return { refusal, recorded: trail.appendAll([input, reason]) };
    });
  }

  /**
   * Judges again what was judged and recorded before: the rules may have changed. Recorded again if it is refused now.
   * @param judged the texts with what they come from.
   */
  recheck(texts: readonly JudgedText[], judged: Judged = texts): Eventual<Ruling> {
    return whenThere(this.guarded.judge(judged), (refusal) => {
      if (refusal === undefined) return FREE;
      const inputs = texts.map(({ text }) => ({ type: 'i', content: contentOf(text) }) as const);
      const reason = { type: 'e', content: `${refusal.message}\n` } as const;
      return { refusal, recorded: this.guarded.trail.appendAll([...inputs, reason]) };
    });
  }

  /** The rules of the last command: another object once they are others. */
  get rules(): object | undefined {
    return this.guarded.rulesNow;
  }

  /** Whether input is looked at, by the rules of the last command. */
  get judgesInput(): boolean {
    return this.guarded.judgesInput;
  }

  /** Whether output has to be looked at, by the rules of the last command. */
  get screensOutput(): boolean {
    return this.guarded.screensOutput;
  }

  /** Whether anything that a rule looks for may be in these lines; a no is sure, see `GuardrailSet.mayTouch`. */
  mayTouch(lines: Buffer): boolean {
    return this.guarded.mayTouch(lines);
  }

  /** A stream of output of its own: a result, an error. */
  openScreen(): OutputScreen {
    return this.guarded.openScreen();
  }

  /** Has recorded what a screen of this session lets go. */
  release<Text extends string | Buffer>(type: 'o' | 'e', screened: Screened<Text>): Release<Text> {
    return this.guarded.release(type, screened);
  }

  /** Counts what was masked in output whose recording is up to the caller. */
  masked(masks: readonly Mask[]): void {
    this.guarded.trail.masked(masks);
  }

  /** Records output as it is: no rule looks at it, or it was looked at already. */
  record(events: readonly TrailEvent[]): Promise<void> {
    return this.guarded.trail.appendAll(events);
  }

  async end(exitCode: number): Promise<void> {
    await this.guarded.trail.end(exitCode);
  }
}
