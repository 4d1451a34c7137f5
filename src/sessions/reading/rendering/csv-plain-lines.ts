/**
 * Receives the output of `plainLines`, which writes whole lines of tabular text as rows of RFC 4180. It works
 * byte by byte, which is several times as fast as cell by cell. It writes only lines that need no more than
 * quotes around each cell, an empty cell for NULL and an apostrophe before a formula. The caller writes the
 * other lines, which have quotes, escapes or invisible characters.
 */
export interface RowSink {
  /** Receives finished rows. */
  plain(rows: Buffer): void;
  /** Receives a line that the caller must convert, without its line feed. Lines and rows come in order. */
  special(line: Buffer): void;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const RETURN = 0x0d;
const CAPITAL_N = 0x4e;

/** Classes of bytes that are not just copied. Class 0: the byte is copied. */
const ENDS_CELL = 1;
const ENDS_LINE = 2;
const SIGN = 3;
const LEAD = 4;
const OTHER = 5;

const classes = new Uint8Array(256);
classes.fill(OTHER, 0, 0x20);
classes[0x7f] = OTHER;
classes[QUOTE] = OTHER;
classes[BACKSLASH] = OTHER;
classes[TAB] = ENDS_CELL;
classes[LINE_FEED] = ENDS_LINE;
for (const sign of '=+-@') classes[sign.charCodeAt(0)] = SIGN;
// First bytes of the characters that `isUnseen` finds.
for (const lead of [0xc2, 0xd8, 0xe2, 0xef]) classes[lead] = LEAD;

/** @param block Valid UTF-8 that ends with a line feed. @param first Bytes to write before each row. */
export function plainLines(block: Buffer, first: Buffer, sink: RowSink): void {
  // Worst case: each byte becomes three bytes, and each line feed also adds a row's first quote and `first`.
  const rows = Buffer.allocUnsafe(
    block.length * 4 + first.length * (first.length > 0 ? lineFeeds(block) : 0),
  );
  let sent = 0;
  let at = 0;
  let lineAt = 0;
  for (let from = 0; from < block.length;) {
    lineAt = at;
    at += first.copy(rows, at);
    const line = plainLine(block, from, rows, at);
    if (line.isPlain) {
      at = line.at;
      from = line.from;
      continue;
    }
    if (lineAt > sent) sink.plain(rows.subarray(sent, lineAt));
    at = lineAt;
    sent = lineAt;
    const end = block.indexOf(LINE_FEED, from);
    sink.special(block.subarray(from, end));
    from = end + 1;
  }
  if (at > sent) sink.plain(rows.subarray(sent, at));
}

/** Result object that all lines share, because a million objects for a million rows would be slow. */
const outcome = { isPlain: false, at: 0, from: 0 };

function plainLine(block: Buffer, from: number, rows: Buffer, to: number): typeof outcome {
  let at = to;
  let n = from;
  let cellAt = n;
  rows[at++] = QUOTE;
  outcome.isPlain = false;
  for (;;) {
    let byte = block[n] as number;
    let kind = classes[byte] as number;
    // This loop only copies, because it runs for nearly all bytes.
    while (kind === 0) {
      rows[at++] = byte;
      byte = block[++n] as number;
      kind = classes[byte] as number;
    }
    const beginsCell = n === cellAt;
    switch (kind) {
      case ENDS_CELL:
        rows[at++] = QUOTE;
        rows[at++] = COMMA;
        rows[at++] = QUOTE;
        cellAt = ++n;
        continue;
      case ENDS_LINE:
        rows[at++] = QUOTE;
        rows[at++] = RETURN;
        rows[at++] = LINE_FEED;
        outcome.isPlain = true;
        outcome.at = at;
        outcome.from = n + 1;
        return outcome;
      case SIGN:
        if (beginsCell) rows[at++] = APOSTROPHE;
        break;
      case LEAD:
        if (isUnseen(block, n)) return outcome;
        break;
      default:
        if (!beginsCell || !isNull(block, n)) return outcome;
        n += 2;
        // The byte after `\N` ends the cell.
        cellAt = n;
        continue;
    }
    rows[at++] = byte;
    n += 1;
  }
}

/** Whether the whole cell is `\N`. A byte always follows, because the block ends with a line feed. */
function isNull(block: Buffer, at: number): boolean {
  if (block[at] !== BACKSLASH || block[at + 1] !== CAPITAL_N) return false;
  const after = block[at + 2];
  return after === TAB || after === LINE_FEED;
}

/** Whether the character is a C1 control, a bidirectional control, or full-width and may begin a formula. */
function isUnseen(block: Buffer, at: number): boolean {
  const second = block[at + 1] as number;
  const third = block[at + 2] as number;
  switch (block[at] as number) {
    case 0xc2:
      return second < 0xa0;
    case 0xd8:
      return second === 0x9c;
    case 0xe2:
      if (second === 0x80) return third === 0x8e || third === 0x8f || (third >= 0xaa && third <= 0xae);
      return second === 0x81 && third >= 0xa6 && third <= 0xa9;
    default:
      return second === 0xbc;
  }
}

function lineFeeds(block: Buffer): number {
  let count = 0;
  for (let at = 0; at < block.length; at++) if (block[at] === LINE_FEED) count += 1;
  return count;
}
