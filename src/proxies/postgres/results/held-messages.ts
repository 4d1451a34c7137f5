import { isAscii } from 'node:buffer';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { atOnce, inSlices } from '../../../kernel/async/time-slice';
import { UnreadableCell } from '../binary/cell-text';
import type { MaskColumns } from '../../../gate/mask-columns';
import { masking } from './masked-row';
import type { Column } from '../wire/columns';
import type { RowShape } from '../pipeline/row-text';
import type { Spans } from '../wire/spans';

/**
 * Content of a run (see `HeldMessages`): rows, a RowDescription, COPY data in text form, or one report, which
 * is a message that the server may send at any time.
 */
export type RunShape = RowShape | 'names' | 'text' | 'report';

const NONE: number[] = [];
/** Maximum size in bytes of a message that is masked at once. Larger messages are masked in steps. */
const MASKED_AT_ONCE = 16 * 1024;

/**
 * A run of consecutive result messages in one buffer, held until the gate releases their text. Positions are
 * stored as plain numbers, because a result may have millions of rows. Positions in the stream (the text of
 * the result that the gate screens) are in UTF-16 code units.
 */
export class HeldMessages {
  /**
   * End offsets of the messages in `bytes`, and of their texts. Before `place` is called, text offsets count
   * bytes of the gathered text; afterwards they are positions in the stream.
   */
  private ends: number[] = NONE;
  private textEnds: number[] = NONE;
  private next = 0;
  private at: number;
  private textAt = 0;
  private isDropped = false;

  constructor(
    private readonly bytes: Buffer,
    start: number,
    private readonly shape: RunShape,
  ) {
    this.at = start;
  }

  /** Whether a message that begins at `start` continues this run. */
  goesOn(bytes: Buffer, start: number, shape: RunShape | undefined): boolean {
    if (bytes !== this.bytes || (shape !== undefined && shape !== this.shape)) return false;
    return start === (this.ends.at(-1) ?? this.at);
  }

  add(end: number, textEnd: number): void {
    if (this.ends === NONE) {
      // Start with one element, because most results are short and `push` would reserve memory for many.
      this.ends = [end];
      this.textEnds = [textEnd];
      return;
    }
    this.ends.push(end);
    this.textEnds.push(textEnd);
  }

  /** Sets the positions of the messages in the stream. @returns where the run's text ends in `text`. */
  place(text: Buffer, start: number, from: number): number {
    this.textAt = from;
    const { textEnds } = this;
    const last = textEnds.at(-1) ?? start;
    if (isAscii(text.subarray(start, last))) {
      const shift = from - start;
      if (shift !== 0) for (let index = 0; index < textEnds.length; index += 1) textEnds[index]! += shift;
      return last;
    }
    let at = start;
    let unit = from;
    for (const [index, end] of textEnds.entries()) {
      unit += text.toString('utf8', at, end).length;
      textEnds[index] = unit;
      at = end;
    }
    return last;
  }

  /** Sets the position in the stream for a run of a single message. */
  placeAt(from: number, textEnd: number): void {
    this.textAt = from;
    this.textEnds[0] = textEnd;
  }

  /** The report, if the run is one. */
  get report(): Buffer | undefined {
    return this.shape === 'report' ? this.bytes : undefined;
  }

  /** Columns of the run's rows; undefined if they were never described. */
  get columns(): readonly Column[] | undefined {
    return typeof this.shape === 'string' ? undefined : this.shape.columns;
  }

  /** Position in the stream where the text that is still held begins. */
  get textStart(): number {
    return this.textAt;
  }

  /** Position in the stream where the run's text ends. */
  get textEnd(): number {
    return this.textEnds.at(-1) ?? this.textAt;
  }

  /**
   * Releases the messages whose text ends at or before `upTo`. A large row is masked in steps, so the result
   * is then a promise.
   * @returns the first value that must be masked but cannot be, if any
   * @throws (or rejects with) UnknownType, before it releases the message
   */
  release(upTo: number, masks: MaskColumns, out: Spans): MaybePromise<UnreadableCell | undefined> {
    const count = this.countUpTo(upTo);
    while (this.next < count) {
      const untouched = Math.min(count, this.countUpTo(masks.nextStart(this.textAt)));
      if (untouched > this.next) {
        this.move(untouched, out);
        continue;
      }
      const unchanged = this.change(masks, out);
      if (unchanged instanceof Promise)
        return unchanged.then((late) => late ?? this.release(upTo, masks, out));
      if (unchanged !== undefined) return unchanged;
    }
    return undefined;
  }

  /** Drops all messages, including one that is being masked. */
  drop(): void {
    this.next = this.ends.length;
    this.isDropped = true;
  }

  /** Masks the next message, which contains the start or a part of the first mask. */
  private change(masks: MaskColumns, out: Spans): MaybePromise<UnreadableCell | undefined> {
    const { bytes, shape, at: start, textAt: from } = this;
    const end = this.ends[this.next] as number;
    // There is nothing to mask in a message without text, or in column names that the client already has.
    if (from === this.textEnds[this.next] || end === start || shape === 'report') {
      this.move(this.next + 1, out);
      return undefined;
    }
    const steps = masking({ bytes, start, end, from, shape }, masks);
    if (end - start > MASKED_AT_ONCE) return inSlices(steps).then((changed) => this.put(changed, out));
    const changed = atOnce(steps);
    return this.put(changed instanceof UnreadableCell ? changed : [Buffer.concat(changed)], out);
  }

  private put(changed: readonly Buffer[] | UnreadableCell, out: Spans): UnreadableCell | undefined {
    if (this.isDropped) return undefined;
    if (changed instanceof UnreadableCell) return changed;
    for (const part of changed) out.insert(part);
    this.skip(this.next + 1);
    return undefined;
  }

  get isEmpty(): boolean {
    return this.next === this.ends.length;
  }

  private move(count: number, out: Spans): void {
    const start = this.at;
    this.skip(count);
    if (this.at > start) out.add(this.bytes, start, this.at);
  }

  private skip(count: number): void {
    this.at = this.ends[count - 1] as number;
    this.textAt = this.textEnds[count - 1] as number;
    this.next = count;
  }

  private countUpTo(upTo: number): number {
    if (this.textEnd <= upTo) return this.ends.length;
    let low = this.next;
    let high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.textEnds[middle] as number) <= upTo) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
