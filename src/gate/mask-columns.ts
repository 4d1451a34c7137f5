import type { Mask } from './ports/guardrails';

/** Masks that were added in one call of `add`, stored as numbers. */
interface Block {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly bytes: Uint32Array;
  /** The concatenated replacements. `replacementEnds` has the end of each. */
  readonly replacements: string;
  readonly replacementEnds: Uint32Array;
  /** The distinct pairs of rule and label. `kindOf` has the index of each mask's pair. */
  readonly kinds: readonly Pick<Mask, 'ruleId' | 'label'>[];
  readonly kindOf: Uint16Array;
}

/**
 * The masks of a stream, in order and without overlaps. They are stored as numbers, because a single cell may
 * have a million masks: as long-lived objects they would keep the garbage collector busy for seconds.
 */
export class MaskColumns {
  private blocks: Block[] = [];

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  /** Number of masks. */
  get count(): number {
    return this.blocks.reduce((sum, { starts }) => sum + starts.length, 0);
  }

  /** Appends masks, which must come after all earlier masks. */
  add(masks: readonly Mask[]): void {
    if (masks.length > 0) this.blocks.push(blockOf(masks));
  }

  addAll(others: MaskColumns): void {
    for (const block of others.blocks) this.blocks.push(block);
  }

  /** Returns the masks that overlap the range from `from` (inclusive) to `to` (exclusive). */
  between(from: number, to: number): Mask[] {
    const found: Mask[] = [];
    let index = firstAfter(this.blocks.length, (at) => lastEnd(this.blocks[at] as Block), from);
    for (; index < this.blocks.length; index += 1) {
      const block = this.blocks[index] as Block;
      const { starts, ends } = block;
      if ((starts[0] as number) >= to) break;
      let at = firstAfter(ends.length, (place) => ends[place] as number, from);
      for (; at < starts.length && (starts[at] as number) < to; at += 1) found.push(maskAt(block, at));
    }
    return found;
  }

  /** Returns the start of the first mask that ends after `place`; Infinity when there is none. */
  nextStart(place: number): number {
    const index = firstAfter(this.blocks.length, (at) => lastEnd(this.blocks[at] as Block), place);
    const block = this.blocks[index];
    if (block === undefined) return Infinity;
    const { starts, ends } = block;
    return starts[firstAfter(ends.length, (at) => ends[at] as number, place)] as number;
  }

  /** Drops the masks that end at `place` or before. */
  forgetUpTo(place: number): void {
    const first = firstAfter(this.blocks.length, (at) => lastEnd(this.blocks[at] as Block), place);
    if (first > 0) this.blocks = this.blocks.slice(first);
  }
}

function blockOf(masks: readonly Mask[]): Block {
  const { length } = masks;
  const block = {
    starts: new Float64Array(length),
    ends: new Float64Array(length),
    bytes: new Uint32Array(length),
    replacementEnds: new Uint32Array(length),
    kindOf: new Uint16Array(length),
  };
  const kinds: Pick<Mask, 'ruleId' | 'label'>[] = [];
  let written = 0;
  for (const [at, { start, end, replacement, ruleId, label, bytes }] of masks.entries()) {
    block.starts[at] = start;
    block.ends[at] = end;
    block.bytes[at] = bytes;
    written += replacement.length;
    block.replacementEnds[at] = written;
    let kind = kinds.findIndex((one) => one.ruleId === ruleId && one.label === label);
    if (kind === -1) kind = kinds.push({ ruleId, label }) - 1;
    block.kindOf[at] = kind;
  }
  return { ...block, kinds, replacements: masks.map(({ replacement }) => replacement).join('') };
}

function maskAt(block: Block, at: number): Mask {
  const { ruleId, label } = block.kinds[block.kindOf[at] as number] as Block['kinds'][number];
  return {
    start: block.starts[at] as number,
    end: block.ends[at] as number,
    replacement: block.replacements.slice(block.replacementEnds[at - 1] ?? 0, block.replacementEnds[at]),
    ruleId,
    label,
    bytes: block.bytes[at] as number,
  };
}

function lastEnd({ ends }: Block): number {
  return ends[ends.length - 1] as number;
}

/** Returns the first index below `count` with a greater value, or `count` if none. Values must ascend. */
function firstAfter(count: number, valueAt: (index: number) => number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
