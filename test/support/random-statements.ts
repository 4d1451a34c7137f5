/** A seeded pseudo-random generator, so that a failure can be repeated. Source: mulberry32. */
export function chances(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const PIECES = [
  'größe',
  '日本',
  '😀',
  'e\u0301',
  '\u200b',
  '\t',
  '\n',
  '\r\n',
  ' ',
  "''",
  '"',
  '\\',
  '\\\\',
  '$',
  '%',
  ';',
  '--',
  '/*',
  '*/',
  '$$',
  '\u00a0',
  'ﬁ',
  'Ｆ',
  'x',
  '0',
];

/** A text of characters that are hard to quote. */
export function oddText(next: (below: number) => number): string {
  return Array.from({ length: next(12) }, () => PIECES[next(PIECES.length)]).join('');
}

/** Returns a valid statement whose result is one text. The text is written in one of many ways. */
export function oddStatement(next: (below: number) => number): string {
  const text = oddText(next);
  const quoted = text.replaceAll(/'+/g, "''");
  const written = [
    () => `'${quoted}'`,
    () => `E'${quoted.replaceAll('\\', '\\\\')}'`,
    () => `$odd$${text}$odd$`,
    () => `$größe_1$${text}$größe_1$`,
    () => `U&'${quoted.replaceAll('\\', '\\\\')}'`,
  ][next(5)]?.();
  const comment = text.replaceAll(/[*/]/g, '').replaceAll(/[\r\n]/g, ' ');
  const before = ['', `/* ${comment} /* inner */ */ `, `-- ${comment}\n`, '  \n\t'][next(4)];
  const after = ['', ';', ' ; ', ` -- ${comment}`, ' /* end */'][next(5)];
  return `${before}SELECT ${written} AS "${quoted.replaceAll('"', '""') || 'a'}"${after}`;
}
