import type { MaybePromise } from '../kernel/async/maybe-promise';
import { piecesOf } from '../kernel/text/pieces';
import { inSpan } from '../kernel/runtime/spans';
import { inSlices } from '../kernel/async/time-slice';
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
import type { MessageTracker } from './whole-messages';
import { FirstAbort } from '../kernel/async/first-abort';

/** The decision on an input. `message` is for the person who sent it. */
export type Admission =
  | { readonly kind: 'forward' }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | InputRefusal;

const FORWARD: Admission = { kind: 'forward' };

/** A large text is recorded in pieces of this many UTF-16 code units. */
const PIECE = 32 * 1024;

/**
 * One session on a target, from admission to its end, for every protocol. A protocol passes in commands and
 * output, and gets back what may be forwarded or delivered. It has no access to the screen, the recording or
 * a rule.
 *
 * A protocol that runs commands one after another uses `admit` and `GatedStream.deliver`, which resolve when
 * everything is durable. A protocol that pipelines commands uses `admitAhead` and `GatedStream.push`, and
 * sends only through `toTarget` and `toClient`.
 */
export class Session {
  readonly #guarded: GuardedTrail;
  readonly #inputs: PendingEvents;
  readonly #outputs: PendingEvents;
  readonly #texts: TextScreening;
  /** Open output streams, which may still hold output back. */
  readonly #open = new Set<GatedStream>();

  /**
   * @param approval requests reviews of inputs; undefined where none are needed.
   * @param calls requests reviews of calls; undefined where the session makes no calls.
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

  /** Name of the person whose session it is, for logs of the target: the e-mail address, or the subject. */
  get person(): string {
    return this.#guarded.owner?.person ?? '';
  }

  /** Aborts when the session is ended from outside or cannot be recorded (reason: `RecordingFailed`). */
  get ended(): AbortSignal {
    return this.#guarded.trail.ended;
  }

  /** The rules that were fetched for the last command. When the rules change, this is another object. */
  get rules(): object | undefined {
    return this.#guarded.rulesNow;
  }

  /** Whether one of the rules for the last command applies to input. True until the rules are fetched. */
  get judgesInput(): boolean {
    return this.#guarded.judgesInput;
  }

  /** Whether one of the rules for the last command applies to output. True until the rules are fetched. */
  get screensOutput(): boolean {
    return this.#guarded.screensOutput;
  }

  /** Whether a rule may match in these lines. If false, no rule matches; see `GuardrailSet.mayTouch`. */
  mayTouch(lines: Buffer): boolean {
    return this.#guarded.mayTouch(lines);
  }

  /** Fetches the current rules, for a text that comes without a command. */
  askForRules(): MaybePromise<void> {
    return this.#guarded.askForRules();
  }

  /**
   * Fetches the current rules, for output that keeps coming without commands: at most once a second while
   * they cannot be cached.
   */
  followRules(): MaybePromise<void> {
    return this.#guarded.followRules();
  }

