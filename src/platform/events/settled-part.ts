/** The end of an export so far, and up to where all events are known to be there. */
export interface Known {
  /** Position of the last event that was exported. */
  readonly after: number;
  /** No transaction can add an event at this position or before it any more. */
  readonly settled: number;
}

/**
 * Returns the number of these events, in the order of their positions, before which no other event can still
 * appear. Positions come from a sequence, so one that is missing was rolled back, or belongs to a transaction
 * that has not been committed yet: the events behind it must wait, until that is known.
 */
export function settledPart(positions: readonly number[], { after, settled }: Known): number {
  let last = after;
  for (const [index, position] of positions.entries()) {
    if (position !== last + 1 && position > settled) return index;
    last = position;
  }
  return positions.length;
}
