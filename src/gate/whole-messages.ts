import { bytesOf } from '../kernel/text/buffers';

/** Knows where the messages of a protocol begin and end, from all bytes of one direction. */
export interface MessageTracker {
  /**
   * Bytes until the end of the message that is incomplete; 0 between two
   * messages, Infinity while its length is unknown.
   */
  readonly missing: number;
  /** Length of the message that is incomplete; 0 while it is unknown. */
  readonly size: number;
  /**
   * Follows the next bytes. @returns where in them the message begins that they leave incomplete: their
   * length if they leave none, -1 if it began before them.
   */
  follow(piece: Buffer): number;
}

/** A message up to this size is not begun before its end is here. A larger one is forwarded in parts. */
const WHOLE_UP_TO_BYTES = 64 * 1024;
/** More pieces of one message are joined. */
const HELD_PIECES = 64;
const NONE: readonly Buffer[] = [];

/**
 * Holds back the beginning of a message whose end is not here, unless the message is a large one. Nothing is
 * copied on the usual way.
 */
export class WholeMessages {
  /** Bytes that are held back. */
  heldBytes = 0;
  /** Bytes that the last message lacks after all that was released: not 0 only within a large message. */
  missing = 0;
  private held: Buffer[] = [];

  constructor(private readonly tracker: MessageTracker) {}

  /** Adds bytes, and returns those that may go on now. */
  take(pieces: readonly Buffer[]): readonly Buffer[] {
    const { tracker } = this;
    /** The piece where the incomplete message begins, and where in it; -1 for one that began earlier. */
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

  /** Forgets what is held back. */
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
    this.held.push(...pieces);
    this.heldBytes += bytesOf(pieces);
    if (this.held.length > HELD_PIECES) this.held = [Buffer.concat(this.held)];
  }
}
