/** One event of a stream. Its data are bytes, so that the JSON reader detects invalid UTF-8. */
export interface SseEvent {
  /** Name of the event; `message` if the stream gives no name. */
  readonly event: string;
  readonly data: Buffer;
}

/** Error: the stream has an event larger than allowed. */
export class SseTooLarge extends Error {}

const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;
const BOM = Buffer.of(0xef, 0xbb, 0xbf);
const NOTHING = Buffer.alloc(0);
/** Maximum size of an event name, an id and a retry time. Longer fields are ignored. */
const FIELD_BYTES = 8 * 1024;

/**
 * Reads a stream of events (HTML standard, "Server-sent events") in chunks that end at any byte. Lines end
 * with LF, CR or CR LF. A comment uses no memory. An event uses at most `maxEventBytes` for its data.
 */
export class SseReader {
  /**
   * Value of `Last-Event-ID`: the last id that the stream set with a complete event. Undefined before the
   * first id.
   */
  lastEventId: string | undefined;
  /** Wait before the stream is resumed, in milliseconds, if the server set one. */
  retryMs: number | undefined;

  /** Pieces of the current line, and their total length. */
  private line: Buffer[] = [];
  private lineBytes = 0;
  private isComment = false;
  /** Whether the last chunk ended with CR. An LF right after the CR belongs to the same line end. */
  private isAfterCr = false;
  private isAtBegin = true;

  private event = '';
  private id: string | undefined;
  private data: Buffer[] = [];
  private dataBytes = 0;

  constructor(private readonly maxEventBytes: number) {}

  /**
   * Returns the events that these bytes complete.
   * @throws SseTooLarge
   */
  push(bytes: Buffer): SseEvent[] {
    const events: SseEvent[] = [];
    let rest = this.isAtBegin ? this.withoutBom(bytes) : bytes;
    if (this.isAfterCr && rest.length > 0) {
      this.isAfterCr = false;
      if (rest[0] === LF) rest = rest.subarray(1);
    }
    let start = 0;
    let lf = rest.indexOf(LF);
    let cr = rest.indexOf(CR);
    while (lf >= 0 || cr >= 0) {
      const isCr = cr >= 0 && (lf < 0 || cr < lf);
      const end = isCr ? cr : lf;
      this.append(rest.subarray(start, end));
      this.endLine(events);
      start = end + 1;
      if (isCr && start === rest.length) this.isAfterCr = true;
      if (isCr && rest[start] === LF) start += 1;
      if (lf >= 0 && lf < start) lf = rest.indexOf(LF, start);
      if (cr >= 0 && cr < start) cr = rest.indexOf(CR, start);
    }
    this.append(rest.subarray(start));
    return events;
  }

  /** Removes a byte order mark at the start. Keeps bytes in `line` while they may be part of the mark. */
  private withoutBom(bytes: Buffer): Buffer {
    const begin = Buffer.concat([...this.line, bytes]);
    this.line = [];
    this.lineBytes = 0;
    if (begin.length < BOM.length && begin.equals(BOM.subarray(0, begin.length))) {
      if (begin.length > 0) this.line = [begin];
      return NOTHING;
    }
    this.isAtBegin = false;
    return begin.subarray(0, BOM.length).equals(BOM) ? begin.subarray(BOM.length) : begin;
  }

  private append(part: Buffer): void {
    if (this.isComment || part.length === 0) return;
    if (this.lineBytes === 0 && part[0] === COLON) {
      this.isComment = true;
      return;
    }
    this.lineBytes += part.length;
    if (this.lineBytes + this.dataBytes > this.maxEventBytes + FIELD_BYTES)
      throw new SseTooLarge('an event of the stream is too large');
    this.line.push(part);
  }

  private endLine(events: SseEvent[]): void {
    const line = this.line.length === 1 ? (this.line[0] ?? NOTHING) : Buffer.concat(this.line);
    const { isComment } = this;
    this.line = [];
    this.lineBytes = 0;
    this.isComment = false;
    if (isComment) return;
    if (line.length === 0) this.dispatch(events);
    else this.field(line);
  }

  private field(line: Buffer): void {
    const colon = line.indexOf(COLON);
    const name = line.toString(
      'latin1',
      0,
      colon < 0 ? Math.min(line.length, FIELD_BYTES) : Math.min(colon, 16),
    );
    const from = colon < 0 ? line.length : line[colon + 1] === SPACE ? colon + 2 : colon + 1;
    const value = line.subarray(from);
    if (name === 'data') this.addData(value);
    else if (value.length > FIELD_BYTES) return;
    else if (name === 'event') this.event = value.toString('utf8');
    else if (name === 'id' && !value.includes(0)) this.id = value.toString('utf8');
    else if (name === 'retry' && /^\d{1,9}$/.test(value.toString('latin1')))
      this.retryMs = Number(value.toString('latin1'));
  }

  private addData(value: Buffer): void {
    // Counts a line break for each field, because a million empty fields use memory too.
    this.dataBytes += value.length + 1;
    if (this.dataBytes > this.maxEventBytes + 1) throw new SseTooLarge('an event of the stream is too large');
    this.data.push(value);
  }

  private dispatch(events: SseEvent[]): void {
    if (this.id !== undefined) this.lastEventId = this.id;
    if (this.data.length > 0) events.push({ event: this.event || 'message', data: joined(this.data) });
    this.event = '';
    this.data = [];
    this.dataBytes = 0;
  }
}

function joined(lines: readonly Buffer[]): Buffer {
  const [first] = lines;
  if (lines.length === 1 && first !== undefined) return first;
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.of(LF), line])));
}
