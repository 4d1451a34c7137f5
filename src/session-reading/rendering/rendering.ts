import { type EventPiece, isSameEvent } from '../../recording-format/event-codec';

/** The pieces of a recording in order, those of a chunk at once. */
export type Batches = AsyncIterable<readonly EventPiece[]>;

/** Parts of a file become writes of about this size: smaller ones cost more than what they carry. */
const WRITE_BYTES = 64 * 1024;

/**
 * How a recording is written down, told event by event, and each event piece by piece: none of them may keep more
 * of an event than what a later piece changes.
 */
export interface Rendering {
  /** Before the first piece of an event. */
  begin?(event: EventPiece, out: Output): void;
  content(piece: EventPiece, out: Output): void;
  /** After the last piece of an event, or the last one there is. */
  finish?(event: EventPiece, out: Output): void;
  /** After the last event. */
  end?(out: Output): void;
}

/** Gathers what is written until it is worth sending. */
export class Output {
  private parts: (string | Buffer)[] = [];
  private text = '';
  private bytes = 0;

  /** Text is counted by its characters: enough to know when to send. */
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

  take(): Buffer {
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

/** The recording as that rendering writes it, in parts worth sending. */
export async function* rendered(batches: Batches, rendering: Rendering): AsyncGenerator<Buffer> {
  const out = new Output();
  let open: EventPiece | undefined;
  for await (const pieces of batches) {
    for (const piece of pieces) {
      // An event whose gateway died before its end is followed by another one.
      if (open !== undefined && !isSameEvent(open, piece)) {
        rendering.finish?.(open, out);
        open = undefined;
      }
      if (open === undefined) rendering.begin?.(piece, out);
      rendering.content(piece, out);
      if (piece.ends) rendering.finish?.(piece, out);
      open = piece.ends ? undefined : piece;
      if (out.size >= WRITE_BYTES) yield out.take();
    }
  }
  if (open !== undefined) rendering.finish?.(open, out);
  rendering.end?.(out);
  if (out.size > 0) yield out.take();
}
