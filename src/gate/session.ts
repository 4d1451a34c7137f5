import { type MaybePromise, thenMaybe } from '../kernel/maybe-promise';
import { piecesOf } from '../kernel/pieces';
import { inSlices } from '../kernel/time-slice';
import type { ApprovalDemand, CallAdmission, CallApprovals } from './approval';
import { type CallCommand, type Command, type UnreadableInput, contentOf, judgedOf } from './command';
import { DurableWriter, type Sink } from './durable-writer';
import { GatedStream } from './gated-stream';
import type { GuardedTrail } from './guarded-trail';
import { PendingEvents } from './pending-events';
import { EXIT_BLOCKED } from './ports/session-end';
import type { InputKind, TrailEvent } from './ports/session-recorder';
import type { Target } from './ports/target-directory';
import type { InputRefusal } from './refusal';
import { LARGE_TEXT, type ScreenedTexts, TextScreening } from './screened-texts';

/** What becomes of an input. `message` is for the person who sent it. */
export type Admission =
  | { readonly kind: 'forward' }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | InputRefusal;

const FORWARD: Admission = { kind: 'forward' };

/** A large text is recorded in pieces of so many UTF-16 code units. */
const PIECE = 32 * 1024;

/**
 * One visit to a target, from admission to its end, for every protocol. A protocol hands in commands and output; it gets back what
 * may go on. It never holds the screen, the recording or a rule itself.
 *
 * A protocol that runs one command at a time uses `admit` and `GatedStream.deliver`, which resolve when all is durable. One whose
 * commands are on their way at the same time uses `admitAhead` and `GatedStream.push`, and sends only through `toTarget` and
 * `toClient`.
 */
export class Session {
  readonly #guarded: GuardedTrail;
  readonly #inputs: PendingEvents;
  readonly #outputs: PendingEvents;
  readonly #texts: TextScreening;
  /** Streams that hold output back. */
  readonly #open = new Set<GatedStream>();

  /**
   * @param approval what has to be asked of people before an input goes on; undefined: nothing.
   * @param calls what has to be asked of people before a call goes on; undefined: there are no calls.
   */
  constructor(
    guarded: GuardedTrail,
    private readonly approval?: ApprovalDemand,
    private readonly calls?: CallApprovals,
  ) {
    this.#guarded = guarded;
    this.#inputs = new PendingEvents(guarded.trail);
    this.#outputs = new PendingEvents(guarded.trail);
    this.#texts = new TextScreening(guarded, this.#outputs);
  }

  get id(): string {
    return this.#guarded.trail.sessionId;
  }

  get target(): Target {
    return this.#guarded.target;
  }

  /** Aborts when somebody else ended the session, or with `RecordingFailed`. */
  get ended(): AbortSignal {
    return this.#guarded.trail.ended;
  }

  /** The rules of the last command: another object once they have changed. */
  get rules(): object | undefined {
    return this.#guarded.rulesNow;
  }

  /** Whether a rule looks at input, by the rules of the last command. */
  get judgesInput(): boolean {
    return this.#guarded.judgesInput;
  }

  /** Whether a rule looks at output, by the rules of the last command. */
  get screensOutput(): boolean {
    return this.#guarded.screensOutput;
  }

  /** Whether a rule may find anything in these lines. A no is certain; see `GuardrailSet.mayTouch`. */
  mayTouch(lines: Buffer): boolean {
    return this.#guarded.mayTouch(lines);
  }

  /** Asks for the rules that hold now, where output comes without a command. */
  askForRules(): MaybePromise<void> {
    return this.#guarded.askForRules();
  }

