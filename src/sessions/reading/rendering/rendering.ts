import { type EventPiece, isSameEvent } from '../../format/event-codec';

/** The pieces of a recording in order, chunk by chunk. */
export type Batches = AsyncIterable<readonly EventPiece[]>;

/** Output is sent in writes of about this size: smaller ones are slow. */
const WRITE_BYTES = 64 * 1024;

/**
 * Writes a recording in some form. It gets each event piece by piece, and must keep no more of an event than
 * what a later piece changes.
 */
export interface Rendering {
  /** Called before the first piece of an event. */
  begin?(event: EventPiece, out: Output): void;
  content(piece: EventPiece, out: Output): void;
  /** Called after the last piece of an event. The end of the event may be missing. */
  finish?(event: EventPiece, out: Output): void;
  /** Called after the last event. */
  end?(out: Output): void;
}

/** Gathers output until it has the size of a write. */
export class Output {
  private parts: (string | Buffer)[] = [];
  private text = '';
  private bytes = 0;

  /** Text is counted in characters, which is close enough. */
  get size(): number {
    return this.bytes + this.text.length;
  }

  write(part: string | Buffer): void {
    if (typeof part === 'string') {
      this.text += part;
      return;
    }
    this.closeText();
    this.parts.push(part);
    this.bytes += part.length;
  }

  takeOutput(): Buffer {
    this.closeText();
    const parts = this.parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    this.parts = [];
    this.bytes = 0;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  private closeText(): void {
    if (this.text === '') return;
    this.parts.push(this.text);
    this.bytes += this.text.length;
    this.text = '';
  }
}

/** Runs a rendering. Yields writes. */
export async function* rendered(batches: Batches, rendering: Rendering): AsyncGenerator<Buffer> {
  const out = new Output();
  let open: EventPiece | undefined;
  for await (const pieces of batches) {
    for (const piece of pieces) {
      // The gateway died before the end of the event.
      if (open !== undefined && !isSameEvent(open, piece)) {
        rendering.finish?.(open, out);
        open = undefined;
      }
      if (open === undefined) rendering.begin?.(piece, out);
      rendering.content(piece, out);
      if (piece.ends) rendering.finish?.(piece, out);
      open = piece.ends ? undefined : piece;
      if (out.size >= WRITE_BYTES) yield out.takeOutput();
    }
  }
  if (open !== undefined) rendering.finish?.(open, out);
  rendering.end?.(out);
  if (out.size > 0) yield out.takeOutput();
}
