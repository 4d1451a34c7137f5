import type { Delivery } from '../../gate/gated-stream';
import type { Mask } from '../../gate/ports/guardrails';
import type { OutputKind, ResultMark } from '../../targets/contract/script-runner';

/** Maximum size of the output in an answer. The recording contains all output. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Maximum number of results in an answer. All later output becomes one more result of kind `text`. */
export const MAX_RESULTS = 1_000;

/** The output of one statement, or messages from the target. */
export interface CollectedResult {
  readonly kind: OutputKind;
  readonly output: string;
  readonly truncated: boolean;
}

interface Entry {
  kind: OutputKind;
  readonly parts: string[];
  truncated: boolean;
  /** Whether its statement has not ended yet. */
  isOpen: boolean;
}

type Delivered = Pick<Delivery & { readonly kind: 'deliver' }, 'text' | 'upTo' | 'masks'>;

/**
 * Collects delivered output for the answer, up to the limit: as one text, and split into results. The target
 * marks in its own output where results begin and end. Screens delay and mask this output, so the marks are
 * mapped to places in each delivery.
 */
export class OutputCollector {
  private readonly parts: string[] = [];
  private readonly entries: Entry[] = [];
  private bytes = 0;
  /** Marks of where results begin and end, in order, whose output was not delivered yet. */
  private marks: ResultMark[] = [];
  /** Length of the output delivered so far, before masking, in UTF-16 code units. */
  private delivered = 0;
  /** The result that gets the next output. Messages may follow it, because screens delay its output. */
  private current: Entry | undefined;
  truncated = false;

  /**
   * Stores the marks of where results begin and end. Called before the output at these marks is delivered.
   */
  note(marks: readonly ResultMark[]): void {
    if (!this.truncated) this.marks.push(...marks);
  }

  /** Adds output of the target. */
  addOutput({ text, upTo, masks }: Delivered): void {
    const from = this.delivered;
    // Without screening, `upTo` is infinite and the text is the target's original output.
    this.delivered = Number.isFinite(upTo) ? upTo : from + text.length;
    let done = 0;
    for (const { place, kind, isInside } of this.marksIn(from, masks)) {
      this.addToCurrent(text.slice(done, place));
      done = place;
      if (kind === 'end') this.taking().isOpen = false;
      else if (isInside) this.join();
      else this.current = this.entry(kind, true);
    }
    this.addToCurrent(text.slice(done));
  }

  /** Adds messages from the target or the gateway. */
  addMessage(text: string): void {
    if (text === '') return;
    const last = this.entries.at(-1);
    const isRest = this.isFull || last?.kind === 'message';
    this.add(text, isRest && last !== undefined ? last : this.entry('message', false));
  }

  get text(): string {
    return this.parts.join('');
  }

  get results(): CollectedResult[] {
    return this.entries.map(({ kind, parts, truncated, isOpen }) => ({
      kind,
      output: parts.join(''),
      truncated: truncated || isOpen,
    }));
  }

  /**
   * Yields the places in a delivered text where results begin and end. A place inside a mask moves to the end
   * of the mask's replacement.
   */
  private *marksIn(
    from: number,
    masks: readonly Mask[],
  ): Generator<{ readonly place: number; readonly kind: ResultMark['kind']; readonly isInside: boolean }> {
    let moved = 0;
    let passed = 0;
    let used = 0;
    for (const { at, kind } of this.marks) {
      // A result that begins exactly at the end of this text waits for the next delivery, whose masks may
      // change where it begins.
      if (kind === 'end' ? at > this.delivered : at >= this.delivered) break;
      used += 1;
      for (let mask = masks[passed]; mask !== undefined && mask.end <= at; mask = masks[passed]) {
        moved += mask.replacement.length - (mask.end - mask.start);
        passed += 1;
      }
      const mask = masks[passed];
      const isInside = mask !== undefined && mask.start < at;
      const place = isInside ? mask.start + mask.replacement.length : at;
      yield { place: place - from + moved, kind, isInside };
    }
    if (used > 0) this.marks = this.marks.slice(used);
  }

  /**
   * Joins two results into one of kind `text`, because a mask covers the end of one and the beginning of the
   * other. The columns of each line are then unknown.
   */
  private join(): void {
    const entry = this.taking();
    entry.kind = 'text';
    entry.isOpen = true;
  }

  private get isFull(): boolean {
    return this.entries.length > MAX_RESULTS;
  }

  /** Returns the result that gets the next output. */
  private taking(): Entry {
    this.current ??= this.entry('text', false);
    return this.current;
  }

  private addToCurrent(text: string): void {
    if (text !== '') this.add(text, this.taking());
  }

  /** Begins a result. Returns the last result if the maximum number is reached. */
  private entry(kind: OutputKind, isOpen: boolean): Entry {
    const last = this.entries.at(-1);
    if (this.isFull && last !== undefined) return last;
    const isRest = this.entries.length === MAX_RESULTS;
    const entry: Entry = {
      kind: isRest ? 'text' : kind,
      parts: [],
      truncated: false,
      isOpen: isOpen && !isRest,
    };
    if (!this.truncated) this.entries.push(entry);
    return entry;
  }

  private add(text: string, entry: Entry): void {
    const size = Buffer.byteLength(text);
    if (this.bytes + size <= MAX_OUTPUT_BYTES) {
      this.parts.push(text);
      entry.parts.push(text);
      this.bytes += size;
      return;
    }
    // Remove a U+FFFD at the end, because it comes from a character that was cut.
    const fits = Buffer.from(text)
      .subarray(0, MAX_OUTPUT_BYTES - this.bytes)
      .toString()
      .replace(/\uFFFD$/, '');
    if (!this.truncated) {
      this.parts.push(fits);
      entry.parts.push(fits);
      entry.truncated = true;
    }
    this.bytes = MAX_OUTPUT_BYTES;
    this.truncated = true;
    this.marks = [];
  }
}
