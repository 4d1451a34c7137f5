interface Span {
  readonly start: number;
  readonly said: string;
  readonly isHit: boolean;
}

/** A text in pieces: what was hit, and what lies between. Hits may overlap; an empty one marks nothing. */
export function spansOf(
  text: string,
  hits: readonly { readonly start: number; readonly end: number }[],
): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  const add = (until: number, isHit: boolean): void => {
    if (until <= at) return;
    spans.push({ start: at, said: text.slice(at, until), isHit });
    at = until;
  };
  for (const { start, end } of hits.toSorted((a, b) => a.start - b.start)) {
    add(Math.min(start, text.length), false);
    add(Math.min(end, text.length), true);
  }
  add(text.length, false);
  return spans;
}
