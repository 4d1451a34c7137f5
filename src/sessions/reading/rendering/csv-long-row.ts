import { csvPart } from './csv-cells';
import type { Output } from './rendering';
import { outputDecoder } from '../../format/output-decoder';

/** A row that is too long to hold in memory. It is written cell by cell, and long cells in parts. */
export class LongRow {
  private readonly decoder = outputDecoder();
  /** End of the text so far, held because the next characters may complete NULL (`\N`) or an escape in it. */
  private held = '';
  private isOpen = false;

  /** @param separator Text before the next cell of the row. */
  constructor(private separator: string) {}

  write(bytes: Buffer, out: Output): void {
    this.add(this.decoder.decode(bytes, { stream: true }), out);
  }

  /** Ends the row. */
  end(out: Output): void {
    this.add(this.decoder.decode(), out);
    this.endCell(this.held, out);
    out.write('\r\n');
  }

  private add(text: string, out: Output): void {
    const cells = `${this.held}${text}`.split('\t');
    const last = cells.pop() ?? '';
    for (const cell of cells) this.endCell(cell, out);
    const length = last.length - held(last, this.isOpen);
    this.held = last.slice(length);
    if (length > 0) this.part(last.slice(0, length), out);
  }

  private part(text: string, out: Output): void {
    const isFirst = !this.isOpen;
    if (isFirst) out.write(`${this.separator}"`);
    this.separator = ',';
    this.isOpen = true;
    out.write(csvPart(text, isFirst));
  }

  private endCell(rest: string, out: Output): void {
    this.part(!this.isOpen && rest === '\\N' ? '' : rest, out);
    out.write('"');
    this.isOpen = false;
  }
}

/** Returns how many characters at the end must be held, because the next characters decide their meaning. */
function held(text: string, isOpen: boolean): number {
  if (!isOpen && text.length <= '\\N'.length) return text.length;
  let backslashes = 0;
  while (text.at(-1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2;
}