  /**
   * Decides on one command while no other is running. Resolves when the command, and the reason for a
   * refusal, are durable. The session continues only on `forward`; on `refused` and `pending` the caller must
   * not use it any more. Never rejects.
   */
  async admit(command: Exclude<Command, CallCommand>): Promise<Admission> {
    // An input that could not be judged is recorded too.
    const refusal =
      this.approval?.denial ?? this.heldBack() ?? (await this.#guarded.judge(judgedOf(command)));
    try {
      this.record(command, refusal);
      await this.inputsDurable();
      if (refusal !== undefined) return await this.refused(refusal);
      const answer =
        command.kind === 'approved' ? undefined : await this.approval?.requestApproval(this.id, command);
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
   * Decides on a command while others are running; a refusal does not end the session. Synchronous unless
   * something must be awaited, because a client may send thousands of commands a second. An admitted command
   * must be sent through `toTarget`. A failure to judge is a refusal; a failure to record ends the session.
   */
  admitAhead(command: Exclude<Command, CallCommand>): MaybePromise<Admission> {
    const refusal = this.judgeAndRecord(command);
    return refusal instanceof Promise ? refusal.then((late) => late ?? FORWARD) : (refusal ?? FORWARD);
  }

  /**
   * Decides on one call while others are running. The call is judged and recorded like any command, then
   * reviewed if rules require it. The session continues in any case. When an approved call is repeated, it is
   * admitted exactly once. Never rejects.
   */
  async admitCall(command: CallCommand): Promise<CallAdmission> {
    const refusal = await this.judgeAndRecord(command);
    if (refusal !== undefined) return refusal;
    try {
      if (this.calls === undefined) throw new Error('this session makes no calls');
      // Reviewers must not see a call whose recording is not durable.
      await this.inputsDurable();
      const answer = await this.calls.requestAdmission(this.id, command.call, command.mustReview === true);
      // The session may have ended while the review was requested. Then the call must not run. If its
      // approval was already claimed, the outcome stays unknown and the approval cannot be used again.
      if (this.ended.aborted) throw new Error('the session ended before the call was made');
      if (answer.kind === 'refused') this.refuse(answer.message);
      return answer;
    } catch (error) {
      const fault = this.#guarded.fault(error);
      this.refuse(fault.message);
      return fault;
    }
  }

  /**
   * Resolves with true once people have decided on the review of a call, with
   * false when the signal or the session ends first.
   */
  callDecided(reviewId: string, signal: AbortSignal): Promise<boolean> {
    if (this.calls === undefined) return Promise.resolve(false);
    const first = new FirstAbort([signal, this.ended]);
    return this.calls.decided(reviewId, first.signal).finally(() => first.release());
  }

  /**
   * Records why the protocol itself refuses an input. Without `unread`, this input was admitted and recorded
   * before. `unread` is an input that rules cannot judge; it is recorded before the reason.
   */
  refuse(message: string, unread?: UnreadableInput): void {
    const reason = reasonOf(message);
    if (unread === undefined) this.#inputs.append(reason.type, reason.content);
    else this.#inputs.appendAll([inputOf(unread), reason]);
  }

  /** Resolves when everything admitted or refused so far is durable. @throws RecordingFailed */
  inputsDurable(): Promise<void> {
    return inSpan('gateway.record', {}, () => this.#inputs.durable());
  }

  /**
   * Opens a stream of output, such as a result or an error. It is screened by the rules of the last command.
   * @param isNoted whether the caller records what it delivers by `note`; default: the stream does
   * @param before what `giveUp` of a former stream has returned, which this stream continues
   */
  openStream(type: 'o' | 'e', isNoted = false, before = ''): GatedStream {
    const over = (stream: GatedStream): boolean => this.#open.delete(stream);
    const stream = new GatedStream(this.#guarded, this.#outputs, type, over, isNoted, before);
    this.#open.add(stream);
    return stream;
  }

  /** Screens texts outside streams, such as names or the fields of an error. A block is recorded. */
  screenTexts(texts: readonly string[]): MaybePromise<ScreenedTexts> {
    return this.#texts.screen(texts);
  }

  /**
   * Records screened output other than results. It is recorded before any later output is delivered. Large
   * events are recorded in time slices.
   */
  note(...events: readonly TrailEvent[]): MaybePromise<void> {
    if (events.every(({ content }) => content.length <= LARGE_TEXT)) {
      for (const event of events) this.#outputs.add(event);
      return undefined;
    }
    return inSlices(this.noting(events));
  }

  /**
   * Records screened output that is delivered as one message. Resolves when the recording is durable; the
   * message must not be delivered earlier.
   * @throws RecordingFailed
   */
  async recordOutput(...events: readonly TrailEvent[]): Promise<void> {
    await this.note(...events);
    await inSpan('gateway.record', {}, () => this.#outputs.durable());
  }

  /** Creates the writer through which all data to the target must be sent. */
  toTarget(...sink: Wiring): DurableWriter {
    return new DurableWriter(this.#inputs, ...sink);
  }

  /** Creates the writer through which all data to the client must be sent. */
  toClient(...sink: Wiring): DurableWriter {
    return new DurableWriter(this.#outputs, ...sink);
  }

  /** Refuses the commands that are being judged, because they would not be forwarded any more. Idempotent. */
  stopJudging(): void {
    this.#guarded.stopJudging();
  }

  /**
   * Ends the recording. First screens and records the output that streams still hold back, then records the
   * cause. Idempotent.
   */
  async end(exitCode: number, cause?: string): Promise<void> {
    this.stopJudging();
    for (const stream of this.#open) await stream.deliverRest();
    if (cause !== undefined) this.#outputs.append('e', `${cause}\n`);
    await this.#outputs.durable().catch(() => undefined);
    await this.endTrail(exitCode);
  }

  private judgeAndRecord(command: Command): MaybePromise<InputRefusal | undefined> {
    const refusal = this.#guarded.judge(judgedOf(command));
    return refusal instanceof Promise
      ? refusal.then((late) => this.recorded(command, late))
      : this.recorded(command, refusal);
  }

  private recorded(command: Command, refusal: InputRefusal | undefined): InputRefusal | undefined {
    this.record(command, refusal);
    return refusal;
  }

  private endTrail(exitCode = EXIT_BLOCKED): Promise<void> {
    return inSpan('gateway.record', {}, () => this.#guarded.trail.end(exitCode));
  }

  /**
   * Returns a refusal while a stream still holds output back. Otherwise a change of the rules could leave
   * this output neither delivered nor recorded.
   */
  private heldBack(): InputRefusal | undefined {
    if (this.#open.size === 0) return undefined;
    return this.#guarded.fault(new Error('the output of the previous command is not finished'));
  }

  private async refused(refusal: InputRefusal): Promise<InputRefusal> {
    await this.inputsDurable();
    await this.endTrail();
    return refusal;
  }

  private record(command: Command, refusal: InputRefusal | undefined): void {
    if (refusal !== undefined) this.#inputs.appendAll([...inputsOf(command), reasonOf(refusal.message)]);
    else if (command.kind === 'statement' || (command.kind === 'call' && command.isRecorded !== true))
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

type Wiring = [sink: Sink, on: ConstructorParameters<typeof DurableWriter>[2], tracker?: MessageTracker];

function inputOf({ content, kind }: UnreadableInput): TrailEvent {
  const what: InputKind | undefined = kind === 'values' ? 'parameters' : undefined;
  return { type: 'i', content, what };
}

/** The inputs of a refused command, in the form in which they are recorded. */
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
