import { isUtf8 } from 'node:buffer';
import type { TrailEventType } from '../../../gate/ports/session-recorder';
import type { EventPiece } from '../../format/event-codec';
import { csvRows } from './csv-cells';
import { LongRow } from './csv-long-row';
import { plainLines } from './csv-plain-lines';
import type { Output, Rendering } from './rendering';

/** Maximum bytes of a line that is held until its end. A longer line is written in parts. */
const LONGEST_LINE = 256 * 1024;
const BLOCK_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** An unfinished line, and when it began. */
interface OpenLine {
  parts: Buffer[];
  size: number;
  time: number;
  long: LongRow | undefined;
}

/**
 * Renders RFC 4180, with a row for each line of recorded output. Cells that a spreadsheet would execute are
 * made harmless, and invisible characters become U+FFFD; plain files keep the exact bytes. A line may be cut
 * between events, so each type of event has its own unfinished line. The row of a line beyond `longest` bytes
 * ends early if an event of another type comes.
 */
export class CsvRendering implements Rendering {
  private readonly open = new Map<TrailEventType, OpenLine>();

  /** @param stamp Formats the time at the beginning of each row; undefined: rows have no time. */
  constructor(
    private readonly stamp: ((time: number) => string) | undefined,
    private readonly longest = LONGEST_LINE,
  ) {}

  content({ type, time, content }: EventPiece, out: Output): void {
    for (const [other, line] of this.open)
      if (other !== type && line.long !== undefined) this.close(other, line, out);
    for (let at = 0; at < content.length; at += BLOCK_BYTES) {
      this.block(type, time, content.subarray(at, at + BLOCK_BYTES), out);
    }
  }

  end(out: Output): void {
    for (const [type, line] of this.open) this.close(type, line, out);
  }

  private block(type: TrailEventType, time: number, bytes: Buffer, out: Output): void {
    const last = bytes.lastIndexOf(LINE_FEED) + 1;
    let from = 0;
    const line = this.open.get(type);
    if (line !== undefined && last > 0) {
      from = bytes.indexOf(LINE_FEED) + 1;
      this.add(line, bytes.subarray(0, from - 1), out);
      this.close(type, line, out);
    }
    if (from < last) this.rows(bytes.subarray(from, last), time, out);
    if (last < bytes.length) this.openLine(type, time, bytes.subarray(last), out);
  }

  private openLine(type: TrailEventType, time: number, bytes: Buffer, out: Output): void {
    const line = this.open.get(type) ?? { parts: [], size: 0, time, long: undefined };
    this.open.set(type, line);
    this.add(line, bytes, out);
  }

  private add(line: OpenLine, bytes: Buffer, out: Output): void {
    line.size += bytes.length;
    if (line.long === undefined && line.size > this.longest) {
      line.long = this.longRow(line.time, out);
      for (const part of line.parts) line.long.write(part, out);
      line.parts = [];
    }
    if (line.long === undefined) line.parts.push(bytes);
    else line.long.write(bytes, out);
  }

  private longRow(time: number, out: Output): LongRow {
    if (this.stamp !== undefined) out.write(`"${this.stamp(time)}"`);
    return new LongRow(this.stamp === undefined ? '' : ',');
  }

  private close(type: TrailEventType, line: OpenLine, out: Output): void {
    this.open.delete(type);
    if (line.long === undefined)
      this.rows(Buffer.concat([...line.parts, Buffer.of(LINE_FEED)]), line.time, out);
    else line.long.end(out);
  }

  /** Writes whole lines with the same time. Each line ends with a line feed. */
  private rows(lines: Buffer, time: number, out: Output): void {
    const first = this.stamp === undefined ? [] : [this.stamp(time)];
    let special: { first: string[]; line: string }[] = [];
    const flush = (): void => {
      if (special.length > 0) out.write(csvRows(special));
      special = [];
    };
    const add = (line: string): void => void special.push({ first, line });
    if (isUtf8(lines)) {
      const before = Buffer.from(first.map((cell) => `"${cell}",`).join(''));
      plainLines(lines, before, {
        plain: (rows) => {
          flush();
          out.write(rows);
        },
        special: (line) => add(line.toString()),
      });
    } else for (const line of lines.toString().split('\n').slice(0, -1)) add(line);
    flush();
  }
}
