import { type DestinationStream, destination, levels } from 'pino';
import { once } from '../../../kernel/async/once';

/**
 * Maximum time in milliseconds that a log line waits for more lines. For the thread, one write of many lines
 * costs as much as one write of a single line.
 */
const COLLECTED_MS = 10;
/** Number of waiting characters above which all lines are written. */
const COLLECTED = 16 * 1024;

/** Property that makes pino set `lastLevel` before each line. */
const WITH_LEVEL: unique symbol = Symbol.for('pino.metadata');

/**
 * Writes log lines to standard output, several in one write. A warning or an error is written at once, with
 * the lines before it. Lines that still wait are written when the process exits.
 */
export class LogLines implements DestinationStream {
  readonly [WITH_LEVEL] = true;
  /** The level of the line that is written next. */
  lastLevel = 0;
  /** Receives a copy of each line. */
  onLine: ((line: string) => void) | undefined;
  private waiting = '';
  private readonly timer: NodeJS.Timeout;

  /** @param output destination that writes synchronously; default: standard output */
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

  /** Writes the waiting lines. */
  flushSync(): void {
    const lines = this.waiting;
    if (lines === '') return;
    this.waiting = '';
    (this.output ?? standardOutput()).write(lines);
  }
}

/**
 * Returns the destination that pino would choose: the stream if its `write` was replaced, as in tests,
 * otherwise the file descriptor, which is cheaper.
 */
function standardOutput(): DestinationStream {
  return Object.hasOwn(process.stdout, 'write') ? process.stdout : descriptor();
}

const descriptor = once(() => destination({ sync: true }));
