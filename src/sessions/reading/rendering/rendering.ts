import { type EventPiece, isSameEvent } from '../../format/event-codec';

/** The pieces of a recording in order, chunk by chunk. */
export type Batches = AsyncIterable<readonly EventPiece[]>;

/** Approximate bytes of one write of output. Smaller writes are slow. */
const WRITE_BYTES = 64 * 1024;

/**
 * Writes a recording in one format. It receives each event piece by piece, and must keep only the part of an
 * event that a later piece can change.
 */
export interface Rendering {
  /** Called before the first piece of an event. */
  begin?(event: EventPiece, out: Output): void;
  content(piece: EventPiece, out: Output): void;
  /** Called after the last stored piece of an event, even if the end of the event is missing. */
  finish?(event: EventPiece, out: Output): void;
  /** Called after the last event. */
  end?(out: Output): void;
}

/** Gathers output until it has the size of a write. */
export class Output {
  private parts: (string | Buffer)[] = [];
  private text = '';
  private bytes = 0;

  /** Approximate size in bytes, because text is counted in characters. */
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

/** Runs a rendering, and yields its output in writes. */
export async function* rendered(batches: Batches, rendering: Rendering): AsyncGenerator<Buffer> {
  const out = new Output();
  let open: EventPiece | undefined;
  for await (const pieces of batches) {
    for (const piece of pieces) {
      // The previous event has no end, because the gateway died before it recorded the end.
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
