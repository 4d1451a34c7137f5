import { isUtf8 } from 'node:buffer';
import type { Delivery, GatedStream } from '../../../gate/gated-stream';
import { MaskColumns } from '../../../gate/mask-columns';
import type { Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { renderRow } from '../../../kernel/text/tabular-text';
import { inSlices } from '../../../kernel/async/time-slice';
import { type UnreadableCell, ofUnknownType } from '../binary/cell-text';
import { UnknownType } from '../binary/print-value';
import type { SessionTypes } from '../binary/type-catalog';
import { HeldMessages, type RunShape } from './held-messages';
import { LARGE_ROW, LargeRow } from './large-row';
import { MASKED_DUMP, type Refused, maskedWarning, unreadable } from '../pipeline/refusals';
import type { Message } from '../wire/client-messages';
import { noticeResponse } from '../wire/error-fields';
import { HEAD_BYTES } from '../wire/message';
import { PLAIN, type RowShape, RowText } from '../pipeline/row-text';
import { commandTag } from '../wire/server-messages';
import type { Spans } from '../wire/spans';
import { COMMAND_COMPLETE } from '../wire/types';

const NOTHING: Buffer = Buffer.alloc(0);
const LINE_FEED = 0x0a;
/** Maximum total size in bytes of the server's reports that wait behind rows. */
const WAITING_REPORTS = 1024 * 1024;

const UNREADABLE: Refused = {
  // SQLSTATE character_not_in_repertoire
  code: '22021',
  message: 'The result holds bytes that are not valid UTF8, so the rules for output cannot be applied to it.',
};

/**
 * Screens and records the rows of results as text, one result after another. Delivers each row, unchanged or
 * masked, once its text is released and recorded.
 */
export class ResultScreen {
  private stream: GatedStream | undefined;
  private readonly text = new RowText();
  private gathered: HeldMessages[] = [];
  private held: HeldMessages[] = [];
  private masks = new MaskColumns();
  /** Total size in bytes of the server's reports that wait behind rows. */
  private reportBytes = 0;
  /** Length of the result's text so far, in UTF-16 code units. */
  private units = 0;
  /** Whether the text so far ended with a line feed. */
  private isAtLineStart = true;
  isOpen = false;
  /** Whether the result has text. Otherwise only its command tag is recorded. */
  hasText = false;

  /** Number of masked matches in the result so far. */
  maskCount = 0;

  constructor(
    private readonly session: Session,
    private readonly out: Spans,
    private readonly types: Pick<SessionTypes, 'learn'>,
    /** Whether a masked result is refused, because the client would use it as a true copy of the data. */
    private readonly refusesMasks = false,
  ) {}

  /** Whether an output rule applies to the result. */
  get isScreened(): boolean {
    return this.stream?.isScreened === true;
  }

  /** Begins a result. @param described the RowDescription, if the client has not received it yet. */
  begin(names: readonly string[] | undefined, described?: Message): void {
    this.isOpen = true;
    this.hasText = false;
    this.maskCount = 0;
    this.units = 0;
    // Drop the masks of the previous result, because positions start at 0 again.
    if (!this.masks.isEmpty) this.masks = new MaskColumns();
    this.isAtLineStart = true;
    this.stream = this.session.openStream('o');
    if (names === undefined) return;
    this.text.addText(renderRow(names));
    const { bytes, start, end } = described ?? { bytes: NOTHING, start: 0, end: 0 };
    this.gather(bytes, start, end, 'names');
  }

  /**
   * Adds a row. Screens it at once if it is large, and returns the reason if it must not be delivered.
   * @throws (or rejects) see `cellText`
   */
  row(bytes: Buffer, start: number, end: number, shape: RowShape): MaybePromise<Refused | undefined> {
    if (end - start > LARGE_ROW) return this.large(bytes, start, end, shape);
    this.text.addRow(bytes, start, end, shape);
    this.gather(bytes, start, end, shape);
    return undefined;
  }

  /** Adds COPY data in text form, or data to which no rule applies. */
  copyData(bytes: Buffer, start: number, end: number): MaybePromise<Refused | undefined> {
    if (end - start > LARGE_ROW) return this.large(bytes, start, end, 'text');
    this.text.addBytes(bytes, start + HEAD_BYTES, end);
    this.gather(bytes, start, end, 'text');
    return undefined;
  }

  /** Screens a large row alone, after all earlier rows. Does not block the event loop. */
  private async large(...place: Parameters<typeof LargeRow.of>): Promise<Refused | undefined> {
    const refused = await this.screenRows();
    if (refused !== undefined) return refused;
    // Messages that arrive in the meantime wait behind this row.
    const row = await inSlices(LargeRow.of(...place));
    const { stream } = this;
    if (stream === undefined) return undefined;
    if (stream.isScreened && !row.isUtf8) return this.refuse(UNREADABLE);
    const delivery = await stream.pushLarge(row);
    if (delivery.kind === 'blocked') return this.blocked(delivery.message);
    if (delivery.masks !== undefined) {
      if (this.refusesMasks && !delivery.masks.isEmpty) return this.refuse(MASKED_DUMP);
      this.masks.addAll(delivery.masks);
      this.maskCount += delivery.masks.count;
    }
    this.holdRow(row, delivery.units);
    return this.letGo(delivery.upTo);
  }

  private holdRow({ bytes, start, end, shape, endsLine }: LargeRow, units: number): void {
    const run = new HeldMessages(bytes, start, shape);
    run.add(end, units);
    run.placeAt(this.units, this.units + units);
    this.units = run.textEnd;
    this.held.push(run);
    this.hasText = true;
    this.isAtLineStart = endsLine;
  }

  /** Queues a message behind waiting rows. Returns false, and queues nothing, if no rows wait. */
  takes(bytes: Buffer, start: number, end: number, shape?: 'report'): boolean {
    if (!this.isHolding) return false;
    this.gather(bytes, start, end, shape);
    return true;
  }

  /**
   * Delivers a report, which is a message that the server may send at any time. A report waits behind rows
   * that are still held. If too many reports wait, all of them are delivered before these rows, because a
   * server that sends only reports, such as the notices of a loop, never releases the rows.
   */
  report(message: Buffer): void {
    if (!this.isOpen || !this.takes(message, 0, message.length, 'report')) return this.out.insert(message);
    this.reportBytes += message.length;
    if (this.reportBytes <= WAITING_REPORTS) return;
    const goesAhead = ({ report }: HeldMessages): boolean => {
      if (report !== undefined) this.out.insert(report);
      return report === undefined;
    };
    this.held = this.held.filter(goesAhead);
    this.gathered = this.gathered.filter(goesAhead);
    this.reportBytes = 0;
  }

  /** Whether rows wait to be screened or released. */
  get isHolding(): boolean {
    return this.gathered.length > 0 || this.held.length > 0;
  }

  /** Screens the gathered rows. Returns the reason if they must not be delivered. */
  screenRows(): MaybePromise<Refused | undefined> {
    if (this.gathered.length === 0) return undefined;
    const { stream } = this;
    if (stream === undefined) return undefined;
    const bytes = this.text.view();
    if (stream.isScreened && !isUtf8(bytes)) return this.refuse(UNREADABLE);
    const areLines = this.isAtLineStart && bytes.at(-1) === LINE_FEED;
    this.place(bytes);
    if (bytes.length === 0) return stream.isScreened ? undefined : this.letGo(Number.POSITIVE_INFINITY);
    const delivery = stream.pushBytes(bytes, areLines);
    if (delivery instanceof Promise) {
      // The stream still uses the buffer, and a notice may be added meanwhile, so continue in a new buffer.
      this.text.handOver();
      return delivery.then((late) => this.release(late));
    }
    const refused = this.release(delivery);
    this.text.clear();
    return refused;
  }

  /**
   * Ends the result. Returns the reason if the rest must not be delivered.
   * @param message the server's message that ends the result
   */
  finish(message?: Message): MaybePromise<Refused | undefined> {
    const finished = thenMaybe(this.screenRows(), (refused) => this.finishStream(refused));
    return thenMaybe(finished, (refused) => refused ?? this.warnOfMasks(message));
  }

  private warnOfMasks(message: Message | undefined): undefined {
    if (message === undefined || message.bytes[message.start] !== COMMAND_COMPLETE) return;
    const warning = maskedWarning(commandTag(message), this.maskCount);
    if (warning === undefined) return;
    void this.session.note({ type: 'e', content: `WARNING: ${warning.message}\n` });
    this.out.insert(noticeResponse(warning));
  }

  private finishStream(refused: Refused | undefined): MaybePromise<Refused | undefined> {
    const { stream } = this;
    this.isOpen = false;
    if (refused !== undefined || stream === undefined) return refused;
    // Rows that are held at the end are released only when the stream has finished.
    const delivery = stream.finish();
    return delivery instanceof Promise
      ? delivery.then((late) => this.streamFinished(late))
      : this.streamFinished(delivery);
  }

  private streamFinished(delivery: Delivery): MaybePromise<Refused | undefined> {
    this.stream = undefined;
    return this.release(delivery);
  }

  private gather(bytes: Buffer, start: number, end: number, shape: RunShape | undefined): void {
    let run = this.gathered.at(-1);
    if (run === undefined || !run.goesOn(bytes, start, shape)) {
      run = new HeldMessages(bytes, start, shape ?? PLAIN);
      this.gathered.push(run);
    }
    run.add(end, this.text.length);
  }

  private place(text: Buffer): void {
    if (text.length > 0) {
      this.hasText = true;
      this.isAtLineStart = text.at(-1) === LINE_FEED;
    }
    let at = 0;
    for (const run of this.gathered) {
      at = run.place(text, at, this.units);
      this.units = run.textEnd;
      this.held.push(run);
    }
    this.gathered = [];
  }

  private release(delivery: Delivery<Buffer | string>): MaybePromise<Refused | undefined> {
    if (delivery.kind === 'blocked') return this.blocked(delivery.message);
    if (this.refusesMasks && delivery.masks.length > 0) return this.refuse(MASKED_DUMP);
    this.masks.add(delivery.masks);
    this.maskCount += delivery.masks.length;
    return this.letGo(delivery.upTo);
  }

  private blocked(message: string): Refused {
    return this.stop({ code: '42501', message });
  }

  private letGo(upTo: number): MaybePromise<Refused | undefined> {
    for (let run = this.held[0]; run !== undefined; run = this.held[0]) {
      const unchanged = this.releaseOf(run, upTo);
      if (unchanged instanceof Promise)
        return unchanged.then((late) => (late === undefined ? this.letGo(upTo) : this.refuseCell(late)));
      if (unchanged !== undefined) return this.refuseCell(unchanged);
      if (!run.isEmpty) break;
      this.held.shift();
      this.reportBytes -= run.report?.length ?? 0;
    }
    // Keep the masks of a held row, which may begin before `upTo`.
    if (!this.masks.isEmpty) this.masks.forgetUpTo(this.held[0]?.textStart ?? upTo);
    return undefined;
  }

  private releaseOf(run: HeldMessages, upTo: number): MaybePromise<UnreadableCell | undefined> {
    try {
      const unchanged = run.release(upTo, this.masks, this.out);
      if (!(unchanged instanceof Promise)) return unchanged;
      return unchanged.catch((error: unknown) => this.learnFor(run, upTo, error));
    } catch (error) {
      return this.learnFor(run, upTo, error);
    }
  }

  /** Learns a type that masking needs, then tries again to release the run. */
  private async learnFor(
    run: HeldMessages,
    upTo: number,
    error: unknown,
  ): Promise<UnreadableCell | undefined> {
    if (!(error instanceof UnknownType)) throw error;
    const learned = await this.types.learn(error.oid);
    if (learned === 'known') return this.releaseOf(run, upTo);
    return ofUnknownType(error.oid, learned, run.columns, 'any');
  }

  /** Refuses the rest of the result, because a cell cannot be screened or masked. */
  refuseCell(cell: UnreadableCell): Refused {
    const { column, type } = cell;
    const names = [column?.name ?? '', type ?? ''];
    // A column name may contain data, so it is shown only if no output rule can match it.
    const isTelling = this.session.mayTouch(Buffer.from(renderRow(names)));
    return this.refuse(unreadable(cell, isTelling ? undefined : column?.name, isTelling ? undefined : type));
  }

  /** Refuses the rest of the result. */
  refuse(refused: Refused): Refused {
    if (this.stream === undefined) void this.session.note({ type: 'e', content: `${refused.message}\n` });
    else this.stream.refuse(refused.message);
    return this.stop(refused);
  }

  private stop(refused: Refused): Refused {
    for (const run of this.held) run.drop();
    this.held = [];
    this.gathered = [];
    this.reportBytes = 0;
    this.text.clear();
    this.stream = undefined;
    this.isOpen = false;
    return refused;
  }
}
