/** Position of an export, and the position up to which the outbox is complete. */
export interface Known {
  /** Position of the last event that was exported. */
  readonly after: number;
  /** Position up to which no transaction can add an event any more. */
  readonly settled: number;
}

/**
 * Returns the number of leading events that can be exported, because no other event can appear before them.
 * Events must be in the order of their positions, which come from a sequence. A missing position was rolled
 * back, or belongs to a transaction that is not committed yet. The events after a missing position must wait
 * until no transaction can fill it.
 */
export function settledPart(positions: readonly number[], { after, settled }: Known): number {
  let last = after;
  for (const [index, position] of positions.entries()) {
    if (position !== last + 1 && position > settled) return index;
    last = position;
  }
  return positions.length;
}
