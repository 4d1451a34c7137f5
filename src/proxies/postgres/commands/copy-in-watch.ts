import { isAscii, isUtf8 } from 'node:buffer';
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Session } from '../../../gate/session';
import type { JudgedText } from '../../../gate/command';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { SessionPrinting } from '../binary/session-printing';
import { BinaryCopyText } from './binary-copy-text';
import type { PipelineState } from '../pipeline/pipeline-state';
import {
  BINARY_COPY_IN,
  ENCODING_IN_DOUBT,
  MALFORMED_COPY,
  NOT_UTF8,
  type Refused,
  refusedBy,
} from '../pipeline/refusals';
import { MalformedCopy } from '../wire/binary-copy';
import type { Message } from '../wire/client-messages';
import { copyUnescaped } from '../wire/copy-text';
import { incompleteTail, textOf } from '../../../kernel/text/utf8';
import { HEAD_BYTES } from '../wire/message';

/**
 * Length of the earlier data that are judged again with each message, so that a match across two messages is
 * found. In UTF-16 code units.
 */
const LOOK_BACK = 4_096;
/** Bytes of data that are judged in one turn of the event loop. */
const AT_ONCE = 256 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Judges and records COPY data of the client. Judges the values in the data, even if they continue in the
 * next message. Handles many messages together, because a message is often a single row.
 */
export class CopyInWatch {
  private before = '';
  /** The first bytes of a character that the next message completes. */
  private begun: Buffer = NOTHING;
  private gathered: Message[] = [];
  /** Whether the COPY was refused. The rest of its data is then dropped. */
  isRefused = false;

  /** Splits data in binary form into tuples and prints the values; undefined for data in text form. */
  private tuples: BinaryCopyText | undefined;

  constructor(
    private readonly session: Session,
    private readonly pipelineState: PipelineState,
    private readonly printing: SessionPrinting,
  ) {}

  /** Whether the data must be judged or recorded. */
  get isWatching(): boolean {
    return this.isRefused || this.session.judgesInput || this.session.target.recording.results;
  }

  get hasGathered(): boolean {
    return this.gathered.length > 0;
  }

  gather(message: Message): void {
    if (!this.isRefused) this.gathered.push(message);
  }

  /** Removes and returns the gathered messages, so that they can be forwarded if they are admitted. */
  takeMessages(): Message[] {
    return this.gathered.splice(0);
  }

  /**
   * Returns the reason if the data must not be forwarded. Earlier parts of the COPY may already be forwarded,
   * which does no harm, because the server undoes a failed COPY completely.
   */
  admit(messages: readonly Message[]): MaybePromise<Refused | undefined> {
    // Wait for the server's answer, which decides whether the data are text or binary.
    if (this.session.judgesInput && !this.pipelineState.isCopyInKnown)
      return this.pipelineState.copyInKnown().then(() => this.admitKnown(messages));
    return this.admitKnown(messages);
  }

  private admitKnown(messages: readonly Message[]): MaybePromise<Refused | undefined> {
    const data = messages.map(({ bytes, start, end }) => bytes.subarray(start + HEAD_BYTES, end));
    if (this.session.judgesInput && this.pipelineState.copyInForm === 'binary')
      return this.admitTuples(messages, Buffer.concat(data));
    const size = data.reduce((sum, { length }) => sum + length, 0);
    return size <= AT_ONCE ? this.admitData(Buffer.concat(data)) : this.admitInSlices(data);
  }

  /**
   * Records each slice of the data before it judges the next one, so that at most one slice waits in memory.
   */
  private async admitInSlices(data: readonly Buffer[]): Promise<Refused | undefined> {
    for (const slice of slicesOf(data)) {
      await this.session.inputsDurable();
      await othersTurn();
      const refused = await this.admitData(slice);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  private admitData(recorded: Buffer): MaybePromise<Refused | undefined> {
    const data = this.begun.length === 0 ? recorded : Buffer.concat([this.begun, recorded]);
    const whole = data.length - incompleteTail(data);
    this.begun = Buffer.from(data.subarray(whole));
    const readable = data.subarray(0, whole);
    const unreadable = this.whyUnreadable(readable);
    if (unreadable !== undefined) return this.refuse(unreadable, recorded);
    return this.judge(textOf(readable), recorded);
  }

  /** Judges binary data by its decoded values. */
  private async admitTuples(messages: readonly Message[], recorded: Buffer): Promise<Refused | undefined> {
    const columns = this.pipelineState.copyInColumns;
    if (columns === undefined) return this.refuse(BINARY_COPY_IN, recorded);
    this.tuples ??= await BinaryCopyText.of(columns, this.printing);
    try {
      return await this.judge(this.tuples.textOf(messages), recorded);
    } catch (error) {
      if (!(error instanceof MalformedCopy)) throw error;
      return this.refuse(MALFORMED_COPY, recorded);
    }
  }

  private refuse(refused: Refused, recorded: Buffer): Refused {
    this.session.refuse(refused.message, { content: recorded, kind: 'values' });
    return refused;
  }

  private judge(data: string, recorded: Buffer): MaybePromise<Refused | undefined> {
    const text = this.before + data;
    this.before = text.slice(-LOOK_BACK);
    const command = { kind: 'values', judged: formsOf(text), recorded } as const;
    return thenMaybe(this.session.admitAhead(command), (admission) =>
      admission.kind === 'refused' ? refusedBy(admission) : undefined,
    );
  }

  /** Resets the state when another command begins or the COPY has ended. */
  over(): void {
    this.before = '';
    this.begun = NOTHING;
    this.tuples = undefined;
    this.isRefused = false;
  }

  /**
   * Returns the reason to refuse data that may not be UTF-8, because the ENCODING option of a COPY can set
   * another encoding.
   */
  private whyUnreadable(data: Buffer): Refused | undefined {
    if (isAscii(data) || !this.session.judgesInput || this.pipelineState.copyInForm === undefined)
      return undefined;
    if (!isUtf8(data)) return NOT_UTF8;
    return this.pipelineState.isRisky ? ENCODING_IN_DOUBT : undefined;
  }
}

/**
 * Returns the data as sent, and as COPY reads them: without backslash escapes (text), without quotes (CSV).
 */
function formsOf(text: string): JudgedText[] {
  const forms = [text];
  if (text.includes('\\')) forms.push(copyUnescaped(text));
  if (text.includes('"')) forms.push(text.replaceAll('"', ''));
  return forms.map((form) => ({ text: form, as: 'value' }));
}

/** Cuts the data into slices of `AT_ONCE` bytes. The last slice may be shorter. */
function* slicesOf(data: readonly Buffer[]): Generator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  for (const bytes of data) {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + AT_ONCE - size);
      gathered.push(piece);
      size += piece.length;
      at += piece.length;
      if (size < AT_ONCE) continue;
      yield Buffer.concat(gathered);
      gathered = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(gathered);
}