  /**
   * Decides on one command, when no other is under way. Resolves when the command, and the reason of a refusal, are durable. On
   * `refused` and `pending` the session is over for the caller; only `forward` leaves it running. Never rejects.
   */
  async admit(command: Exclude<Command, CallCommand>): Promise<Admission> {
    // An input that could not be judged is recorded all the same.
    const refusal =
      this.approval?.denial ?? this.heldBack() ?? (await this.#guarded.judge(judgedOf(command)));
    try {
      this.record(command, refusal);
      await this.#inputs.durable();
      if (refusal !== undefined) return await this.refused(refusal);
      const answer = command.kind === 'approved' ? undefined : await this.approval?.ask(this.id, command);
      if (answer === undefined) return FORWARD;
      if (answer.kind === 'pending') {
        await this.#guarded.trail.park();
        return answer;
      }
      this.refuse(answer.message);
      return await this.refused(answer);
    } catch (error) {
      const fault = this.#guarded.fault(error);
      this.refuse(fault.message);
      await this.refused(fault).catch(() => this.endTrail().catch(() => undefined));
      return fault;
    }
  }

  /**
   * Decides on a command while others are under way; a refused one does not end the session. Answers at once where nothing has to be
   * waited for: a client sends thousands of commands a second. What is admitted goes on through `toTarget` alone. A failure to judge
   * is a refusal; a failure to record ends the session.
   */
  admitAhead(command: Exclude<Command, CallCommand>): MaybePromise<Admission> {
    return thenMaybe(this.judgeAndRecord(command), (refusal) => refusal ?? FORWARD);
  }

  /**
   * Decides on one call while others are under way: judged and recorded like any command, then asked of people where rules want it.
   * The session goes on whatever the answer is. The same call, made again once it is approved, goes on exactly once. Never rejects.
   */
  async admitCall(command: CallCommand): Promise<CallAdmission> {
    const refusal = await this.judgeAndRecord(command);
    if (refusal !== undefined) return refusal;
    try {
      if (this.calls === undefined) throw new Error('this session makes no calls');
      // People are not shown what is not recorded.
      await this.#inputs.durable();
      const answer = await this.calls.ask(this.id, command.call);
      if (answer.kind === 'refused') this.refuse(answer.message);
      return answer;
    } catch (error) {
      const fault = this.#guarded.fault(error);
      this.refuse(fault.message);
      return fault;
    }
  }

  /** The protocol itself refuses an input that it cannot have judged, or one that was admitted: the reason is recorded. */
  refuse(message: string, unread?: UnreadableInput): void {
    const reason = reasonOf(message);
    if (unread === undefined) this.#inputs.append(reason.type, reason.content);
    else this.#inputs.appendAll([inputOf(unread), reason]);
  }

  /** Resolves when all that was admitted or refused until now is durable. @throws RecordingFailed */
  inputsDurable(): Promise<void> {
    return this.#inputs.durable();
  }

  /** A stream of output of its own: a result, an error. Screened by the rules of the last command. */
  openStream(type: 'o' | 'e'): GatedStream {
    const stream = new GatedStream(this.#guarded, this.#outputs, type, (over) => this.#open.delete(over));
    this.#open.add(stream);
    return stream;
  }

  /** Screens texts that are no stream: names, the fields of an error. A text that is blocked is recorded as such. */
  screenTexts(texts: readonly string[]): MaybePromise<ScreenedTexts> {
    return this.#texts.screen(texts);
  }

  /** Records what the target said besides results, as it was screened, before what goes on next. In slices where it is large. */
  note(...events: readonly TrailEvent[]): MaybePromise<void> {
    if (events.every(({ content }) => content.length <= LARGE_TEXT)) {
      for (const event of events) this.#outputs.add(event);
      return undefined;
    }
    return inSlices(this.noting(events));
  }

  /** The one way to the target. */
  toTarget(...sink: Wiring): DurableWriter {
    return new DurableWriter(this.#inputs, ...sink);
  }

  /** The one way to the client. */
  toClient(...sink: Wiring): DurableWriter {
    return new DurableWriter(this.#outputs, ...sink);
  }

  /** Ends the recording: what streams still hold back is screened and recorded first, then the cause. Idempotent. */
  async end(exitCode: number, cause?: string): Promise<void> {
    for (const stream of this.#open) await stream.deliverRest();
    if (cause !== undefined) this.#outputs.append('e', `${cause}\n`);
    await this.#outputs.durable().catch(() => undefined);
    await this.endTrail(exitCode);
  }

  private judgeAndRecord(command: Command): MaybePromise<InputRefusal | undefined> {
    return thenMaybe(this.#guarded.judge(judgedOf(command)), (refusal) => {
      this.record(command, refusal);
      return refusal;
    });
  }

  private endTrail(exitCode = EXIT_BLOCKED): Promise<void> {
    return this.#guarded.trail.end(exitCode);
  }

  /** What a stream holds back would be lost with the rules that it is held by: neither delivered nor recorded. */
  private heldBack(): InputRefusal | undefined {
    if (this.#open.size === 0) return undefined;
    return this.#guarded.fault(new Error('the output of the command before is not finished'));
  }

  private async refused(refusal: InputRefusal): Promise<InputRefusal> {
    await this.#inputs.durable();
    await this.endTrail();
    return refusal;
  }

  private record(command: Command, refusal: InputRefusal | undefined): void {
    if (refusal !== undefined) this.#inputs.appendAll([...inputsOf(command), reasonOf(refusal.message)]);
    else if (command.kind === 'statement' || command.kind === 'call')
      this.#inputs.append('i', contentOf(command.text));
    else if (command.kind === 'values') this.#inputs.append('i', command.recorded, 'parameters');
  }

  private *noting(events: readonly TrailEvent[]): Generator<undefined, void> {
    for (const { type, content } of events)
      for (const piece of piecesOf(content.toString(), PIECE)) {
        this.#outputs.append(type, piece);
        yield;
      }
  }
}

type Wiring = [sink: Sink, on: ConstructorParameters<typeof DurableWriter>[2]];

function inputOf({ content, kind }: UnreadableInput): TrailEvent {
  const what: InputKind | undefined = kind === 'values' ? 'parameters' : undefined;
  return { type: 'i', content, what };
}

/** The inputs of a refused command as they are recorded. */
function inputsOf(command: Command): TrailEvent[] {
  switch (command.kind) {
    case 'statement':
    case 'call':
      return [{ type: 'i', content: contentOf(command.text) }];
    case 'values':
      return [inputOf({ content: command.recorded, kind: 'values' })];
    case 'repeated':
      return command.texts.map(({ text }) => ({ type: 'i', content: contentOf(text) }));
    case 'approved':
      return [];
  }
}

function reasonOf(message: string): { readonly type: 'e'; readonly content: string } {
  return { type: 'e', content: `${message}\n` };
}
