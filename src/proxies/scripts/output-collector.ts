import type { Delivery } from '../../gate/gated-stream';
import type { Mask } from '../../gate/ports/guardrails';
import type { OutputKind, ResultMark } from '../../targets/contract/script-runner';

/** Largest output in an answer; the recording has everything. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The most results in an answer. The output behind them is one more, of kind `text`. */
export const MAX_RESULTS = 1_000;

/** The output of one statement, or messages of the target. */
export interface CollectedResult {
  readonly kind: OutputKind;
  readonly output: string;
  readonly truncated: boolean;
}

interface Entry {
  kind: OutputKind;
  readonly parts: string[];
  truncated: boolean;
  /** Its statement has not ended. */
  isOpen: boolean;
}

type Delivered = Pick<Delivery & { readonly kind: 'deliver' }, 'text' | 'upTo' | 'masks'>;

/**
 * Collects delivered output for the answer, up to the limit: as one text, and by the results in it. Results
 * begin and end at places in the output of the target. Screens hold it back and masks change it, so these
 * places are searched in each delivery.
 */
export class OutputCollector {
  private readonly parts: string[] = [];
  private readonly entries: Entry[] = [];
  private bytes = 0;
  /** Marks of the results that were not delivered yet, in order. */
  private marks: ResultMark[] = [];
  /** Units of the target's output that were delivered, as the target sent them. */
  private delivered = 0;
  /** The result that takes output. Messages may have come after it, because screens hold output back. */
  private current: Entry | undefined;
  truncated = false;

  /** Notes where results begin and end, before their output is delivered. */
  note(marks: readonly ResultMark[]): void {
    if (!this.truncated) this.marks.push(...marks);
  }

  /** Adds output of the target. */
  addOutput({ text, upTo, masks }: Delivered): void {
    const from = this.delivered;
    // Without a screen, the text is the target's own.
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

  /** Adds messages of the target or the gateway. */
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
   * Places in a delivered text where results begin and end. Inside a mask, the place is behind its
   * replacement.
   */
  private *marksIn(
    from: number,
    masks: readonly Mask[],
  ): Generator<{ readonly place: number; readonly kind: ResultMark['kind']; readonly isInside: boolean }> {
    let moved = 0;
    let passed = 0;
    let used = 0;
    for (const { at, kind } of this.marks) {
      // A mask in the next output may change a result that begins there.
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
   * A mask reaches from one result into the next: nothing shows any more which
   * line has the names of which columns.
   */
  private join(): void {
    const entry = this.taking();
    entry.kind = 'text';
    entry.isOpen = true;
  }

  private get isFull(): boolean {
    return this.entries.length > MAX_RESULTS;
  }

  /** The result that takes output. */
  private taking(): Entry {
    this.current ??= this.entry('text', false);
    return this.current;
  }

  private addToCurrent(text: string): void {
    if (text !== '') this.add(text, this.taking());
  }

  /** A new result; the last one where there are enough. */
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
    // A U+FFFD at the end comes from a character that was cut, so it is left out.
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
