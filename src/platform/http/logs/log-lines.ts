import { type DestinationStream, destination, levels } from 'pino';
import { once } from '../../../kernel/async/once';

/**
 * Maximum wait of a line for others, in milliseconds: one write for many lines costs a thread as much as one
 * write for one.
 */
const COLLECTED_MS = 10;
/** Characters that wait at most. */
const COLLECTED = 16 * 1024;

/** Has pino name the level of each line. */
const WITH_LEVEL: unique symbol = Symbol.for('pino.metadata');

/**
 * Standard output for log lines, several in one write. Warnings and errors are written at once, with what
 * came before them; the rest when the process exits.
 */
export class LogLines implements DestinationStream {
  readonly [WITH_LEVEL] = true;
  /** The level of the line that is written next. */
  lastLevel = 0;
  /** Gets each line, too. */
  onLine: ((line: string) => void) | undefined;
  private waiting = '';
  private readonly timer: NodeJS.Timeout;

  /** @param output writes before it returns; standard output if it is not given */
  constructor(private readonly output?: DestinationStream) {
    this.timer = setTimeout(() => this.flushSync(), COLLECTED_MS).unref();
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    const isFirst = this.waiting === '';
    this.waiting += line;
    this.onLine?.(line);
    if (this.lastLevel >= levels.values['warn']! || this.waiting.length > COLLECTED) this.flushSync();
    else if (isFirst) this.timer.refresh();
  }

  /** Writes what waits. */
  flushSync(): void {
    const lines = this.waiting;
    if (lines === '') return;
    this.waiting = '';
    (this.output ?? standardOutput()).write(lines);
  }
}

/**
 * Chooses like pino: the stream where its `write` was replaced, as in tests; or the descriptor, which costs
 * less.
 */
function standardOutput(): DestinationStream {
  return Object.hasOwn(process.stdout, 'write') ? process.stdout : descriptor();
}

const descriptor = once(() => destination({ sync: true }));
