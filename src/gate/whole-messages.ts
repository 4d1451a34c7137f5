import { bytesOf } from '../kernel/text/buffers';

/** Finds where the messages of a protocol begin and end, from all bytes of one direction. */
export interface MessageTracker {
  /**
   * Bytes that the incomplete message lacks; 0 between two messages, Infinity while its length is unknown.
   */
  readonly missing: number;
  /** Length of the incomplete message; 0 while it is unknown. */
  readonly size: number;
  /**
   * Reads the next bytes. @returns the offset in `piece` at which an incomplete message begins; the length of
   * `piece` if no message is incomplete after it; -1 if the incomplete message began in an earlier piece.
   */
  follow(piece: Buffer): number;
}

/** Maximum size of a message that is held until it is complete. Larger messages are forwarded in parts. */
const WHOLE_UP_TO_BYTES = 64 * 1024;
/** Maximum number of held pieces of one message. When there are more, they are joined into one buffer. */
const HELD_PIECES = 64;
const NONE: readonly Buffer[] = [];

/** Holds back an incomplete message until its end arrives, unless it is large. Usually copies nothing. */
export class WholeMessages {
  /** Bytes that are held back. */
  heldBytes = 0;
  /** Bytes of a partly released large message that have not arrived yet; 0 if there is none. */
  missing = 0;
  private held: Buffer[] = [];

  constructor(private readonly tracker: MessageTracker) {}

  /** Adds bytes, and returns the bytes that may be forwarded now. */
  take(pieces: readonly Buffer[]): readonly Buffer[] {
    const { tracker } = this;
    /**
     * Index of the piece where the incomplete message begins; -1 if the message began earlier. `at` is its
     * offset in that piece.
     */
    let index = -1;
    let at = 0;
    for (let place = 0; place < pieces.length; place += 1) {
      const begins = tracker.follow(pieces[place] as Buffer);
      if (begins === -1) continue;
      index = place;
      at = begins;
    }
    if (tracker.missing === 0 || tracker.size > WHOLE_UP_TO_BYTES) {
      this.missing = tracker.missing;
      return this.withHeld(pieces);
    }
    if (index === -1) {
      this.hold(pieces);
      return NONE;
    }
    this.missing = 0;
    const first = pieces[index] as Buffer;
    const whole = pieces.slice(0, index);
    if (at > 0) whole.push(first.subarray(0, at));
    const due = this.withHeld(whole);
    this.hold([first.subarray(at), ...pieces.slice(index + 1)]);
    return due;
  }

  /** Drops the bytes that are held back. */
  drop(): void {
    this.held = [];
    this.heldBytes = 0;
  }

  private withHeld(pieces: readonly Buffer[]): readonly Buffer[] {
    if (this.held.length === 0) return pieces;
    const all = [...this.held, ...pieces];
    this.drop();
    return all;
  }

  private hold(pieces: readonly Buffer[]): void {
    for (const piece of pieces) this.held.push(piece);
    this.heldBytes += bytesOf(pieces);
    if (this.held.length > HELD_PIECES) this.held = [Buffer.concat(this.held)];
  }
}
