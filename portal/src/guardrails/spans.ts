interface Span {
  readonly start: number;
  readonly said: string;
  readonly isHit: boolean;
}

/** Splits a text into hits and the text between them. Hits may overlap. Empty hits are ignored. */
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
