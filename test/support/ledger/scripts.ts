import type { Random } from './random';

/** Weights of the kinds of scripts. */
const KINDS = { insert: 55, rows: 20, notice: 8, sleep: 7, large: 5, wide: 5 };

/** A short description of a script, so that a client can keep a list of all that it sent. */
export interface Script {
  /** Unique text in the script's input, in its effect and in every row of its output. */
  readonly marker: string;
  readonly kind: keyof typeof KINDS;
  /** Rows of output (`rows`, `large`), milliseconds (`sleep`) or lines of input (`wide`). */
  readonly size: number;
}

const MARKER = /mark-[a-z]+-\d+-\d+/;
const TOKEN = /mark-[a-z]+-\d+-\d+#\d+/g;
const PADDING = 'x'.repeat(200);

export function planScript(marker: string, random: Random): Script {
  const kind = random.pick(KINDS);
  const sizes = { insert: 0, notice: 0, rows: 200, sleep: 900, large: 7_000, wide: 6_000 };
  const size = sizes[kind];
  return { marker, kind, size: random.between(Math.ceil(size / 4), size) };
}

/** Returns the text of a script. Every script inserts one row into the target. */
export function inputOf({ marker, kind, size }: Script): string {
  const insert = `INSERT INTO ledger VALUES ('${marker}') RETURNING marker || '#1' AS line`;
  const series = (row: string): string => `SELECT ${row} AS line FROM generate_series(2, ${size}) AS n`;
  switch (kind) {
    case 'insert':
      return insert;
    case 'rows':
      return `${insert};\n${series(`'${marker}#' || n`)}`;
    case 'large':
      return `${insert};\n${series(`'${marker}#' || n || ' ${PADDING}'`)}`;
    case 'notice':
      return `${insert};\nDO $$ BEGIN RAISE NOTICE '${marker}#2'; END $$`;
    // The row is committed while the script still runs.
    case 'sleep':
      return `BEGIN; ${insert}; COMMIT;\nSELECT '${marker}#2' AS line FROM pg_sleep(${size / 1000})`;
    case 'wide':
      return `${lines(1, size, (n) => `-- ${marker}, line ${n} of a long input ${'.'.repeat(n % 60)}`)}${insert}`;
  }
}

/**
 * Returns the whole output of a finished script. Each row is one line, and shorter than any piece of output
 * that is recorded at once.
 */
export function outputOf({ marker, kind, size }: Script): string {
  const first = `line\n${marker}#1\n`;
  switch (kind) {
    case 'insert':
    case 'wide':
      return first;
    case 'rows':
      return `${first}line\n${lines(2, size, (n) => `${marker}#${n}`)}`;
    case 'large':
      return `${first}line\n${lines(2, size, (n) => `${marker}#${n} ${PADDING}`)}`;
    case 'notice':
      return `${first}NOTICE: ${marker}#2\nDO\n`;
    case 'sleep':
      return `BEGIN\n${first}COMMIT\nline\n${marker}#2\n`;
  }
}

/** Returns the marker in a text, which identifies a script. */
export function markerIn(text: string): string | undefined {
  return MARKER.exec(text)?.[0];
}

/** Returns the row markers in an output, in order: `mark-a-1-1#1`. */
export function tokensIn(output: string): string[] {
  return output.match(TOKEN) ?? [];
}

function lines(from: number, to: number, line: (n: number) => string): string {
  let text = '';
  for (let n = from; n <= to; n++) text += `${line(n)}\n`;
  return text;
}
