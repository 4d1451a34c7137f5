import type { Sink } from '../../../gate/durable-writer';
import type { ProgramExit } from './ending';

/** Writes what a program and the gateway send to a client, and the end of the program. */
export interface ClientSink extends Sink {
  /** Called when the source may continue. */
  room: () => void;
  /** Resolves when the client gets nothing more. */
  readonly ended: Promise<void>;
  /** Returns a sentence as a line. */
  line(sentence: string): Buffer;
  /** Marks a piece as error output. */
  asError(piece: Buffer): Buffer;
  /** Sets the end of the program that `end` reports to the client. */
  exitWith(exit: ProgramExit): void;
  /**
   * Drops what waits, so that the last words come next, and waits a second at most for the client to read.
   */
  hurry(): void;
  /**
   * Writes the last words as error output, reports the end of the program, and closes the client's side.
   * Waits until the client has read everything, unless it was hurried.
   */
  end(lastWords: Buffer): void;
  /** Whether everything was given away, so that no other end can be reported. */
  readonly hasLeft: boolean;
  /** Ends at once, in this way, also if it is ending already. Has no effect after `hasLeft`. */
  endInstead(exit: ProgramExit, lastWords: Buffer): void;
}
